import Attribution
import CommandLineInterface
import DocumentSource
import Glibc
import TextFormats

/// Tells what became of files: to people, to programs, or to the journal.
final class WatchReport {
  enum Style {
    /// Tagged files and failures; with `all`, other files too.
    case people(all: Bool)
    case json
    /// Of single files nothing: whoever reads the journal need not know what users write.
    case quiet
  }

  private let style: Style
  private let console: Console
  /// Where the journal reads standard error, what it takes for a line's priority.
  private let journal: OutputStream?
  private var reasons: Set<String> = []
  private static let reasonLimit = 100

  init(_ style: Style, _ console: Console) {
    self.style = style
    self.console = console
    journal = Self.isJournal ? OutputStream.standardError() : nil
  }

  /// systemd.exec(5), `JOURNAL_STREAM`.
  private static var isJournal: Bool {
    guard let value = unsafe getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard unsafe fstat(STDERR_FILENO, &status) == 0 else { return false }
    return unsafe String(cString: value) == "\(status.st_dev):\(status.st_ino)"
  }

  /// How grave a line is; see sd-daemon(3).
  enum Priority: Int {
    case warning = 4
    case information = 6
  }

  func say(_ message: String, _ priority: Priority = .warning) {
    guard let journal else {
      console.say(message)
      return
    }
    journal.writeLine("<\(priority.rawValue)>\(Tool.name): \(message)")
    journal.flush()
  }

  /// - Returns: `false` where standard output cannot be written to any more.
  func flush() -> Bool {
    console.output.flush()
    return console.output.failure == nil
  }

  func overflow() {
    guard case .json = style else { return }
    console.output.writeLine(JSONText.object([("event", JSONText.string("overflow"))]))
  }

  /// Files whose events were lost, as far as they have no source.
  func missed(_ count: Int) {
    if case .json = style {
      let members = [("event", JSONText.string("missed")), ("files", "\(count)")]
      console.output.writeLine(JSONText.object(members))
    }
    say(
      "\(CountText.of(count, "file")) without a source changed while events were lost",
      count == 0 ? .information : .warning)
  }

  /// Whether files that keep their source are told of.
  var tellsOfKept: Bool {
    switch style {
    case .json: true
    case .people(let all): all
    case .quiet: false
    }
  }

  func file(_ path: [UInt8], _ writer: Int32, _ outcome: WatchOutcome) {
    switch style {
    case .json: console.output.writeLine(JSONText.object(Self.members(path, writer, outcome)))
    case .people(let all): tellPeople(path, outcome, all)
    case .quiet:
      guard case .failed(let reason, let remedy) = outcome, reasons.count < Self.reasonLimit,
        reasons.insert(reason + remedy.words).inserted
      else { return }
      say("\(EscapedText(reason + remedy.words)); further such failures are counted only")
    }
  }

  private func tellPeople(_ path: [UInt8], _ outcome: WatchOutcome, _ all: Bool) {
    let words: String
    switch outcome {
    case .tagged(let source): words = "tagged: \(SourceText.summary(source))"
    case .wouldTag(let source): words = "would tag: \(SourceText.summary(source))"
    case .renamed(let path): words = "renamed: \(path)"
    case .failed(let reason, let remedy):
      console.report(path[...], EscapedText(reason + remedy.words).description)
      return
    case .kept where all: words = "kept"
    case .none(let reason) where all: words = "no application: \(reason.words)"
    case .unknown where all: words = "unknown: the writer is gone"
    case .kept, .none, .unknown: return
    }
    console.output.writeLine("\(EscapedText(path)): \(EscapedText(words))")
  }

  private static func members(
    _ path: [UInt8], _ writer: Int32, _ outcome: WatchOutcome
  ) -> [(key: String, value: String)] {
    var members = [(key: "event", value: JSONText.string(outcome.code))]
    members += JSONText.path(path[...]) + [("writer", "\(writer)")]
    switch outcome {
    case .tagged(let source), .wouldTag(let source):
      for field in DocumentSource.Field.allCases {
        if let text = source[field] { members.append((field.key, JSONText.string(text))) }
      }
    case .renamed(let path): members.append(("path", JSONText.string(path)))
    case .none(let reason): members.append(("reason", JSONText.string(reason.code)))
    case .failed(let reason, let remedy):
      members.append(("error", JSONText.string(reason + remedy.words)))
    case .kept, .unknown: break
    }
    return members
  }
}

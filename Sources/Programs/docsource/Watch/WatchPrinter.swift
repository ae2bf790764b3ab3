import CommandLineInterface
import DocumentSource
import Glibc
import LinuxSystem
import TextFormats
import Watching

/// Prints what the watch reports: for people, for programs, or for the journal.
final class WatchPrinter {
  enum Style {
    /// Tagged files and failures; with `all`, other files too.
    case people(all: Bool)
    case json
    /// No single files: whoever reads the journal need not know what users write.
    case quiet
  }

  private let style: Style
  private let console: Console
  /// Standard error where the journal reads it, with what it takes for a line's priority.
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

  var report: WatchReport {
    let wantsFiles = if case .quiet = style { false } else { true }
    return WatchReport(wantsFiles: wantsFiles, tell: tell, flush: flush)
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

  /// Tells a person, who has no service's log to read, what is watched and how that ends.
  ///
  /// - Parameters:
  ///   - directories: none if those of all users are watched.
  ///   - seconds: when the watch ends by itself.
  func greet(_ directories: [FilePath], seconds: Int?, isDry: Bool) {
    if case .quiet = style { return }
    guard journal == nil, isatty(STDERR_FILENO) == 1 else { return }
    let names = directories.map { "\(EscapedText(word: Array($0.bytes)))" }
    let places =
      names.isEmpty
      ? "the directories of users who have turned watching on with 'docsource watch --enable'"
      : names.joined(separator: ", ")
    let end = seconds.map { " or wait \(CountText.of($0, "second"))" } ?? ""
    console.say(
      "watching \(places)\(isDry ? " without tagging files" : ""); press Ctrl-C\(end) to stop")
  }

  /// - Returns: `false` where standard output cannot be written to any more.
  private func flush() -> Bool {
    console.output.flush()
    return console.output.failure == nil
  }

  private func tell(_ item: WatchReport.Item) {
    switch item {
    case .file(let path, let writer, let outcome): tellOfFile(path, writer, outcome)
    case .overflow: writeJSON([("event", JSONText.string("overflow"))])
    case .overflows(let count):
      say(
        "events were lost because the queue was full; some files were not tagged"
          + " (\(CountText.of(count, "time")) so far)")
    case .missed(let count):
      writeJSON([("event", JSONText.string("missed")), ("files", "\(count)")])
      say(
        "\(CountText.of(count, "file")) without a source changed while events were lost",
        count == 0 ? .information : .warning)
    case .missedUncounted: say("missed files are no longer counted")
    case .flaw(let flaw): say("\(EscapedText(flaw.path.bytes)): \(EscapedText(flaw.reason))")
    case .metainfoFailure(let reason):
      say("no names from AppStream for applications without a desktop file: \(reason)")
    case .lost(let user, let workers, let files):
      let ended =
        workers == 0
        ? "" : "\(CountText.of(workers, "worker")) did not answer or failed, "
      say("user \(EscapedText(user)): \(ended)\(CountText.of(files, "file")) not examined")
    case .reloaded: say("configuration reloaded", .information)
    case .ended(let tally, let mode): say(Self.words(tally, mode), .information)
    }
  }

  private func writeJSON(_ members: [(key: String, value: String)]) {
    guard case .json = style else { return }
    console.output.writeLine(JSONText.object(members))
  }

  private func tellOfFile(_ path: [UInt8], _ writer: Int32, _ outcome: WatchOutcome) {
    switch style {
    case .json: writeJSON(Self.members(path, writer, outcome))
    case .people(let all): tellPeople(path, outcome, all)
    case .quiet:
      guard case .failed(let reason, let remedy) = outcome, reasons.count < Self.reasonLimit,
        reasons.insert(reason + remedy.words).inserted
      else { return }
      say("\(EscapedText(reason + remedy.words)); further failures of this kind are only counted")
    }
  }

  private func tellPeople(_ path: [UInt8], _ outcome: WatchOutcome, _ all: Bool) {
    let words: String
    switch outcome {
    case .tagged(let source): words = "tagged: \(SourceText.summary(source))"
    case .wouldTag(let source): words = "would tag: \(SourceText.summary(source))"
    case .renamed(let path): words = "renamed: \(path)"
    case .recorded(let url): words = "recorded: downloaded from \(EscapedText(quoting: url))"
    case .failed(let reason, let remedy):
      console.report(path[...], EscapedText(reason + remedy.words).description)
      return
    case .kept where all: words = "kept"
    case .none(let reason) where all: words = "no application: \(reason.words)"
    case .unknown where all: words = "unknown: the writer has exited"
    case .kept, .none, .unknown: return
    }
    console.output.writeLine("\(EscapedText(path)): \(EscapedText(words))")
  }

  private static func members(
    _ path: [UInt8], _ writer: Int32, _ outcome: WatchOutcome
  ) -> [(key: String, value: String)] {
    let event: String
    var members: [(key: String, value: String)] = []
    switch outcome {
    case .tagged(let source), .wouldTag(let source):
      if case .tagged = outcome { event = "tagged" } else { event = "would-tag" }
      members += ShowFormat.members(source, nil)
    case .renamed(let path):
      event = "renamed"
      members.append(("document", JSONText.string(path)))
    case .recorded(let url):
      event = "recorded"
      members.append(("originURL", JSONText.string(url)))
    case .none(let reason):
      event = "none"
      members.append(("reason", JSONText.string(reason.code)))
    case .failed(let reason, let remedy):
      event = "failed"
      members.append(("error", JSONText.string(reason + remedy.words)))
    case .kept: event = "kept"
    case .unknown: event = "unknown"
    }
    return [("event", JSONText.string(event))] + JSONText.path(path[...])
      + [("writer", "\(writer)")] + members
  }

  static func words(_ tally: WatchTally, _ mode: WatchLoop.Mode) -> String {
    "\(CountText.of(tally.tagged)) \(mode == .dryRun ? "would be tagged" : "tagged"), "
      + "\(CountText.of(tally.kept)) kept, \(CountText.of(tally.plain)) not from an application, "
      + (tally.filtered == 0 ? "" : "\(CountText.of(tally.filtered)) from excluded applications, ")
      + "\(CountText.of(tally.unknown)) from unknown programs, "
      + "\(CountText.of(tally.failed)) failed; "
      + (tally.overflows == 0
        ? "no events lost"
        : "the event queue overflowed \(CountText.of(tally.overflows, "time")) and events were lost")
      + (tally.missed == 0 ? "" : "; \(CountText.of(tally.missed)) missed")
      + (tally.dropped == 0 ? "" : "; \(CountText.of(tally.dropped)) dropped")
  }
}

extension NoApplication {
  /// In words that follow "no application: ".
  fileprivate var words: String {
    switch self {
    case .plain(.shell): "a shell"
    case .plain(.copier): "a copying program"
    case .plain(.tool): "a tool"
    case .plain(.compiler): "a compiler or similar tool"
    case .plain(.versionControl): "version control"
    case .plain(.service), .service: "a service"
    case .plain(.portal): "the document portal"
    case .terminal: "started in a terminal"
    case .fileManager: "a file manager"
    case .nothingKnown: "not identified"
    case .filtered: "an application that is not to be tagged"
    }
  }

  /// In one word, for programs.
  fileprivate var code: String {
    switch self {
    case .plain(.versionControl): "version-control"
    case .plain(let kind): kind.rawValue
    case .terminal: "terminal"
    case .fileManager: "file-manager"
    case .service: "service"
    case .nothingKnown: "nothing-known"
    case .filtered: "filtered"
    }
  }
}

import CommandLineInterface
import CompanionProtocol
import ForeignFormats
import LinuxSystem
import Synchronization
import TextFormats

/// What the user's browsers and desktop have recorded, read by `docsource-records` when the first file is
/// asked for.
final class RecordSearch: Sendable {
  static let noRecords = OptionDeclaration(
    "no-records", help: "ignore the downloads that browsers have recorded")

  private struct State {
    var records: (downloads: DownloadRecords, desktop: DesktopRecords)?
    /// What could not be read, and why.
    var failures: [(what: [UInt8], reason: String)] = []
  }

  private let isOfOneFile: Bool
  private let wantsDesktop: Bool
  private let state = Mutex(State())

  /// - Parameters:
  ///   - isOfOneFile: whether only one file is going to be asked for: the databases are searched for
  ///     that file then, instead of being read whole.
  ///   - wantsDesktop: whether the desktop's records are asked for.
  init(ofOneFile isOfOneFile: Bool, wantsDesktop: Bool = false) {
    self.isOfOneFile = isOfOneFile
    self.wantsDesktop = wantsDesktop
  }

  /// The download of a file; `nil` if none is recorded.
  @Sendable func download(of file: DownloadedFile) -> DownloadRecords.Found? {
    state.withLock { state in
      read(for: file, &state)
      return state.records?.downloads.record(of: file)
    }
  }

  /// What the desktop has recorded of a file.
  @Sendable func desktop(of file: DownloadedFile) -> [DesktopRecord] {
    state.withLock { state in
      read(for: file, &state)
      return state.records?.desktop.records(of: file) ?? []
    }
  }

  private func read(for file: DownloadedFile, _ state: inout State) {
    guard state.records == nil else { return }
    var (downloads, desktop): ([DownloadRecord], [DesktopRecord]) = ([], [])
    for answer in read(isOfOneFile ? file : nil, &state.failures) {
      switch answer {
      case .download(let record): downloads.append(record)
      case .desktop(let record): desktop.append(record)
      case .failed(let database, let reason, _): state.failures.append((database, reason))
      }
    }
    state.records = (DownloadRecords(downloads), DesktopRecords(desktop))
  }

  /// Whether docsource-records has been asked in vain.
  var isUnanswered: Bool {
    let records = Array(CompanionProgram.records.name.utf8)
    return state.withLock { $0.failures.contains { $0.what == records } }
  }

  /// Reports what could not be read.
  ///
  /// - Returns: `.failed` if there is something.
  @discardableResult
  func finish(_ console: Console) -> ExitStatus {
    let failures = state.withLock(\.failures)
    for failure in failures {
      console.fail(failure.what[...], "cannot read records: \(EscapedText(failure.reason))")
    }
    return failures.isEmpty ? .done : .failed
  }

  private func read(
    _ file: DownloadedFile?, _ failures: inout [(what: [UInt8], reason: String)]
  ) -> [RecordsProtocol.Answer] {
    let wanted = file.map { [$0] }
    do throws(ChildProcess.Failure) {
      return try RecordsProtocol.answers(for: wanted) { () throws(ChildProcess.Failure) in
        try CompanionProgram.records.answers(
          to: RecordsProtocol.question(wanted, wantsDesktop: wantsDesktop),
          within: RecordsProtocol.limit(for: wanted)
        ) { RecordsProtocol.answers($0) }
      }
    } catch {
      let reason = "\(error.description); --no-records leaves them out"
      failures.append((Array(CompanionProgram.records.name.utf8), reason))
      return []
    }
  }
}

/// A question that a companion gets before its answer is needed, so that it is answered meanwhile.
struct EarlyQuestion {
  private var asked: (message: [UInt8], program: ChildProcess)?

  /// Asks. If the companion cannot be started, that is reported when the answer is needed.
  mutating func ask(_ companion: CompanionProgram, _ message: CompanionMessage) {
    let bytes = message.bytes
    asked = (try? companion.start([], input: bytes)).map { (bytes, $0) }
  }

  /// The companion, if it has got this question.
  mutating func takeProgram(asked message: CompanionMessage) -> ChildProcess? {
    guard let asked, asked.message == message.bytes else { return nil }
    self.asked = nil
    return asked.program
  }
}

extension CompanionProgram {
  /// The answers to a question of which the program reads one, from standard input.
  ///
  /// - Parameters:
  ///   - asked: the program, if it has got that question already.
  ///   - limit: how long they are waited for, in milliseconds.
  ///   - read: understands what the program has written; `nil` if it has a different version.
  func answers<Answer>(
    to question: CompanionMessage, by asked: ChildProcess? = nil, within limit: Int,
    _ read: ([UInt8]) -> [Answer]?
  ) throws(ChildProcess.Failure) -> [Answer] {
    let program = if let asked { asked } else { try start([], input: question.bytes) }
    let outcome = try program.wait(milliseconds: limit, unless: -1)
    guard case .ended(let ending) = outcome else {
      throw ChildProcess.Failure(description: "no answer in \(limit) ms")
    }
    guard ending.status == .done, let answers = read(ending.output) else {
      let words = ending.errors.split(separator: UInt8(ascii: "\n")).last.map {
        String(decoding: $0, as: UTF8.self)
      }
      throw ChildProcess.Failure(description: words ?? "a different version is installed")
    }
    return answers
  }
}

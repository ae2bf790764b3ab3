import CommandLineInterface
import CompanionProtocol
import ForeignFormats
import LinuxSystem
import Synchronization
import TextFormats

/// The downloads that the user's browsers have recorded, read by `docsource-records` when the first
/// file is asked for.
final class DownloadSearch: Sendable {
  static let noRecords = OptionDeclaration(
    "no-records", help: "ignore the downloads that browsers have recorded")

  private struct State {
    var records: DownloadRecords?
    /// What could not be read, and why.
    var failures: [(what: [UInt8], reason: String)] = []
  }

  private let isOfOneFile: Bool
  private let state = Mutex(State())

  /// - Parameter isOfOneFile: whether only one file is going to be asked for: the databases are
  ///   searched for that file then, instead of being read whole.
  init(ofOneFile isOfOneFile: Bool) { self.isOfOneFile = isOfOneFile }

  /// The download of a file; `nil` if none is recorded.
  @Sendable func record(
    of file: DownloadedFile
  ) -> DownloadRecords.Found? {
    state.withLock { state in
      if state.records == nil {
        state.records = DownloadRecords(read(isOfOneFile ? file : nil, &state.failures))
      }
      return state.records?.record(of: file)
    }
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
      console.fail(failure.what[...], "cannot read downloads: \(EscapedText(failure.reason))")
    }
    return failures.isEmpty ? .done : .failed
  }

  private func read(
    _ file: DownloadedFile?, _ failures: inout [(what: [UInt8], reason: String)]
  ) -> [DownloadRecord] {
    let wanted = file.map { [$0] }
    let answers: [RecordsProtocol.Answer]
    do throws(ChildProcess.Failure) {
      answers = try RecordsProtocol.answers(for: wanted) { () throws(ChildProcess.Failure) in
        try CompanionProgram.records.answers(
          to: RecordsProtocol.question(wanted), within: RecordsProtocol.limit(for: wanted)
        ) { RecordsProtocol.answers($0) }
      }
    } catch {
      let reason = "\(error.description); --no-records leaves them out"
      failures.append((Array(CompanionProgram.records.name.utf8), reason))
      return []
    }
    return answers.compactMap { answer in
      switch answer {
      case .download(let record): return record
      case .failed(let database, let reason, _):
        failures.append((database, reason))
        return nil
      }
    }
  }
}

extension CompanionProgram {
  /// The answers to a question of which the program reads one, from standard input.
  ///
  /// - Parameters:
  ///   - limit: how long they are waited for, in milliseconds.
  ///   - read: understands what the program has written; `nil` if it has a different version.
  func answers<Answer>(
    to question: CompanionMessage, within limit: Int, _ read: ([UInt8]) -> [Answer]?
  ) throws(ChildProcess.Failure) -> [Answer] {
    let outcome = try start([], input: question.bytes).wait(milliseconds: limit, unless: -1)
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

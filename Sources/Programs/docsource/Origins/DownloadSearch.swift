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
    /// Whether docsource-records has not answered.
    var isUnanswered = false
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
        state.records = DownloadRecords(read(isOfOneFile ? file : nil, &state))
      }
      return state.records?.record(of: file)
    }
  }

  /// Whether docsource-records has been asked in vain.
  var isUnanswered: Bool { state.withLock(\.isUnanswered) }

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
    _ file: DownloadedFile?, _ state: inout State
  ) -> [DownloadRecord] {
    let wanted = file.map { [$0] }
    let answers: [RecordsProtocol.Answer]
    do throws(ChildProcess.Failure) {
      answers = try RecordsProtocol.answers(for: wanted) { () throws(ChildProcess.Failure) in
        try Self.ask(wanted)
      }
    } catch {
      let reason = "\(error.description); --no-records leaves them out"
      state.failures.append((Array(CompanionProgram.records.name.utf8), reason))
      state.isUnanswered = true
      return []
    }
    return answers.compactMap { answer in
      switch answer {
      case .download(let record): return record
      case .failed(let database, let reason, _):
        state.failures.append((database, reason))
        return nil
      }
    }
  }

  private static func ask(
    _ wanted: [DownloadedFile]?
  ) throws(ChildProcess.Failure) -> [RecordsProtocol.Answer] {
    let limit = RecordsProtocol.limit(for: wanted)
    let outcome = try CompanionProgram.records.start(
      [], input: RecordsProtocol.question(wanted).bytes
    ).wait(milliseconds: limit, unless: -1)
    guard case .ended(let ending) = outcome else {
      throw ChildProcess.Failure(description: "no answer in \(limit) ms")
    }
    guard ending.status == .done, let answers = RecordsProtocol.answers(ending.output) else {
      let words = ending.errors.split(separator: UInt8(ascii: "\n")).last.map {
        String(decoding: $0, as: UTF8.self)
      }
      throw ChildProcess.Failure(description: words ?? "a different version is installed")
    }
    return answers
  }
}

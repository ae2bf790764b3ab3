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
  ) -> (record: DownloadRecord, match: DownloadRecord.Match)? {
    state.withLock { state in
      if state.records == nil {
        state.records = DownloadRecords(read(isOfOneFile ? file : nil, &state.failures))
      }
      return state.records?.record(of: file)
    }
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
    let name = Array(CompanionProgram.records.name.utf8)
    let outcome: ChildProcess.Outcome
    do throws(ChildProcess.Failure) {
      outcome = try CompanionProgram.records.start(
        [], input: RecordsProtocol.question(file.map { [$0] }).bytes
      ).wait(milliseconds: RecordsProtocol.milliseconds + RecordsProtocol.grace, unless: -1)
    } catch {
      failures.append((name, error.description))
      return []
    }
    guard case .ended(let ending) = outcome else {
      failures.append((name, "no answer in \(RecordsProtocol.milliseconds) ms"))
      return []
    }
    guard ending.status == .done, let answers = RecordsProtocol.answers(ending.output) else {
      let words = String(decoding: ending.errors, as: UTF8.self)
      failures.append((name, words.isEmpty ? "a different version is installed" : words))
      return []
    }
    return answers.compactMap { answer in
      switch answer {
      case .download(let record): return record
      case .failed(let database, let reason):
        failures.append((database, reason))
        return nil
      }
    }
  }
}

import CommandLineInterface
import CompanionProtocol
import ForeignFormats
import Glibc
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
    let wanted = file.map { [$0] }
    let end = Clock.milliseconds + RecordsProtocol.milliseconds(for: wanted)
    var answers: [RecordsProtocol.Answer] = []
    // The files are opened anew each time: what a browser makes meanwhile counts, too.
    for attempt in 1...RecordsProtocol.attempts {
      do throws(ChildProcess.Failure) {
        answers = try Self.ask(wanted)
      } catch {
        let reason = "\(error.description); --no-records leaves them out"
        failures.append((Array(CompanionProgram.records.name.utf8), reason))
        return []
      }
      let isMomentary = answers.contains { answer in
        if case .failed(_, _, isMomentary: true) = answer { true } else { false }
      }
      guard isMomentary, attempt < RecordsProtocol.attempts, Clock.milliseconds < end else { break }
      usleep(UInt32(RecordsProtocol.pause) * 1000)
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

  private static func ask(
    _ wanted: [DownloadedFile]?
  ) throws(ChildProcess.Failure) -> [RecordsProtocol.Answer] {
    let limit = RecordsProtocol.milliseconds(for: wanted) + RecordsProtocol.grace
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

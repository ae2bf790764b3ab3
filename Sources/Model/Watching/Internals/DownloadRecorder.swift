internal import CompanionProtocol
internal import DocumentSource
internal import FileTree
internal import ForeignFormats
internal import Glibc
internal import LinuxSystem
internal import Provenance
internal import Xattr

/// Gives downloads that were tagged the addresses that browsers have recorded of them.
///
/// Nothing is waited for here: the program that reads the browsers' databases is asked for its end.
final class DownloadRecorder {
  /// When the record is looked for after a file was tagged, in milliseconds: browsers may write it some
  /// time after the file.
  private static let delays = [2000, 10_000, 60_000]
  /// How many files wait at most; more are passed over.
  private static let limit = 1024
  /// How often is asked whether the program has ended, in milliseconds.
  private static let interval = 20

  private struct Waiting {
    let path: FilePath
    let writer: Int32
    var due: Int
    var attempt = 0
  }

  private struct Reading {
    let answer: WatchWorker.DownloadAnswer
    let files: [(one: Waiting, file: DownloadedFile, identity: FileIdentity)]
    let deadline: Int
  }

  private let account: UserAccount
  private let start: WatchWorker.DownloadReader
  private var waiting: [Waiting] = []
  private var reading: Reading?

  init(of account: UserAccount, _ start: @escaping WatchWorker.DownloadReader) {
    self.account = account
    self.start = start
  }

  /// When there is something to do, in milliseconds; `nil` if nothing waits.
  var nextTurn: Int? {
    reading != nil ? Clock.milliseconds + Self.interval : waiting.map(\.due).min()
  }

  /// Notes a file that a browser has written, by its name when it is complete.
  func note(_ path: [UInt8], _ writer: Int32) {
    guard waiting.count < Self.limit, let path = FilePath(bytes: path) else { return }
    waiting.removeAll { $0.path == path }
    waiting.append(
      Waiting(path: path, writer: writer, due: Clock.milliseconds + Self.delays[0]))
  }

  /// Does what is due.
  ///
  /// - Parameters:
  ///   - isBrowser: whether an identifier is that of a browser.
  ///   - tell: gets each file that has its address now.
  func lookAgain(
    isBrowser: (String) -> Bool,
    _ tell: (_ path: FilePath, _ writer: Int32, _ url: String) -> Void
  ) {
    if let reading {
      var records: DownloadRecords?
      do {
        let output = try reading.answer(Clock.milliseconds >= reading.deadline)
        guard let output else { return }
        records = DownloadRecords(
          (RecordsProtocol.answers(output) ?? []).compactMap { answer in
            if case .download(let record) = answer { record } else { nil }
          })
      } catch {}
      self.reading = nil
      for (one, file, identity) in reading.files {
        if let records, write(records, to: one, file, identity, tell) { continue }
        wait(again: one)
      }
    }
    begin(isBrowser)
  }

  private func wait(again one: Waiting) {
    var one = one
    one.attempt += 1
    guard one.attempt < Self.delays.count else { return }
    one.due = Clock.milliseconds + Self.delays[one.attempt]
    waiting.append(one)
  }

  private func begin(_ isBrowser: (String) -> Bool) {
    let now = Clock.milliseconds
    guard reading == nil, waiting.contains(where: { $0.due <= now }) else { return }
    let due = waiting.filter { $0.due <= now }.prefix(RecordsProtocol.fileLimit)
    waiting.removeAll { one in due.contains { $0.path == one.path } }
    let files = due.compactMap { one in
      held(one.path).flatMap { held -> (Waiting, DownloadedFile, FileIdentity)? in
        guard Self.isOfBrowser(held, isBrowser) else { return nil }
        let status = held.status
        let file = DownloadedFile(
          path: Array(one.path.bytes), size: Int64(status.st_size),
          modified: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
        return (one, file, Self.identity(held))
      }
    }
    guard !files.isEmpty else { return }
    let wanted = files.map(\.1)
    do {
      let answer = try start(RecordsProtocol.question(wanted).bytes, account.home)
      reading = Reading(
        answer: answer, files: files, deadline: now + RecordsProtocol.limit(for: wanted))
    } catch {
      for (one, _, _) in files { wait(again: one) }
    }
  }

  /// A regular file of the user, held open; `nil` for anything else.
  private func held(_ path: FilePath) -> LinuxSystem.HeldFile? {
    guard let held = try? FileReference.path(path, links: .noFollow).held(),
      held.status.st_mode & S_IFMT == S_IFREG, held.status.st_uid == account.user
    else { return nil }
    return held
  }

  private static func identity(_ file: LinuxSystem.HeldFile) -> FileIdentity {
    FileIdentity(device: UInt64(file.status.st_dev), inode: UInt64(file.status.st_ino))
  }

  /// Whether a browser has written a file, by the source that this watch has given it.
  private static func isOfBrowser(
    _ file: LinuxSystem.HeldFile, _ isBrowser: (String) -> Bool
  ) -> Bool {
    guard
      case .source(let source, _)? =
        try? DocumentSourceAttribute(of: .held(file)).read().content
    else { return false }
    return source.identifier.map(isBrowser) ?? false
  }

  /// Writes the address of a file, if there is a record of its path and the file has none.
  ///
  /// - Returns: whether no more is to be done: the file has an address, or is another one now.
  private func write(
    _ records: DownloadRecords, to one: Waiting, _ file: DownloadedFile,
    _ identity: FileIdentity,
    _ tell: (_ path: FilePath, _ writer: Int32, _ url: String) -> Void
  ) -> Bool {
    guard let held = held(one.path), Self.identity(held) == identity else { return true }
    guard let (record, match) = records.record(of: file), match == .path else { return false }
    // By what was asked for, wherever directories on the way lead now.
    let reader = ProvenanceReader(download: { $0 == file ? (record, match) : nil })
    guard let report = try? reader.report(on: .held(held)) else { return false }
    guard let url = report.inferredURL else { return report.host != nil }
    guard case .written = MarkEmitter().emit(origin: url, of: .held(held)).outcome else {
      return true
    }
    tell(one.path, one.writer, url)
    return true
  }
}

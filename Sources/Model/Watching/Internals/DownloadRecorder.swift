internal import CompanionProtocol
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
    var path: FilePath
    let writer: Int32
    var due: Int
    var attempt = 0
  }

  private struct Reading {
    let answer: WatchWorker.DownloadAnswer
    let files: [Waiting]
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
  /// - Parameter tell: gets each file that has its address now.
  func lookAgain(_ tell: (_ path: FilePath, _ writer: Int32, _ url: String) -> Void) {
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
      for one in reading.files {
        if let records, let isDone = write(records, to: one, tell), isDone { continue }
        wait(again: one)
      }
    }
    begin()
  }

  private func wait(again one: Waiting) {
    var one = one
    one.attempt += 1
    guard one.attempt < Self.delays.count else { return }
    one.due = Clock.milliseconds + Self.delays[one.attempt]
    waiting.append(one)
  }

  private func begin() {
    let now = Clock.milliseconds
    guard reading == nil, waiting.contains(where: { $0.due <= now }) else { return }
    var files: [Waiting] = []
    var wanted: [DownloadedFile] = []
    for one in waiting where one.due <= now && files.count < RecordsProtocol.fileLimit {
      files.append(one)
      if let file = Self.file(one.path, of: account) { wanted.append(file) }
    }
    waiting.removeAll { one in files.contains { $0.path == one.path } }
    guard !wanted.isEmpty else { return }
    do {
      let answer = try start(RecordsProtocol.question(wanted).bytes, account.home)
      let limit = RecordsProtocol.milliseconds + RecordsProtocol.grace
      reading = Reading(answer: answer, files: files, deadline: now + limit)
    } catch {
      for one in files { wait(again: one) }
    }
  }

  /// A regular file of the user; `nil` for anything else.
  private static func file(_ path: FilePath, of account: UserAccount) -> DownloadedFile? {
    guard let file = try? Descriptor.open(path, followsLink: false) else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == account.user
    else { return nil }
    return DownloadedFile(
      path: Array(path.bytes), size: Int64(status.st_size),
      modified: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9)
  }

  /// Writes the address of a file, if there is a record and the file has none.
  ///
  /// - Returns: whether the file has an address; `nil` if that cannot be known.
  private func write(
    _ records: DownloadRecords, to one: Waiting,
    _ tell: (_ path: FilePath, _ writer: Int32, _ url: String) -> Void
  ) -> Bool? {
    let file = FileReference.path(one.path, links: .noFollow)
    guard let held = try? file.held() else { return nil }
    let reader = ProvenanceReader(download: { records.record(of: $0) })
    guard let report = try? reader.report(on: .held(held)) else { return nil }
    guard let url = report.inferredURL else { return report.host != nil }
    guard case .written = MarkEmitter().emit(origin: url, of: .held(held)).outcome else {
      return true
    }
    tell(one.path, one.writer, url)
    return true
  }
}

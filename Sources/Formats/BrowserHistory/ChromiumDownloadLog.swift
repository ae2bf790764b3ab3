internal import CSQLite
internal import DatabaseSnapshot
internal import ForeignFormats
internal import Glibc
internal import LinuxSystem

/// A file of LevelDB in `shared_proto_db` of Chromium and its kin, which the reader does not open by itself.
package struct DownloadLog {
  package enum Kind {
    case log
    /// Where the content of a log that is full goes.
    case table
  }

  package let path: [UInt8]
  package let file: CInt
  package let kind: Kind

  package init(path: [UInt8], file: CInt, kind: Kind = .log) {
    self.path = path
    self.file = file
    self.kind = kind
  }
}

/// The downloads in `shared_proto_db` of Chromium and its kin, a database of LevelDB in which they note
/// downloads until they start the next time.
///
/// A download is noted when it begins, when it has its name, and in less than half a second after its
/// end, while `History` has it some ten seconds later. Of private windows it has none. The messages are
/// in components/download/database/proto/download_entry.proto of Chromium.
enum ChromiumDownloadLog {
  /// More than LevelDB lets a log have before it begins another one: 512 KiB as Chromium 156 asks for
  /// it, 4 MiB by itself.
  static let limit = 16 << 20
  /// `DOWNLOAD_DB` of ProtoDbType, and the name of DownloadNamespace; what follows names a download.
  private static let prefix = Array("21_download,".utf8)

  /// Finds the downloads that are finished, the last ones first.
  ///
  /// - Parameters:
  ///   - logs: tables, and logs in the order in which they were begun.
  ///   - deadline: when reading is given up, in milliseconds of `Clock`.
  static func downloads(
    _ logs: [DownloadLog], browser: String, deadline: Int
  ) throws(DatabaseFailure) -> [DownloadRecord] {
    var last: [ArraySlice<UInt8>: (log: DownloadLog, change: LevelDBChange)] = [:]
    for log in logs {
      func take(_ change: LevelDBChange) {
        guard change.key.starts(with: prefix),
          change.sequence >= last[change.key]?.change.sequence ?? 0
        else { return }
        last[change.key] = (log, change)
      }
      let content = try content(of: log.file)
      switch log.kind {
      case .log: try LevelDBLog.read(content, deadline: deadline, take)
      case .table: try LevelDBTable.read(content, prefix: prefix, deadline: deadline, take)
      }
    }
    return last.values.compactMap { log, change in
      change.value.flatMap { DownloadEntry($0) }?.record(browser: browser, database: log.path)
    }
    .sorted { $0.end ?? 0 > $1.end ?? 0 }
  }

  /// What a log has; of one that is too long, the end.
  private static func content(of log: CInt) throws(DatabaseFailure) -> [UInt8] {
    do throws(Errno) {
      return try read(log)
    } catch {
      throw DatabaseFailure("the log of downloads: \(error)")
    }
  }

  private static func read(_ log: CInt) throws(Errno) -> [UInt8] {
    var status = stat()
    _ = try Descriptor.retrying { unsafe Int(csqlite_status(log, &status)) }
    let size = Int(status.st_size)
    // The blocks count from the beginning.
    let start = max(0, size - limit + LevelDBLog.block - 1) / LevelDBLog.block * LevelDBLog.block
    var outcome = Result<Void, Errno>.success(())
    let content = unsafe [UInt8](unsafeUninitializedCapacity: size - start) { buffer, count in
      do throws(Errno) {
        while count < buffer.count {
          let place = unsafe buffer.baseAddress.map { unsafe $0 + count }
          let room = buffer.count - count
          let read = try Descriptor.retrying {
            unsafe pread(log, place, room, off_t(start + count))
          }
          if read == 0 { return }
          count += read
        }
      } catch {
        outcome = .failure(error)
      }
    }
    try outcome.get()
    return content
  }
}

/// What Chromium notes of a download: `DownloadDBEntry`, as far as it is needed.
private struct DownloadEntry {
  private static let complete: UInt64 = 1

  private var chain = URLChain()
  private var referrer: String?
  private var tab: String?
  private var size: Int64?
  private var path: [UInt8]?
  /// In milliseconds since 1601-01-01T00:00:00Z.
  private var end: Int64?
  private var state: UInt64 = 0

  /// - Returns: `nil` if the message is damaged.
  init?(_ entry: ArraySlice<UInt8>) {
    // `download_info` of the entry, `in_progress_info` of that.
    guard let info = Self.message(1, of: entry), let progress = Self.message(4, of: info) else {
      return nil
    }
    var fields = MessageFields(progress)
    while let (field, value) = fields.next() {
      switch (field, value) {
      case (1, .bytes(let url)): chain.append(Self.text(url))
      case (2, .bytes(let url)): referrer = Self.text(url)
      case (4, .bytes(let url)): tab = Self.text(url)
      case (10, .number(let number)): size = Int64(bitPattern: number)
      case (14, .bytes(let pickle)): path = Self.path(pickle)
      case (17, .number(let number)): end = Int64(bitPattern: number)
      case (21, .number(let number)): state = number
      default: break
      }
    }
    if fields.isDamaged { return nil }
  }

  /// - Returns: `nil` if the download is not finished.
  func record(browser: String, database: [UInt8]) -> DownloadRecord? {
    guard state == Self.complete, let path else { return nil }
    return DownloadRecord(
      browser: browser, database: database, path: path, firstURL: chain.first, url: chain.last,
      page: chain.page(tab: tab, referrer: referrer),
      end: end.flatMap { $0 > 0 ? (Double($0) + ChromiumDownloads.epoch * 1e3) / 1e3 : nil },
      size: size)
  }

  /// The last field of a number, which is a message.
  private static func message(_ number: UInt64, of message: ArraySlice<UInt8>) -> ArraySlice<UInt8>?
  {
    var found: ArraySlice<UInt8>?
    var fields = MessageFields(message)
    while let (field, value) = fields.next() {
      if field == number, case .bytes(let bytes) = value { found = bytes }
    }
    return fields.isDamaged ? nil : found
  }

  /// A text as one of `History`, with the same limit.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    guard 1...DatabaseSnapshot.Row.limit ~= bytes.count else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The bytes of a path in a pickle (base/pickle.h): after the size of it, their count, in four bytes
  /// each, the low ones first.
  private static func path(_ pickle: ArraySlice<UInt8>) -> [UInt8]? {
    let content = pickle.dropFirst(8)
    let count = pickle.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard 1...DatabaseSnapshot.Row.limit ~= count, count <= content.count else { return nil }
    return Array(content.prefix(count))
  }
}

import ForeignFormats
import LinuxSystem

@testable import BrowserHistory

/// A log as LevelDB writes it, and what Chromium has in one.
struct WrittenLog {
  private(set) var bytes: [UInt8] = []
  /// The number of the first change of the next batch.
  var sequence: UInt64 = 0

  mutating func append(_ changes: (key: String, value: [UInt8]?)...) {
    var batch = (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (8 * $0)) }
    batch += [UInt8(changes.count), 0, 0, 0]
    for (key, value) in changes {
      batch += [value == nil ? 0 : 1] + Self.counted(Array(key.utf8))
      if let value { batch += Self.counted(value) }
    }
    append(batch: batch)
  }

  /// Adds a batch, in as many records as it takes.
  mutating func append(batch: [UInt8]) {
    var rest = batch[...]
    var isFirst = true
    repeat {
      let room = 32_768 - bytes.count % 32_768
      if room < 7 {
        bytes += [UInt8](repeating: 0, count: room)
        continue
      }
      let content = rest.prefix(room - 7)
      rest = rest.dropFirst(content.count)
      let kind: UInt8 = isFirst ? (rest.isEmpty ? 1 : 2) : (rest.isEmpty ? 4 : 3)
      let checksum = CRC32C.masked(of: ([kind] + content)[...])
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
      bytes += [UInt8(content.count & 0xFF), UInt8(content.count >> 8), kind] + content
      isFirst = false
    } while !rest.isEmpty
  }

  /// Adds a download of four bytes.
  mutating func record(
    _ path: String, url: String = "https://files.example.com/a", end: Double = 1000,
    state: UInt64 = 1, name: String? = nil, more: [UInt8] = []
  ) {
    append(
      (
        "21_download,\(name ?? path)",
        Self.entry(path, chain: [url], end: end, state: state, more: more)
      ))
  }

  static func varint(_ number: UInt64) -> [UInt8] {
    number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
  }

  static func counted(_ bytes: [UInt8]) -> [UInt8] { varint(UInt64(bytes.count)) + bytes }

  static func field(_ number: UInt64, _ value: UInt64) -> [UInt8] {
    varint(number << 3) + varint(value)
  }

  static func field(_ number: UInt64, _ value: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + counted(value)
  }

  static func field(_ number: UInt64, _ value: String) -> [UInt8] {
    field(number, Array(value.utf8))
  }

  /// `DownloadDBEntry` of Chromium.
  static func entry(
    _ path: String, chain: [String], tab: String = "https://example.com/page",
    referrer: String = "",
    size: UInt64 = 4, end: Double, state: UInt64 = 1, more: [UInt8] = []
  ) -> [UInt8] {
    let path = Array(path.utf8)
    func word(_ count: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }
    var progress = chain.flatMap { field(1, $0) } + field(2, referrer) + field(4, tab)
    progress += field(10, size) + field(14, word(path.count + 4) + word(path.count) + path)
    progress += field(17, UInt64((end + 11_644_473_600) * 1000)) + field(21, state) + more
    return field(1, field(1, "name") + field(2, 7) + field(4, progress))
  }
}

extension WrittenLog {
  /// The downloads of logs, whose paths are their numbers.
  static func downloads(
    _ logs: [UInt8]..., tables: [[UInt8]] = [], deadline: Int = .max
  ) throws -> [DownloadRecord] {
    let files = try (tables + logs).map { try MemoryFile($0) }
    return try withExtendedLifetime(files) {
      try ChromiumDownloadLog.downloads(
        files.enumerated().map { number, file in
          DownloadLog(
            path: Array("\(number)".utf8), file: file.descriptor,
            kind: number < tables.count ? .table : .log)
        }, browser: "Chromium", deadline: deadline)
    }
  }
}

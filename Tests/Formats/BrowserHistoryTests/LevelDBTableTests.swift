import DatabaseSnapshot
import ForeignFormats
import LinuxSystem
import TestSupport
import Testing

@testable import BrowserHistory

/// What is found in the tables into which LevelDB moves what a log has.
@Suite struct LevelDBTableTests {
  private static let key = "21_download,8bd87dc4-b32d-48f1-8893-ed3db3402137"

  /// A table with a block for each entry, whose key in the index is that of the entry.
  private static func table(
    _ entries: (key: String, value: [UInt8], kind: UInt8)..., compression: UInt8 = 0
  ) -> [UInt8] {
    func handle(_ start: Int, _ count: Int) -> [UInt8] {
      WrittenLog.varint(UInt64(start)) + WrittenLog.varint(UInt64(count))
    }
    func block(_ key: [UInt8], _ value: [UInt8]) -> [UInt8] {
      [0] + WrittenLog.varint(UInt64(key.count)) + WrittenLog.varint(UInt64(value.count)) + key
        + value
    }
    var bytes: [UInt8] = []
    func append(_ content: [UInt8], _ compression: UInt8 = 0) -> [UInt8] {
      let start = bytes.count
      bytes += content + [0, 0, 0, 0, 1, 0, 0, 0, compression]
      let checksum = CRC32C.masked(of: bytes[start...])
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
      return handle(start, content.count + 8)
    }
    var index: [UInt8] = []
    for entry in entries {
      let key = Array(entry.key.utf8) + [entry.kind, 5, 0, 0, 0, 0, 0, 0]
      index += block(key, append(block(key, entry.value), compression))
    }
    let footer = handle(0, 0) + append(index)
    return bytes + footer + [UInt8](repeating: 0, count: 40 - footer.count)
      + [0x57, 0xFB, 0x80, 0x8B, 0x24, 0x75, 0x47, 0xDB]
  }

  private static func entry(_ path: String) -> [UInt8] {
    WrittenLog.entry(path, chain: ["https://files.example.com/a"], end: 1000)
  }

  private static func paths(_ tables: [UInt8]..., log: WrittenLog = WrittenLog()) throws -> [String]
  {
    try WrittenLog.downloads(log.bytes, tables: tables).map {
      String(decoding: $0.path, as: UTF8.self)
    }.sorted()
  }

  @Test func tableOfChromiumIsRead() throws {
    let site = "https://127.0.0.1:39343"
    #expect(
      try WrittenLog.downloads(tables: [Fixture.bytes("DownloadLog/chromium.ldb")]) == [
        DownloadRecord(
          browser: "Chromium", database: Array("0".utf8),
          path: Array("/tmp/chrom/rot/home/Downloads/second.bin".utf8),
          firstURL: "\(site)/files/second.bin", url: "\(site)/files/second.bin",
          page: "\(site)/page/second", end: 1_795_864_246.202, size: 40_000)
      ])
  }

  /// Numbers of changes decide, not the order of files.
  @Test func lastChangeCounts() throws {
    let table = try Fixture.bytes("DownloadLog/chromium.ldb")
    for (number, count) in [(0, 1), (11_109, 1), (11_110, 0), (11_111, 0)] {
      var log = WrittenLog()
      log.sequence = UInt64(number)
      log.append((Self.key, nil))
      #expect(try Self.paths(table, log: log).count == count, "\(number)")
    }
    // The second change of a batch has the next number.
    var log = WrittenLog()
    log.sequence = 11_109
    log.append(("3_x", nil), (Self.key, nil))
    #expect(try Self.paths(table, log: log) == [])
  }

  @Test func blocksOfOtherKeysAreNotRead() throws {
    #expect(
      try Self.paths(
        Self.table(
          ("20_x", Self.entry("/a"), 1), ("21_download,1", Self.entry("/b"), 1),
          ("21_download,1", Self.entry("/b"), 2),
          ("21_download,2", Self.entry("/c"), 0), ("21_download,3", Self.entry("/d"), 2),
          ("21_download,4", Self.entry("/e"), 1),
          ("21_download," + String(repeating: "x", count: 1100), Self.entry("/f"), 1),
          ("21_x", Self.entry("/g"), 1), ("21_download,5", Self.entry("/h"), 1)))
        == ["/b", "/e"])
  }

  @Test func onlyTablesAreRead() throws {
    let table = Self.table(("21_download,1", Self.entry("/a"), 1))
    #expect(try Self.paths(table) == ["/a"])
    #expect(
      try Self.paths(Self.table(("21_download,1", Self.entry("/a"), 1), compression: 2)) == [])
    #expect(try Self.paths(table + [0]) == [])
    #expect(try Self.paths(table.dropLast() + [0]) == [])
    #expect(try Self.paths(Array(table.dropFirst())) == [])
    #expect(try Self.paths([], Array(table.suffix(47)), Array(table.suffix(48))) == [])
    #expect(throws: DatabaseFailure("reading took too long")) {
      try WrittenLog.downloads(tables: [table], deadline: Clock.milliseconds)
    }
  }

  @Test func damagedBlockIsPassedOver() throws {
    let table = Self.table(
      ("21_download,1", Self.entry("/a"), 1), ("21_download,2", Self.entry("/b"), 1))
    for place in [0, 30, 100] {
      var bytes = table
      bytes[place] ^= 1
      #expect(try Self.paths(bytes) == ["/b"])
    }
  }

  /// A crash would end the tests.
  @Test func changedBytesDoNoHarm() throws {
    let original = try Fixture.bytes("DownloadLog/chromium.ldb")
    for place in stride(from: 0, to: original.count, by: 11) {
      var bytes = original
      bytes[place] ^= UInt8(1 << (place % 8))
      #expect(try Self.paths(bytes).count <= 1)
      _ = Snappy.decompress(bytes[..<2924])
    }
    for place in original.count - 48..<original.count {
      var bytes = original
      bytes[place] = 0xFF
      #expect(try Self.paths(bytes).count <= 1)
    }
  }

  @Test(
    arguments: [
      ([0], ""), ([3, 2 << 2, 97, 98, 99], "abc"), ([3, 60 << 2, 2, 97, 98, 99], "abc"),
      ([3, 61 << 2, 2, 0, 97, 98, 99], "abc"), ([3, 63 << 2, 2, 0, 0, 0, 97, 98, 99], "abc"),
      // Copies with offsets of one byte and three bits, two and four bytes, which may overlap.
      ([7, 1 << 2, 97, 98, 1 << 2 | 1, 2], "abababa"),
      ([6, 1 << 2, 97, 98, 3 << 2 | 2, 2, 0], "ababab"),
      ([6, 1 << 2, 97, 98, 3 << 2 | 3, 1, 0, 0, 0], "abbbbb"),
      // No size, too few or too many bytes, copies of what is not there.
      ([], nil), ([3, 2 << 2, 97, 98], nil), ([4, 2 << 2, 97, 98, 99], nil),
      ([2, 2 << 2, 97, 98, 99], nil), ([6, 1 << 2, 97, 98, 3 << 2 | 2, 3, 0], nil),
      ([6, 1 << 2, 97, 98, 3 << 2 | 2, 0, 0], nil), ([5, 1 << 2, 97, 98, 3 << 2 | 2, 2, 0], nil),
      ([6, 1 << 2, 97, 98, 3 << 2 | 2, 2], nil), ([6, 1 << 2, 97, 98, 1 << 5 | 1, 2], nil),
      ([3, 63 << 2, 255, 255, 255, 255, 97], nil), ([3, 60 << 2], nil),
    ] as [([UInt8], String?)])
  func snappyIsDecompressed(_ bytes: [UInt8], _ text: String?) {
    #expect(Snappy.decompress(bytes[...]) == text.map { Array($0.utf8) })
  }

  @Test func decompressedBlocksHaveALimit() {
    func zeros(_ count: Int) -> [UInt8] {
      var bytes = WrittenLog.varint(UInt64(count)) + [0, 0]
      var rest = count - 1
      while rest > 0 {
        let part = min(rest, 64)
        bytes += [UInt8(part - 1) << 2 | 2, 1, 0]
        rest -= part
      }
      return bytes
    }
    #expect(Snappy.decompress(zeros(Snappy.limit)[...])?.count == Snappy.limit)
    #expect(Snappy.decompress(zeros(Snappy.limit + 1)[...]) == nil)
  }
}

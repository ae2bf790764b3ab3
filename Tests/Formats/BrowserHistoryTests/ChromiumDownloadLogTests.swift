import DatabaseSnapshot
import ForeignFormats
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import BrowserHistory

/// What is found in the logs in which Chromium notes downloads before `History` has them.
@Suite struct ChromiumDownloadLogTests {
  private static func record(
    _ path: String, firstURL: String? = nil, url: String = "https://files.example.com/a",
    page: String = "https://example.com/page", end: Double = 1000, size: Int64 = 4,
    log: String = "0"
  ) -> DownloadRecord {
    DownloadRecord(
      browser: "Chromium", database: Array(log.utf8), path: Array(path.utf8),
      firstURL: firstURL ?? url, url: url, page: page, end: end, size: size)
  }

  /// Of its five downloads, one was removed when `History` had it, and one has not ended.
  @Test func finishedDownloadsOfChromiumAreFound() throws {
    let site = "https://127.0.0.1:35887"
    #expect(
      try WrittenLog.downloads(Fixture.bytes("DownloadLog/chromium.log")) == [
        Self.record(
          "/home/anna/Downloads/made.bin",
          url: "blob:\(site)/ef5b4690-9328-424c-943b-c879e0d4675b", page: "\(site)/page/blob",
          end: 1_795_862_877.051, size: 40_000),
        Self.record(
          "/home/anna/Downloads/Über uns.bin", url: "\(site)/attached",
          page: "\(site)/page/attached", end: 1_795_862_876.327, size: 40_000),
        Self.record(
          "/home/anna/Downloads/moved.bin", firstURL: "\(site)/go", url: "\(site)/files/moved.bin",
          page: "\(site)/page/go", end: 1_795_862_875.469, size: 40_000),
      ])
  }

  /// The record of the last download that has ended is in the bytes from 28,223 to 28,702.
  @Test(arguments: [(28_222, 2), (28_223, 2), (28_230, 2), (28_701, 2), (28_702, 3), (29_000, 3)])
  func recordThatIsBeingWrittenIsNotRead(_ length: Int, _ count: Int) throws {
    let log = try Fixture.bytes("DownloadLog/chromium.log").prefix(length)
    #expect(try WrittenLog.downloads(Array(log)).count == count)
  }

  @Test func lastStateOfADownloadCounts() throws {
    var log = WrittenLog()
    log.record("/a", state: 0)
    #expect(try WrittenLog.downloads(log.bytes) == [])
    log.record("/a", end: 999)
    log.record("/a")
    #expect(try WrittenLog.downloads(log.bytes) == [Self.record("/a")])
    var next = WrittenLog()
    next.record("/b", url: "https://b.example/", end: 2000)
    #expect(
      try WrittenLog.downloads(log.bytes, next.bytes) == [
        Self.record("/b", url: "https://b.example/", end: 2000, log: "1"), Self.record("/a"),
      ])
    next.append(("21_download,/a", nil))
    #expect(try WrittenLog.downloads(log.bytes, next.bytes).map(\.path) == [Array("/b".utf8)])
    // Interrupted and cancelled ones have states of their own.
    for state: UInt64 in [0, 2, 3, 4, 1 << 32 + 1] {
      log.record("/a", state: state)
      #expect(try WrittenLog.downloads(log.bytes) == [])
    }
  }

  /// The database has entries of other parts of the browser.
  @Test(arguments: ["22_download,/a", "2_download,/a", "21_other,/a", "21_download"])
  func otherEntriesAreNoDownloads(_ key: String) throws {
    var log = WrittenLog()
    log.append((key, WrittenLog.entry("/a", chain: ["https://a.example/"], end: 1000)))
    #expect(try WrittenLog.downloads(log.bytes) == [])
  }

  @Test(arguments: [32_768 - 7, 32_767, 32_768, 33_000, 100_000])
  func batchesMayHaveSeveralBlocks(_ length: Int) throws {
    var log = WrittenLog()
    log.record("/a", name: "1")
    let rest = length - log.bytes.count - 7 - 12 - 8
    log.append(("3_x", [UInt8](repeating: 7, count: rest)))
    log.append(
      ("21_download,2", WrittenLog.entry("/b", chain: ["https://files.example.com/a"], end: 2000)),
      ("3_y", [UInt8](repeating: 8, count: 70_000)), ("21_download,1", nil),
      ("21_download,3", WrittenLog.entry("/c", chain: ["https://files.example.com/a"], end: 3000)))
    #expect(
      try WrittenLog.downloads(log.bytes) == [
        Self.record("/c", end: 3000), Self.record("/b", end: 2000),
      ])
  }

  /// As LevelDB does: the rest of the block is lost, and what has a part there.
  @Test func damagedRecordTakesTheRestOfItsBlock() throws {
    var log = WrittenLog()
    log.record("/a")
    let damaged = log.bytes.count + 10
    log.record("/b")
    log.append(("21_download,/x", [UInt8](repeating: 7, count: 40_000)))
    log.record("/c", end: 2000)
    #expect(try WrittenLog.downloads(log.bytes).count == 3)
    for place in [damaged, damaged - 10, damaged - 6, damaged - 4] {
      var bytes = log.bytes
      bytes[place] ^= 0x40
      #expect(
        try WrittenLog.downloads(bytes) == [Self.record("/c", end: 2000), Self.record("/a")],
        "\(place)")
    }
  }

  /// The beginning of a batch is lost in such a block, or with the beginning of a log.
  @Test func endOfABatchAloneIsNothing() throws {
    var log = WrittenLog()
    log.append(
      ("3_x", [UInt8](repeating: 7, count: 40_000)),
      ("21_download,1", WrittenLog.entry("/a", chain: ["https://a.example/"], end: 1000)))
    let start = log.bytes.count
    log.record("/b")
    let lastCount = log.bytes.count - start - 7
    #expect(try WrittenLog.downloads(log.bytes).count == 2)
    #expect(try WrittenLog.downloads(Array(log.bytes[32_768...])) == [Self.record("/b")])
    // The end may look like a batch.
    var alike = WrittenLog()
    alike.append(
      batch: [UInt8](repeating: 0, count: 32_761) + log.bytes[(log.bytes.count - lastCount)...])
    #expect(try WrittenLog.downloads(Array(alike.bytes[32_768...])) == [])
    // A batch that was begun and another one that is whole.
    let begun = Array(log.bytes[..<32_768])
    #expect(
      try WrittenLog.downloads(begun + begun + Array(log.bytes[32_768...])).count == 2)
    var whole = WrittenLog()
    whole.append(("3_x", [UInt8](repeating: 7, count: 32_768 - 7 - 12 - 8)))
    #expect(whole.bytes.count == 32_768)
    #expect(
      try WrittenLog.downloads(begun + whole.bytes + Array(log.bytes[32_768...]))
        == [Self.record("/b")])
  }

  /// What browsers put into a message since, and what is not as it should be.
  @Test func unknownFieldsArePassedOver() throws {
    var log = WrittenLog()
    log.record(
      "/a",
      more: WrittenLog.field(99, 1) + WrittenLog.field(100, "text") + [7 << 3 | 1]
        + [UInt8](repeating: 0, count: 8) + [9 << 3 | 5, 0, 0, 0, 0])
    #expect(try WrittenLog.downloads(log.bytes) == [Self.record("/a")])
    for damage: [UInt8] in [
      [0x80], [7 << 3 | 1, 0], [9 << 3 | 5, 0, 0, 0], [9 << 3 | 2, 1], [9 << 3 | 3], [9 << 3 | 4],
      [9 << 3 | 6, 0], [9 << 3 | 7, 0], [9 << 3],
    ] {
      log.record("/a", more: damage)
      #expect(try WrittenLog.downloads(log.bytes) == [], "\(damage)")
      log.record("/a")
      #expect(try WrittenLog.downloads(log.bytes).count == 1)
    }
  }

  /// A path in a pickle has a size of its own.
  @Test func pathMustBeWhole() throws {
    var log = WrittenLog()
    for pickle: [UInt8] in [
      [], [4, 0, 0, 0, 0, 0, 0, 0], [8, 0, 0, 0, 5, 0, 0, 0, 0x2F, 0x61, 0x62, 0x63],
      [8, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x2F, 0x61, 0x62, 0x63], [8, 0, 0, 0, 1, 0],
    ] {
      log.record("/a", more: WrittenLog.field(14, pickle))
      #expect(try WrittenLog.downloads(log.bytes) == [], "\(pickle)")
    }
    // What is not UTF-8, and padded.
    log.record(
      "/a",
      more: WrittenLog.field(14, [8, 0, 0, 0, 3, 0, 0, 0, 0x2F, 0xFF, 0x62, 0] as [UInt8]))
    #expect(try WrittenLog.downloads(log.bytes).map(\.path) == [[0x2F, 0xFF, 0x62]])
  }

  @Test func addressesHaveALimit() throws {
    var log = WrittenLog()
    let long = "https://example.com/" + String(repeating: "x", count: 1 << 16)
    log.append(
      ("21_download,1", WrittenLog.entry("/a", chain: [long], tab: long, end: 1000)))
    let found = try #require(try WrittenLog.downloads(log.bytes).first)
    #expect(found.url == nil)
    #expect(found.page == nil)
    // The referrer instead; of a page that is the address itself there is none.
    log.append(
      (
        "21_download,1",
        WrittenLog.entry(
          "/a", chain: ["https://a.example/", "https://b.example/"], tab: "https://a.example/",
          referrer: "https://c.example/", end: 1000)
      ))
    #expect(
      try WrittenLog.downloads(log.bytes) == [
        Self.record(
          "/a", firstURL: "https://a.example/", url: "https://b.example/",
          page: "https://c.example/")
      ])
  }

  @Test func endOfAVeryLongLogIsRead() throws {
    var first = WrittenLog()
    first.record("/a")
    var last = WrittenLog()
    last.record("/b")
    let file = try MemoryFile(first.bytes)
    func found(after size: Int) throws -> [[UInt8]] {
      try #require(ftruncate(file.descriptor, off_t(size)) == 0)
      lseek(file.descriptor, 0, SEEK_END)
      try Descriptor.write(last.bytes, to: file.descriptor)
      return try ChromiumDownloadLog.downloads(
        [DownloadLog(path: [], file: file.descriptor)], browser: "", deadline: .max
      ).map(\.path).sorted { $0.lexicographicallyPrecedes($1) }
    }
    let blocks = ChromiumDownloadLog.limit - LevelDBLog.block
    #expect(try found(after: blocks) == ["/a", "/b"].map { Array($0.utf8) })
    #expect(try found(after: blocks + LevelDBLog.block) == [Array("/b".utf8)])
    #expect(try found(after: 5 * blocks) == [Array("/b".utf8)])
  }

  @Test func readingHasAnEnd() throws {
    var log = WrittenLog()
    log.record("/a")
    #expect(throws: DatabaseFailure("reading took too long")) {
      try WrittenLog.downloads(log.bytes, deadline: Clock.milliseconds)
    }
  }

  @Test func logThatCannotBeReadIsAFailure() throws {
    let place = try TemporaryDirectory()
    let unreadable = open(try place.file("log", "text"), O_WRONLY | O_CLOEXEC)
    defer { close(unreadable) }
    for file in [unreadable, -1] {
      #expect(throws: DatabaseFailure("the log of downloads: Bad file descriptor")) {
        try ChromiumDownloadLog.downloads(
          [DownloadLog(path: [], file: file)], browser: "", deadline: .max)
      }
    }
  }

  @Test(arguments: [("", 0), ("a", 0xC1D0_4330), ("123456789", 0xE306_9283)])
  func checksumIsCastagnolis(_ text: String, _ checksum: UInt32) {
    #expect(CRC32C.of(Array(text.utf8)[...]) == checksum)
  }

  @Test func numbersHaveAtMost64Bits() {
    func number(_ bytes: [UInt8]) -> UInt64? {
      var reader = VarintReader(bytes[...])
      return reader.number()
    }
    let nine = [UInt8](repeating: 0xFF, count: 9)
    #expect(number(nine + [1]) == .max)
    #expect(number(nine + [2]) == nil)
    #expect(number(nine + [0x81, 0]) == nil)
    #expect(number(nine) == nil)
    #expect(number([0xAC, 2]) == 300)
  }

  /// A crash would end the tests.
  @Test(arguments: [1 as UInt64, 2])
  func changedBytesDoNoHarm(_ seed: UInt64) throws {
    let original = Array(try Fixture.bytes("DownloadLog/chromium.log")[24_000...])
    var random = SplitMix(state: seed)
    for _ in 0..<200 {
      var log = WrittenLog()
      var batch = original
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        batch[Int.random(in: batch.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      // With checksums that are right, and without.
      log.append(batch: Array(batch[Int.random(in: 0..<5000, using: &random)...]))
      #expect(try WrittenLog.downloads(log.bytes).count <= 10)
      #expect(try WrittenLog.downloads(batch).count <= 3)
    }
  }
}

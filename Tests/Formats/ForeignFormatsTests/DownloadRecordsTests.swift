import ForeignFormats
import Testing

/// Which of the downloads that browsers have recorded is a file's.
@Suite struct DownloadRecordsTests {
  private static func record(
    _ path: String, size: Int64? = 4, end: Double? = 100, url: String? = nil, page: String? = nil
  ) -> DownloadRecord {
    DownloadRecord(
      browser: "Firefox", database: [], path: Array(path.utf8), firstURL: url, url: url, page: page,
      end: end, size: size)
  }

  private static func found(
    _ path: String, size: Int64 = 4, modified: Double = 100, in records: DownloadRecord...
  ) -> String? {
    let file = DownloadedFile(path: Array(path.utf8), size: size, modified: modified)
    return DownloadRecords(records).record(of: file).map { record, match in
      "\(match) \(String(decoding: record.path, as: UTF8.self)) \(record.end ?? -1)"
    }
  }

  @Test func pathCountsMoreThanSizeAndTime() {
    #expect(
      Self.found("/b", in: Self.record("/a"), Self.record("/b", end: 109)) == "path /b 109.0")
    // Another file may be at the path now.
    #expect(
      Self.found("/b", in: Self.record("/a"), Self.record("/b", end: 7000)) == "content /a 100.0")
    #expect(Self.found("/b", in: Self.record("/b", end: 7000)) == "place /b 7000.0")
    #expect(Self.found("/b", in: Self.record("/b", end: nil)) == "place /b -1.0")
    // Of a download whose size is unknown only the begin is known.
    let begun = Self.record("/b", size: nil)
    #expect(Self.found("/b", modified: 86_500, in: begun) == "path /b 100.0")
    #expect(Self.found("/b", modified: 86_501, in: begun) == "place /b 100.0")
    #expect(Self.found("/b", modified: 89, in: begun) == "place /b 100.0")
    #expect(
      Self.found("/c", in: Self.record("/a"), Self.record("/b", end: 7000)) == "content /a 100.0")
  }

  @Test func downloadNearestToTheFilesTimeCounts() {
    let records = [
      Self.record("/a", end: 7000), Self.record("/a", end: 90), Self.record("/a", end: nil),
    ]
    #expect(Self.found("/a", in: records[0], records[1], records[2]) == "path /a 90.0")
    #expect(
      Self.found("/a", modified: 6000, in: records[2], records[1], records[0]) == "place /a 7000.0")
    #expect(Self.found("/a", in: records[2]) == "place /a -1.0")
  }

  @Test func fileOfAnotherSizeOrTimeIsNotFound() {
    #expect(Self.found("/a", size: 5, in: Self.record("/a")) == nil)
    #expect(Self.found("/a", size: 5, in: Self.record("/a", size: nil)) == "path /a 100.0")
    #expect(Self.found("/b", modified: 110, in: Self.record("/a")) == "content /a 100.0")
    #expect(Self.found("/b", modified: 110.1, in: Self.record("/a")) == nil)
    #expect(Self.found("/b", in: Self.record("/a", size: nil)) == nil)
    #expect(Self.found("/b", in: Self.record("/a", end: nil)) == nil)
    // All empty files are alike.
    #expect(Self.found("/b", size: 0, in: Self.record("/a", size: 0)) == nil)
    #expect(Self.found("/a", size: 0, in: Self.record("/a", size: 0)) == "path /a 100.0")
  }

  @Test(arguments: ["blob:https://example.com/1b", "data:text/plain,hello", "BLOB:null"])
  func whatAPageHasMadeComesFromThePage(_ url: String) {
    let made = Self.record("/a", url: url, page: "https://example.com/page")
    #expect(made.origin == "https://example.com/page")
    #expect(made.referrer == nil)
    let linked = Self.record("/a", url: "https://example.com/a", page: "https://example.com/page")
    #expect(linked.origin == "https://example.com/a")
    #expect(linked.referrer == "https://example.com/page")
    #expect(Self.record("/a", url: url).origin == nil)
  }
}

import ForeignFormats
import TestSupport
import Testing

/// The stream in which Windows keeps where a file came from.
@Suite struct ZoneIdentifierTests {
  private static func fixture(_ name: String) throws -> ZoneIdentifier {
    try ZoneIdentifier(Fixture.bytes("ZoneIdentifier/\(name).txt"))
  }

  private static let whole = ZoneIdentifier(
    zone: .internet, referrerURL: "https://example.com/downloads/",
    hostURL: "https://example.com/downloads/report.pdf",
    lastWriter: "Microsoft.Office_8wekyb3d8bbwe", hostAddress: "192.0.2.7")

  @Test(arguments: ["writer", "utf16", "utf16-big", "utf16-unmarked"])
  func everyFieldIsReadInEachEncoding(_ name: String) throws {
    #expect(try Self.fixture(name) == Self.whole)
  }

  @Test func whatABrowserWrites() throws {
    var expected = Self.whole
    expected.lastWriter = nil
    expected.hostAddress = nil
    #expect(try Self.fixture("browser") == expected)
    #expect(
      try ZoneIdentifier(Fixture.bytes("Samba/DosStream.Zone.Identifier.value.bin")) == expected)
    #expect(
      try Self.fixture("about-internet")
        == ZoneIdentifier(zone: .internet, hostURL: "about:internet"))
  }

  /// Names in any case, spaces, a comment, another section, and of two values the first.
  @Test func looseFormIsReadAsWindowsDoes() throws {
    #expect(try Self.fixture("loose") == ZoneIdentifier(zone: .intranet))
  }

  /// GBK, as a real file has it: 下载 is cf c2 d4 d8.
  @Test func valueInACodePageKeepsItsBytesAndTheOthersTheirText() throws {
    let url = Array("https://example.cn/".utf8) + [0xcf, 0xc2, 0xd4, 0xd8]
    let zone = try ZoneIdentifier(
      Array("[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl= ".utf8) + url
        + Array(" \r\nHostUrl=https://example.cn/a.exe\r\n; ".utf8) + [0xcf, 0xc2, 0x0d, 0x0a])
    #expect(zone.zone == .internet)
    #expect(zone.hostURL == "https://example.cn/a.exe")
    #expect(zone.referrerURL == nil)
    #expect(zone.undecoded == [.referrerURL: url])
  }

  @Test func utf16WithSambasNULIsRead() throws {
    let stored = try Fixture.bytes("ZoneIdentifier/utf16.txt")
    #expect(try ZoneIdentifier(stored + [0]) == Self.whole)
    #expect(try ZoneIdentifier(stored + [0, 0]) == Self.whole)
    #expect(try ZoneIdentifier(stored + [0, 0, 0]) == Self.whole)
  }

  @Test(
    arguments: [
      ([], .empty, 0),
      ([0], .empty, 0),
      (Array("ZoneId=3\n".utf8), .noSection, 9),
      (Array("[ZoneTransfer]\n".utf8), .noField, 15),
      (Array("[ZoneTransfer]\nZoneId=\n".utf8), .zone, 15),
      (Array("[ZoneTransfer]\r\nZoneId=5\r\n".utf8), .zone, 16),
      (Array("[ZoneTransfer]\nZoneId=-1".utf8), .zone, 15),
      (Array("[ZoneTransfer]\nHostUrl=\0x\n".utf8), .nul, 23),
      (Array("[ZoneTransfer]\nHost\u{e9}Url=".utf8) + [0xe9, 0x0a], .noField, 27),
      (Array("[ZoneTransfer]\nHostUrl=".utf8) + [0xe9, 0x00, 0x0a], .nul, 24),
      ([0xff, 0xfe, 0x5b, 0, 0x00, 0xd8, 0x0a, 0], .notUTF16, 2),
      ([0xff, 0xfe, 0x5b, 0, 0x41], .notUTF16, 4),
      ([0xfe, 0xff, 0, 0x5b, 0, 0, 0, 0x5d], .nul, 4),
    ] as [([UInt8], MarkFailure.Reason, Int)])
  func rejectionTellsReasonAndOffset(
    _ bytes: [UInt8], _ reason: MarkFailure.Reason, _ offset: Int
  ) {
    #expect(throws: MarkFailure(reason, at: offset)) { try ZoneIdentifier(bytes) }
  }

  @Test func longStreamIsRejected() {
    let bytes = [UInt8](repeating: 0x0a, count: ZoneIdentifier.limit + 1)
    #expect(throws: MarkFailure(.tooLong, at: ZoneIdentifier.limit)) { try ZoneIdentifier(bytes) }
  }
}

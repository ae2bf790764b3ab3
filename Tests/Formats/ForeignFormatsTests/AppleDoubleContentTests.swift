import ForeignFormats
import TestSupport
import Testing

/// AppleDouble files that are written.
@Suite struct AppleDoubleContentTests {
  private static func fixture(_ name: String) throws -> [UInt8] {
    try Fixture.bytes("AppleDouble/\(name).appledouble")
  }

  @Test(arguments: ["copyfile", "empty-value", "finder-info-only", "kernel", "stream2adouble"])
  func whatIsWrittenReadsTheSame(_ name: String) throws {
    let content = try AppleDoubleContent(Self.fixture(name))
    let written = try content.encoded()
    #expect(try AppleDoubleContent(written) == content)
    #expect(try AppleDouble(written).entries.map(\.type) == [9, 2])
  }

  /// The fixture has the layout of copyfile(3); the blank resource fork is none.
  @Test func layoutIsThatOfMacOS() throws {
    let bytes = try Self.fixture("copyfile")
    #expect(try AppleDoubleContent(bytes).encoded() == bytes)
    #expect(try AppleDoubleContent(Self.fixture("kernel")).parts == [])
  }

  @Test func partsAndFinderInformationAreKept() throws {
    let content = AppleDoubleContent(
      finderInfo: Array("TEXTttxt".utf8) + [UInt8](repeating: 0, count: 24),
      attributes: [
        .init(name: Array("a".utf8), flags: 7, value: [1, 2]),
        .init(name: Array("b".utf8), value: []),
      ],
      parts: [.init(type: 3, bytes: Array("name".utf8)), .init(type: 2, bytes: [9])])
    #expect(try AppleDoubleContent(content.encoded()) == content)
    #expect(try content.encoded().last == 9)
  }

  @Test func whatFollowsFinderInformationIsKept() throws {
    var content = AppleDoubleContent(finderInfo: [UInt8](1...80))
    #expect(try AppleDoubleContent(content.encoded()) == content)
    content.attributes = [.init(name: Array("a".utf8), value: [])]
    #expect(throws: AppleDoubleContent.Excess.finderInfo) { try content.encoded() }
  }

  /// 5,000 entries of all the file would fill the memory.
  @Test func partsThatOverlapAreRefused() throws {
    let content = AppleDoubleContent(parts: [
      .init(type: 3, bytes: [UInt8](repeating: 1, count: 100))
    ])
    var file = try content.encoded()
    // The first entry after the Finder information becomes the whole file.
    file.replaceSubrange(42..<50, with: [0, 0, 0, 0, 0, 0, 0, UInt8(file.count)])
    #expect(try AppleDouble(file).entries[1].range == 0..<file.count)
    #expect(throws: MarkFailure(.tooLong, at: 26)) { try AppleDoubleContent(file) }
  }

  /// Together with an attribute, too.
  @Test func valueThatOverlapsAPartIsRefused() throws {
    let content = AppleDoubleContent(
      attributes: [.init(name: Array("a".utf8), value: [1])], parts: [.init(type: 3, bytes: [2])])
    var file = try content.encoded()
    // The attribute's value becomes the whole file.
    file.replaceSubrange(132..<140, with: [0, 0, 0, 0, 0, 0, 0, UInt8(file.count)])
    #expect(try AppleDouble(file).attributes[0].range == 0..<file.count)
    #expect(throws: MarkFailure(.tooLong, at: 26)) { try AppleDoubleContent(file) }
  }

  @Test func emptyOneHasItsTwoEntries() throws {
    let written = try AppleDoubleContent().encoded()
    #expect(written.count == 82)
    #expect(try AppleDouble(written).finderInfo == [UInt8](repeating: 0, count: 32))
  }

  @Test func whatHasNoPlaceIsRefused() {
    func refusal(_ name: [UInt8], _ count: Int, _ attributes: Int = 1) -> AppleDoubleContent.Excess?
    {
      let value = [UInt8](repeating: 0, count: count)
      let all = (0..<attributes).map { _ in AppleDoubleContent.Attribute(name: name, value: value) }
      do throws(AppleDoubleContent.Excess) {
        _ = try AppleDoubleContent(attributes: all).encoded()
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal([], 0) == .name)
    #expect(refusal([1, 0], 0) == .name)
    #expect(refusal([UInt8](repeating: 1, count: 127), 0) == nil)
    #expect(refusal([UInt8](repeating: 1, count: 128), 0) == .name)
    #expect(refusal([1], 16 << 20) == nil)
    #expect(refusal([1], 16 << 20 | 1) == .value)
    // 65,416 bytes after the header, 16 for each.
    #expect(refusal([1, 2, 3, 4], 0, 4088) == nil)
    #expect(refusal([1, 2, 3, 4], 0, 4089) == .list)
  }

  @Test func zoneIsWrittenAsWindowsDoes() throws {
    let zone = ZoneIdentifier(
      zone: .internet, referrerURL: "https://example.com/", hostURL: "https://example.com/a")
    #expect(
      String(decoding: zone.encoded, as: UTF8.self)
        == "[ZoneTransfer]\r\nZoneId=3\r\nReferrerUrl=https://example.com/\r\n"
        + "HostUrl=https://example.com/a\r\n")
    #expect(try ZoneIdentifier(zone.encoded) == zone)
    let hostile = ZoneIdentifier(zone: .internet, hostURL: "https://a/\r\nZoneId=0")
    #expect(hostile.encoded == Array("[ZoneTransfer]\r\nZoneId=3\r\n".utf8))
  }
}

import BinaryPropertyList
import LinuxSystem
import TestSupport
import Testing

@testable import DocumentSource

@Suite struct AttributeValueTests {
  private static let workingCopy = DocumentSource(
    identifier: "com.appliedphasor.working-copy", name: "Working Copy",
    path: "directory/filename.ext",
    appInfoURL: "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json")

  @Test(arguments: [
    "PropertyLists/four-keys.bplist", "Samba/DosStream.x-document-source.value.bin",
  ])
  func fourStringsAreReadWithAndWithoutATrailingNUL(_ fixture: String) throws {
    let bytes = try Fixture.bytes(fixture)
    #expect(try Content(of: bytes) == .source(Self.workingCopy, mistyped: []))
    #expect(AttributeValue.hasTrailingNUL(bytes) == fixture.hasSuffix("bin"))
  }

  @Test func newSourceIsWrittenAsFoundationWritesIt() throws {
    let changed = try ChangedValue(
      of: nil, by: SourceChange(to: Self.workingCopy), at: FilePath("f"))
    #expect(try changed.bytes == Fixture.bytes("PropertyLists/four-keys.bplist"))
    #expect(changed.source == Self.workingCopy)
  }

  @Test func twoTrailingNULsAreDamage() throws {
    let bytes = try Fixture.bytes("Samba/DosStream.x-document-source.value.bin") + [0]
    #expect(throws: DamagedValue.self) { try Content(of: bytes) }
    #expect(!AttributeValue.hasTrailingNUL(bytes))
  }

  /// As CoreFoundation reads them, by which the attribute was read first.
  @Test func flawsThatApplesReadersPassOverAreReadAndReported() throws {
    var version = try Fixture.bytes("PropertyLists/four-keys.bplist")
    version[7] = UInt8(ascii: "1")
    #expect(try Content(of: version) == .source(Self.workingCopy, mistyped: []))
    let name = try Content(
      DocumentSource.FieldSet([DocumentSource.Field.name]), of: version.span)
    #expect(name == .source(DocumentSource(name: "Working Copy"), mistyped: []))
    #expect(Content.flaw(in: version)?.offset == 6)

    var cut = try PropertyList.dictionary(["name": .string("a€")]).binary()
    let euro = try #require(cut.firstIndex(of: 0x20))
    cut[euro] = 0xd8
    #expect(
      try Content(of: cut) == .source(DocumentSource(name: "a\u{fffd}"), mistyped: []))
    #expect(Content.flaw(in: cut)?.reason == .loneSurrogate)

    let well = try Fixture.bytes("PropertyLists/four-keys.bplist")
    #expect(Content.flaw(in: well) == nil)
    #expect(Content.flaw(in: well + [0]) == nil)
    #expect(Content.flaw(in: Array("bplist00".utf8)) == nil)
  }

  @Test func emptyStringsCount() throws {
    let bytes = try PropertyList.dictionary(["name": .string("")]).binary()
    #expect(
      try Content(of: bytes) == .source(DocumentSource(name: ""), mistyped: []))
  }

  @Test func textThatIsNotASCIIIsKeptExactly() throws {
    let name = "Füße \u{65}\u{301} 東京 🗂"
    let changed = try ChangedValue(
      of: nil, by: SourceChange(name: .set(name)), at: FilePath("f"))
    guard case .source(let source, _) = try Content(of: changed.bytes) else {
      Issue.record("no source")
      return
    }
    #expect(source.name.map { Array($0.utf8) } == Array(name.utf8))
  }

  @Test func keysKeepTheirOrderAndNewOnesComeLast() throws {
    let old = try PropertyList.dictionary([
      "z": .integer(1), "name": .string("Old"), "a": .null,
    ]).binary()
    let changed = try ChangedValue(
      of: old, by: SourceChange(identifier: .set("a.b"), name: .set("New")), at: FilePath("f"))
    #expect(
      changed.value
        == .dictionary([
          "z": .integer(1), "name": .string("New"), "a": .null, "identifier": .string("a.b"),
        ]))
  }
}

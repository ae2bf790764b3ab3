import BinaryPropertyList
import TestSupport
import Testing

struct FlatDictionaryTests {
  static let fourKeys = [
    FlatEntry(key: "identifier", value: "com.appliedphasor.working-copy"),
    FlatEntry(key: "name", value: "Working Copy"),
    FlatEntry(key: "path", value: "directory/filename.ext"),
    FlatEntry(
      key: "appInfoURL",
      value: "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json"),
  ]

  static func tree(of entries: [FlatEntry]) throws -> PropertyList {
    try .dictionary(PropertyList.Dictionary(entries.map { ($0.key, .string($0.value)) }))
  }

  @Test func fourKeysGiveFoundationsBytes() throws {
    let expected = try Fixture.bytes("PropertyLists/four-keys.bplist")
    #expect(try FlatDictionary.bytes(of: Self.fourKeys.span) == expected)
    #expect(try Self.tree(of: Self.fourKeys).binary() == expected)
  }

  @Test func fourKeysAreReadBack() throws {
    let bytes = try Fixture.bytes("PropertyLists/four-keys.bplist")
    #expect(try PropertyList(binary: bytes) == Self.tree(of: Self.fourKeys))
  }
}

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

  @Test func bytesAreThoseOfTheGeneralWriter() throws {
    let seed = RoundTripTests.seed
    print("seed of bytesAreThoseOfTheGeneralWriter: \(seed)")
    var source = RandomPropertyList(random: RandomNumbers(seed: seed))
    for count in (0..<400).map({ $0 % 12 }) {
      var entries: [FlatEntry] = []
      for _ in 0..<count {
        let entry = FlatEntry(key: source.text(), value: source.text())
        if !entries.contains(where: { $0.key.utf8.elementsEqual(entry.key.utf8) }) {
          entries.append(entry)
        }
      }
      let expected = try Self.tree(of: entries).binary()
      #expect(try FlatDictionary.bytes(of: entries.span) == expected, "seed \(seed)")
      #expect(expected.count <= FlatDictionary.sizeBound(of: entries.span), "seed \(seed)")
      for size in [expected.count, FlatDictionary.sizeBound(of: entries.span)] {
        #expect(try written(entries, size: size) == expected, "seed \(seed)")
      }
      #expect(throws: EncodingFailure.self) { try written(entries, size: expected.count - 1) }
    }
  }

  private func written(_ entries: [FlatEntry], size: Int) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0xee, count: size)
    var span = buffer.mutableSpan
    var bytes = span.mutableBytes
    let count = try FlatDictionary.write(entries.span, into: &bytes)
    return Array(buffer.prefix(count))
  }

  @Test func equalKeysAreRefused() throws {
    let pair = [FlatEntry(key: "a", value: ""), FlatEntry(key: "a", value: "x")]
    let many = (0..<20).map { FlatEntry(key: "\($0 % 19)", value: "") }
    for (entries, key) in [(pair, "a"), (many, "0")] {
      let failure = #expect(throws: EncodingFailure.self) {
        try FlatDictionary.bytes(of: entries.span)
      }
      #expect(failure?.reason == .duplicateKey)
      #expect(failure?.path == [.key(key)])
    }
  }

  @Test func keyAndValueOfTheSameTextAreOneObject() throws {
    let entries = [FlatEntry(key: "name", value: "name"), FlatEntry(key: "x", value: "name")]
    let table = try ObjectTable(FlatDictionary.bytes(of: entries.span))
    #expect(table.count == 3)
  }
}

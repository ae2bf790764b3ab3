import TestSupport
import Testing

@testable import BinaryPropertyList

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
      try #require(try FlatDictionary.bytes(of: entries.span) == expected, "seed \(seed)")
      guard count <= 8 else { continue }
      let plenty = 2 * expected.count + 1024
      try #require(try written(entries, size: plenty) == expected, "seed \(seed)")
      let tight = try written(entries, size: expected.count)
      try #require(tight == nil || tight == expected, "seed \(seed)")
      try #require(try written(entries, size: expected.count - 1) == nil, "seed \(seed)")
    }
  }

  /// What the fast way writes into a buffer of a size; `nil` when it wants more room.
  private func written(_ entries: [FlatEntry], size: Int) throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0xee, count: size + 64)
    let count = try buffer.withUnsafeMutableBytes { bytes in
      try FlatWriter.write(
        entries.span, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<size]))
    }
    #expect(buffer.dropFirst(size).allSatisfy { $0 == 0xee }, "written after the buffer's end")
    return count.map { Array(buffer.prefix($0)) }
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

  @Test func readyKeysGiveTheSameBytes() throws {
    let keys: [ShortKey] = ["identifier", "name", "path", "appInfoURL"]
    let entries = zip(keys, Self.fourKeys).map { FlatEntry(key: $0, value: $1.value) }
    #expect(entries.map(\.key) == Self.fourKeys.map(\.key))
    let expected = try Fixture.bytes("PropertyLists/four-keys.bplist")
    #expect(try FlatDictionary.bytes(of: entries.span) == expected)
    #expect(try written(entries, size: 1024) == expected)
    #expect(try written(entries, size: expected.count - 1) == nil)
  }

  @Test func readyKeysOfAllLengthsGiveTheGeneralWritersBytes() throws {
    let keys: [ShortKey] = [
      "", "a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg", "abcdefgh", "abcdefghi",
      "abcdefghij", "abcdefghijk", "abcdefghijkl", "abcdefghijklm", "abcdefghijklmn",
    ]
    for key in keys {
      // The values have the length that the key has, and those next to it.
      let text = String(repeating: "x", count: key.count)
      let entries = [
        FlatEntry(key: key, value: text), FlatEntry(key: "other", value: text + "y"),
        FlatEntry(key: "third", value: key.text), FlatEntry(key: "fourth", value: "other"),
      ]
      let expected = try Self.tree(of: entries).binary()
      #expect(try FlatDictionary.bytes(of: entries.span) == expected, "\(key.text)")
      #expect(try written(entries, size: 1024) == expected, "\(key.text)")
    }
  }

  @Test func textsOfAllLengthsGiveTheGeneralWritersBytes() throws {
    for length in 0..<300 {
      for last in ["x", "é", "\u{7f}"] {
        let text = String(repeating: "0123456789", count: 30).prefix(length) + last
        let entries = [
          FlatEntry(key: ShortKey("one"), value: String(text)),
          FlatEntry(key: "\(last)\(text)", value: String(text)),
          FlatEntry(key: "two", value: String("y" + text)),
        ]
        let expected = try Self.tree(of: entries).binary()
        try #require(try FlatDictionary.bytes(of: entries.span) == expected, "\(length)")
        for room in [0, 1, 15, 16, 17, 18, 31, 32, 33] {
          let tight = try written(entries, size: expected.count + room)
          try #require(tight == nil || tight == expected, "\(length)")
        }
        try #require(try written(entries, size: expected.count + 4096) == expected, "\(length)")
      }
    }
  }

  @Test func aReadyKeyEqualToAnotherIsRefused() throws {
    for entries in [
      [FlatEntry(key: ShortKey("name"), value: ""), FlatEntry(key: "name", value: "x")],
      [FlatEntry(key: "name", value: ""), FlatEntry(key: ShortKey("name"), value: "x")],
      [FlatEntry(key: ShortKey("name"), value: ""), FlatEntry(key: ShortKey("name"), value: "x")],
    ] {
      #expect(throws: EncodingFailure(reason: .duplicateKey, path: [.key("name")])) {
        try FlatDictionary.bytes(of: entries.span)
      }
    }
  }

  @Test func keyAndValueOfTheSameTextAreOneObject() throws {
    let entries = [FlatEntry(key: "name", value: "name"), FlatEntry(key: "x", value: "name")]
    let table = try ObjectTable(FlatDictionary.bytes(of: entries.span))
    #expect(table.count == 3)
  }
}

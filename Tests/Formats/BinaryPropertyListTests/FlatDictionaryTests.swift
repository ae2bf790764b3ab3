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

  /// Without an index only that passes which passes with one and has nothing shared.
  @Test func checkWithoutIndexAgreesWithTheIndex() throws {
    let bytes = try Fixture.bytes("PropertyLists/four-keys.bplist")
    #expect(bytes.reading { FlatCheck.passes($0) })
    var passed = 0
    func compare(_ changed: [UInt8]) throws {
      guard changed.reading({ FlatCheck.passes($0) }) else { return }
      passed += 1
      let index = try changed.reading { bytes throws(DecodingFailure) in
        try ObjectIndex(of: bytes, options: DecodingOptions())
      }
      #expect(!index.hasShared)
      #expect(index.trailer.root == 0)
    }
    for position in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = bytes
        changed[position] = byte
        try compare(changed)
      }
    }
    let seed = RoundTripTests.seed
    print("seed of checkWithoutIndexAgreesWithTheIndex: \(seed)")
    var random = RandomNumbers(seed: seed)
    for _ in 0..<50_000 {
      var changed = bytes
      for _ in 0..<2 {
        let position = Int.random(in: bytes.indices, using: &random)
        changed[position] = bytes[Int.random(in: bytes.indices, using: &random)]
      }
      try compare(changed)
    }
    #expect(passed > 10_000)
  }

  /// Objects by their hexadecimal digits, each word one, after the references of the dictionary.
  @Test(arguments: [
    ("d10102 5161 5162", true), ("d0", true),
    ("d20102 0304 5161 5162 5163 5164", true),
    // Equal keys, a reference beyond the objects, twice the same, a text that is cut, no text, not ASCII.
    ("d20102 0304 5161 5161 5163 5164", false), ("d10103 5161 5162", false),
    ("d10101 5161 5162", false), ("d10102 5161 5262", false), ("d10102 5161 4162", false),
    ("d10102 5161 51e4", false), ("a20102 5161 5162", false),
  ]) func onlyTheUsualLayoutNeedsNoIndex(_ objects: String, _ passes: Bool) throws {
    let words = objects.split(separator: " ")
    // The references of two pairs stand in two words.
    let dictionary = words[0].hasPrefix("d2") ? words[0] + words[1] : words[0]
    let texts = words.dropFirst(words[0].hasPrefix("d2") ? 2 : 1)
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for object in [dictionary] + texts {
      table.append(UInt8(bytes.count))
      for position in stride(from: 0, to: object.utf8.count, by: 2) {
        let digits = object.dropFirst(position).prefix(2)
        bytes.append(try #require(UInt8(digits, radix: 16)))
      }
    }
    let end = bytes.count
    bytes += table + [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [table.count, 0, end] { bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(number)] }
    #expect(bytes.reading { FlatCheck.passes($0) } == passes)
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

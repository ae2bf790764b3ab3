import BinaryPropertyList
import Testing

struct EncodingTests {
  /// The trailer's widths of offsets and references.
  private func widths(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes[(bytes.count - 26)...(bytes.count - 25)])
  }

  @Test func widthsFollowTheCounts() throws {
    for (count, width) in [(254, 1), (255, 2), (65534, 2), (65535, 4)] as [(Int64, UInt8)] {
      let value = PropertyList.array((0..<count).map { .integer($0) })
      let bytes = try value.binary()
      #expect(widths(bytes)[1] == width, "\(count) elements")
      #expect(try PropertyList(binary: bytes) == value)
    }
    // 8 of header, 4 of marker and count.
    for (table, width) in [(255, 1), (256, 2), (65535, 2), (65536, 4)] as [(Int, UInt8)] {
      let length = table - 8 - (table <= 255 + 8 + 3 ? 3 : table <= 65535 + 12 ? 4 : 6)
      let bytes = try PropertyList.data([UInt8](repeating: 7, count: length)).binary()
      #expect(widths(bytes)[0] == width, "table at \(table)")
    }
  }

  @Test func referencesThatUniquingMakesFewAreNarrow() throws {
    let value = PropertyList.array([PropertyList](repeating: .string("same"), count: 100_000))
    let bytes = try value.binary()
    #expect(widths(bytes)[1] == 1)
    #expect(try PropertyList(binary: bytes) == value)
  }

  @Test func equalLeavesOfOneTypeAreOneObject() throws {
    let value = PropertyList.array([
      .string("a"), .data([0x61]), .string("a"), .data([0x61]), .integer(1), .real(1), .float(1),
      .uid(1), .integer(1), .boolean(true), .boolean(true), .null, .null, .real(0), .real(-0.0),
      .date(secondsSinceReferenceDate: 0), .date(secondsSinceReferenceDate: 0), .array([]),
      .array([]), .string("\u{e9}"), .string("e\u{301}"),
    ])
    #expect(try ObjectTable(value.binary()).count == 16)
  }

  /// Long ones are distinguished by where they lie in memory first.
  @Test func longLeavesThatAreEqualAreOneObject() throws {
    let text = String(repeating: "t", count: 300)
    let bytes = [UInt8](repeating: 0x74, count: 300)
    let value = PropertyList.array([
      .string(text), .string(text), .string(String(decoding: bytes, as: UTF8.self)),
      .string(String(repeating: "t", count: 299) + "u"), .data(bytes), .data(bytes),
      .data([UInt8](repeating: 0x74, count: 300)), .data([UInt8](repeating: 0x75, count: 300)),
      .dictionary([text: .string(text)]), .string(String(text.dropLast())),
      .string(String(repeating: "\u{e9}", count: 150)),
    ])
    let encoded = try value.binary()
    // The array, the dictionary, four texts and two pieces of data.
    #expect(try ObjectTable(encoded).count == 8)
    #expect(try PropertyList(binary: encoded) == value)
  }

  @Test func longKeysAreSortedByTheirUTF8() throws {
    let start = String(repeating: "k", count: 300)
    let other = String(decoding: [UInt8](repeating: 0x6b, count: 300), as: UTF8.self)
    func keys(_ list: PropertyList) -> [String] {
      if case .dictionary(let dictionary) = list { Array(dictionary.keys) } else { [] }
    }
    let value = PropertyList.array([
      .dictionary(try .init([start + "b", "l", start, "a", start + "a"].map { ($0, .null) })),
      .dictionary(try .init([other + "ab", other + "a", other].map { ($0, .null) })),
    ])
    let bytes = try value.binary(options: EncodingOptions(keyOrder: .sorted))
    guard case .array(let read) = try PropertyList(binary: bytes), read.count == 2 else {
      Issue.record("no two dictionaries")
      return
    }
    #expect(keys(read[0]) == ["a", start, start + "a", start + "b", "l"])
    #expect(keys(read[1]) == [start, start + "a", start + "ab"])
    // Two containers and null, and the keys, of which two stand in both.
    #expect(try ObjectTable(bytes).count == 3 + 1 + 6)
  }

  @Test func orderOfObjectsIsCoreFoundations() throws {
    let value = PropertyList.dictionary([
      "a": .array([.string("x"), .dictionary(["c": .null])]), "b": .string("y"),
    ])
    let table = try ObjectTable(value.binary())
    #expect(
      (0..<table.count).map { table.string($0) ?? "\(table.kind(of: $0))" }
        == ["dictionary", "a", "b", "array", "x", "dictionary", "c", "null", "y"])
  }

  @Test func sortedKeysStandInTheOrderOfTheirUTF8() throws {
    let keys = ["b", "\u{ffff}", "a", "😀", "", "é", "aa"]
    let value = PropertyList.dictionary(try .init(keys.map { ($0, .null) }))
    let bytes = try value.binary(options: EncodingOptions(keyOrder: .sorted))
    guard case .dictionary(let read) = try PropertyList(binary: bytes) else {
      Issue.record("no dictionary")
      return
    }
    #expect(Array(read.keys) == ["", "a", "aa", "b", "é", "\u{ffff}", "😀"])
  }

  @Test func tooDeepIsRefusedWithItsPath() throws {
    var value = PropertyList.array([])
    for _ in 0..<511 { value = .array([.null, value]) }
    #expect(throws: Never.self) { try value.binary() }
    value = .dictionary(["k": value])
    let failure = #expect(throws: EncodingFailure.self) { try value.binary() }
    #expect(failure?.reason == .tooDeep)
    #expect(failure?.path.count == 512)
    #expect(failure?.path.prefix(2) == [.key("k"), .index(1)])
  }
}

import BinaryPropertyList
import TestSupport
import Testing

struct LookupTests {
  private let lookup = Lookup("identifier", "name", "path", "appInfoURL")

  @Test func fourKeysAreFound() throws {
    let bytes = try Fixture.bytes("PropertyLists/four-keys.bplist")
    let result = try lookup.find(in: bytes.span.bytes)
    #expect(result.root == .dictionary)
    for (position, entry) in FlatDictionaryTests.fourKeys.enumerated() {
      guard case .string(let range) = result[position] else {
        Issue.record("\(entry.key) was not found")
        continue
      }
      #expect(range.encoding == .narrow)
      #expect(try range.string(in: bytes.span.bytes) == entry.value)
    }
  }

  @Test func valuesOfOtherKindsAreNamed() throws {
    let value = PropertyList.dictionary(["name": .integer(3), "path": .string("ü"), "x": .null])
    let bytes = try value.binary()
    let result = try lookup.find(in: bytes.span.bytes)
    #expect(result[0] == .absent)
    #expect(result[1] == .other(.integer))
    guard case .string(let range) = result[2] else {
      Issue.record("the string was not found")
      return
    }
    #expect(range.encoding == .utf16)
    #expect(range.unitCount == 1)
    #expect(try range.string(in: bytes.span.bytes) == "ü")
    #expect(result[3] == .absent)
  }

  /// Text of one byte a unit that is not ASCII, that is UTF-16, and other values in between.
  @Test(arguments: [
    ["identifier": "a", "name": "b", "path": "c/d", "appInfoURL": "e"],
    ["identifier": "ü", "name": "b", "path": "ü", "appInfoURL": ""],
    ["name": "a long name that takes several words of memory to compare, and one more"], [:],
  ])
  func checkingAllValuesIsCheckingEach(_ strings: [String: String]) throws {
    var dictionary = PropertyList.Dictionary()
    for (key, text) in strings.sorted(by: { $0.key < $1.key }) {
      dictionary[key] = .string(text)
      dictionary[key + " other"] = .data([0xff, 0x80])
    }
    let bytes = try PropertyList.dictionary(dictionary).binary()
    for position in bytes.indices {
      for change: UInt8 in [0x80, 0x5f, 0x60, 0xff] {
        var changed = bytes
        changed[position] = change
        guard let found = try? lookup.find(in: changed.span.bytes) else { continue }
        let all = Self.failure { () throws(DecodingFailure) in
          try found.checkAll(in: changed.span.bytes)
        }
        let each = Self.failure { () throws(DecodingFailure) in
          for key in 0..<4 { _ = try found.string(key, in: changed.span.bytes) }
        }
        try #require(all == each, "\(position), \(change)")
      }
    }
  }

  private static func failure(_ body: () throws(DecodingFailure) -> Void) -> DecodingFailure? {
    do throws(DecodingFailure) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func rootOfAnotherKindIsNamed() throws {
    let bytes = try PropertyList.array([.null]).binary()
    #expect(try lookup.find(in: bytes.span.bytes).root == .array)
  }

  @Test func keyTwiceIsRefusedUnlessTheFirstIsAskedFor() throws {
    let bytes = try Fixture.bytes("PropertyLists/hostile/key-same-text-ascii-and-utf16.bplist")
    let lookup = Lookup("k")
    let failure = #expect(throws: DecodingFailure.self) { try lookup.find(in: bytes.span.bytes) }
    #expect(failure?.reason == .duplicateKey)
    #expect(failure?.offset == 10)
    var options = DecodingOptions()
    options.keepsFirstOfDuplicateKeys = true
    #expect(try lookup.find(in: bytes.span.bytes, options: options)[0] == .other(.boolean))
  }

  @Test func keyInUTF16IsFound() throws {
    // The fixture has a key in ASCII and the same in UTF-16; the first is made another.
    var bytes = try Fixture.bytes("PropertyLists/hostile/key-same-text-ascii-and-utf16.bplist")
    bytes[14] = 0x6a
    #expect(try Lookup("k").find(in: bytes.span.bytes)[0] == .other(.boolean))
    #expect(try Lookup("j").find(in: bytes.span.bytes)[0] == .other(.boolean))
  }

  @Test func trailingNULIsToleratedWhenAsked() throws {
    let bytes = try Fixture.bytes("PropertyLists/four-keys.bplist") + [0]
    var options = DecodingOptions()
    options.toleratesTrailingNUL = true
    #expect(try lookup.find(in: bytes.span.bytes, options: options)[1] != .absent)
    let failure = #expect(throws: DecodingFailure.self) { try lookup.find(in: bytes.span.bytes) }
    #expect(failure?.reason == .trailingNUL)
    #expect(failure?.offset == 242)
  }

  @Test func keysOfFourteenCharactersAndNoneAreFound() throws {
    let bytes = try PropertyList.dictionary([
      "": .string("empty"), "fourteen chars": .string("long"), "fourteen char": .null,
    ]).binary()
    let result = try Lookup("fourteen chars", "").find(in: bytes.span.bytes)
    guard case .string(let long) = result[0], case .string(let empty) = result[1] else {
      Issue.record("keys were not found")
      return
    }
    #expect(try long.string(in: bytes.span.bytes) == "long")
    #expect(try empty.string(in: bytes.span.bytes) == "empty")
  }

  @Test func findingAllocatesNothing() async {
    await #expect(processExitsWith: .success) {
      try Self.findWithoutMemory(alsoAllocating: false)
    }
  }

  /// That the process would notice.
  @Test func allocatingWithoutMemoryEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      try Self.findWithoutMemory(alsoAllocating: true)
    }
  }

  private static func findWithoutMemory(alsoAllocating: Bool) throws {
    let bytes = try Fixture.bytes("PropertyLists/four-keys.bplist")
    let lookup = Lookup("identifier", "name", "path", "appInfoURL")
    var found = 0
    var table: ObjectTable?
    func find() {
      if let result = try? lookup.find(in: bytes.span.bytes), result[3] != .absent {
        found += 1
      }
    }
    find()
    table = try ObjectTable(bytes)
    ExhaustedMemory.during {
      for _ in 0..<1000 { find() }
      if alsoAllocating { table = try? ObjectTable(bytes) }
    }
    withExtendedLifetime(table) {}
    guard found == 1001 else { fatalError("\(found) of 1001 found") }
  }

  @Test func rangeOfOtherBytesIsRefused() throws {
    let range = try #require(
      ObjectTable(Fixture.bytes("PropertyLists/four-keys.bplist")).stringRange(8))
    let failure = #expect(throws: DecodingFailure.self) {
      try range.string(in: [UInt8](repeating: 0x41, count: 100).span.bytes)
    }
    #expect(failure?.reason == .objectTruncated)
  }
}

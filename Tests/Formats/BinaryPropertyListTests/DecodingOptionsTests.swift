import BinaryPropertyList
import TestSupport
import Testing

struct DecodingOptionsTests {
  private func hostile(
    _ name: String, _ change: (inout DecodingOptions) -> Void
  ) throws -> PropertyList {
    var options = DecodingOptions()
    change(&options)
    return try PropertyList(
      binary: Fixture.bytes("PropertyLists/hostile/\(name).bplist"), options: options)
  }

  @Test func oneTrailingNULIsToleratedWhenAsked() throws {
    #expect(try hostile("trailing-nul") { $0.toleratesTrailingNUL = true } == .boolean(true))
    #expect(throws: DecodingFailure.self) {
      try hostile("trailing-nul-twice") { $0.toleratesTrailingNUL = true }
    }
    #expect(throws: DecodingFailure.self) {
      try hostile("trailing-byte") { $0.toleratesTrailingNUL = true }
    }
  }

  @Test func loneSurrogatesAreReplacedWhenAsked() throws {
    let texts = [
      "surrogate-high-alone": "\u{fffd}", "surrogate-low-alone": "\u{fffd}",
      "surrogate-high-at-end": "abcd\u{fffd}", "surrogates-swapped": "\u{fffd}\u{fffd}",
      "surrogate-high-twice": "\u{fffd}\u{10000}",
    ]
    for (name, text) in texts {
      #expect(try hostile(name) { $0.replacesLoneSurrogates = true } == .string(text))
    }
  }

  @Test func firstOfEqualKeysIsKeptWhenAsked() throws {
    let value = try hostile("key-twice-among-a-hundred") { $0.keepsFirstOfDuplicateKeys = true }
    guard case .dictionary(let dictionary) = value else {
      Issue.record("no dictionary")
      return
    }
    #expect(dictionary.count == 99)
    #expect(dictionary["key007"] == .boolean(true))
    let small = try hostile("key-same-text-twice") { $0.keepsFirstOfDuplicateKeys = true }
    #expect(small == .dictionary(["k": .boolean(true)]))
  }

  /// What plistlib, plistutil and plutil read of these, as far as they read them.
  @Test(
    arguments: [
      ("ascii-count-16-bytes", .string("a")),
      ("data-count-16-bytes", .data([0x61])), ("utf16-count-16-bytes", .string("慡")),
      ("cycle-in-unused", .boolean(true)), ("key-integer", .dictionary(["1": .boolean(true)])),
      ("key-same-text-twice", .dictionary(["k": .boolean(true)])),
      ("key-same-text-latin1-and-utf16", .dictionary(["é": .boolean(true)])),
      (
        "overlap-strings",
        .array([PropertyList](repeating: .string("aaaaaaaaaaaaaa"), count: 3))
      ),
      ("surrogate-in-unused-string", .boolean(true)), ("trailing-nul", .boolean(true)),
      ("version-01", .boolean(true)),
    ] as [(String, PropertyList)])
  func flawsThatOthersPassOverAreTolerated(_ name: String, _ value: PropertyList) throws {
    #expect(try hostile(name) { $0 = .lenient } == value)
  }

  @Test(
    arguments: [
      ("cycle-array-of-itself", .cycle), ("cycle-behind-root", .cycle),
      ("overlap-arrays-at-one-offset", .cycle), ("key-real", .keyType), ("key-array", .keyType),
      ("array-count-16-bytes", .referenceOutside), ("array-count-2-to-62", .countTooLarge),
      ("trailing-byte", .referenceSize), ("uid-16-bytes", .uidWidth),
      ("ascii-count-2-to-64-less-1", .countTooLarge),
    ] as [(String, DecodingFailure.Reason)])
  func otherFlawsAreNotTolerated(_ name: String, _ reason: DecodingFailure.Reason) {
    let failure = #expect(throws: DecodingFailure.self) { try hostile(name) { $0 = .lenient } }
    #expect(failure?.reason == reason)
  }

  /// An array that the root does not reach contains itself.
  @Test func treeOfWhatContainsItselfIsRefused() throws {
    let table = try ObjectTable(
      Fixture.bytes("PropertyLists/hostile/cycle-in-unused.bplist"), options: .lenient)
    let unreached = try #require((0..<table.count).first { table.kind(of: $0) == .array })
    var options = DecodingOptions.lenient
    options.expansionLimit = .max
    let failure = #expect(throws: DecodingFailure.self) {
      try table.propertyList(unreached, options: options)
    }
    #expect(failure?.reason == .cycle)
  }

  /// A thousand arrays of a thousand references at one place: 2 KB for a million references.
  @Test func overlapThatWouldBeQuadraticIsRefused() throws {
    let count = 1000
    var bytes: [UInt8] = Array("bplist00".utf8)
    bytes += [0xaf, 0x11, UInt8(count >> 8), UInt8(count & 0xff)]
    for _ in 0..<count { bytes += [UInt8(count >> 8), UInt8(count & 0xff)] }
    bytes.append(0x09)
    let table = bytes.count
    for _ in 0..<count { bytes += [0, 8] }
    bytes += [UInt8((table - 1) >> 8), UInt8((table - 1) & 0xff)]
    bytes += [0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, UInt8((count + 1) >> 8)]
    bytes.append(UInt8((count + 1) & 0xff))
    bytes += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 0xff)]
    let failure = #expect(throws: DecodingFailure.self) {
      try PropertyList(binary: bytes, options: .lenient)
    }
    #expect(failure?.reason == .overlap)
  }

  /// A list of a dictionary whose keys and values are the objects given, with a value for all.
  private func dictionary(_ keys: [[UInt8]]) throws -> PropertyList {
    let count = UInt8(keys.count)
    var root: [UInt8] = [0xd0 | count]
    root += 1...count
    root += [UInt8](repeating: count + 1, count: keys.count)
    var objects = [root]
    objects += keys
    objects.append([0x09])
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets
    bytes += [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, UInt8(offsets.count)]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, table]
    return try PropertyList(binary: bytes, options: .lenient)
  }

  /// An integer's value is no count of characters.
  @Test func integerKeysAreComparedByTheirDigits() throws {
    let value = try dictionary([
      [0x51, 0x31], [0x10, 1], [0x13] + [UInt8](repeating: 0xff, count: 8),
    ])
    #expect(value == .dictionary(["1": .boolean(true), "-1": .boolean(true)]))
    let reversed = try dictionary([[0x10, 1], [0x51, 0x31]])
    #expect(reversed == .dictionary(["1": .boolean(true)]))
  }

  /// é in UTF-8, in Latin-1 and in UTF-16.
  @Test func equalKeysAreFoundInAllEncodings() throws {
    let value = try dictionary([[0x52, 0xc3, 0xa9], [0x51, 0xe9], [0x61, 0x00, 0xe9]])
    #expect(value == .dictionary(["é": .boolean(true)]))
  }

  @Test func depthLimitIsHeldExactly() throws {
    let bytes = try Fixture.bytes("PropertyLists/valid/shared-containers.bplist")
    var options = DecodingOptions()
    options.depthLimit = 2
    #expect(throws: Never.self) { try PropertyList(binary: bytes, options: options) }
    options.depthLimit = 1
    let failure = #expect(throws: DecodingFailure.self) {
      try PropertyList(binary: bytes, options: options)
    }
    #expect(failure?.reason == .tooDeep)
    #expect(failure?.offset == 11)
    options.depthLimit = 100_000
    #expect(options.depthLimit == DecodingOptions.maximumDepth)
  }

  @Test func expansionLimitIsHeldExactly() throws {
    // Three containers of two, shared: 1 + 2 + 4 + 8 values where there are 4 objects.
    let objects: [UInt8] = [0xa2, 1, 1, 0xa2, 2, 2, 0xa2, 3, 3, 0x09]
    let table = 8 + UInt8(objects.count)
    let bytes =
      Array("bplist00".utf8) + objects + [8, 11, 14, 17]
      + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 4]
      + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, table]
    var options = DecodingOptions()
    options.expansionLimit = 0
    #expect(throws: Never.self) { try PropertyList(binary: bytes, options: options) }
    let table60 = try ObjectTable(
      Fixture.bytes("PropertyLists/hostile/expansion-2-to-60.bplist"))
    #expect(table60.count == 61)
    #expect(table60.height(of: table60.root) == 61)
    #expect(throws: DecodingFailure.self) { try table60.propertyList(table60.root) }
    #expect(try table60.propertyList(50) == table60.propertyList(50))
  }

  @Test func sharedTextCountsAtEachPlaceWhereAskedFor() throws {
    let bytes = try Fixture.bytes("PropertyLists/expansion-of-text.bplist")
    guard case .array(let elements) = try PropertyList(binary: bytes) else {
      Issue.record("no array")
      return
    }
    #expect(elements.count == 14_000)
    var options = DecodingOptions()
    options.countsText = true
    let failure = #expect(throws: DecodingFailure.self) {
      try PropertyList(binary: bytes, options: options)
    }
    #expect(failure?.reason == .expansion)
    #expect(failure?.offset == 14012)
  }

  @Test func textOfKeysCountsInEachOfEqualRecords() throws {
    let key = String(repeating: "k", count: 64 * 100)
    let records = (0..<100).map { PropertyList.dictionary([key: .integer($0)]) }
    let bytes = try PropertyList.array(records).binary()
    // Each record and its value, and a hundred for the key.
    let count = 100 * (2 + 100)
    var options = DecodingOptions()
    options.countsText = true
    options.expansionLimit = count - bytes.count
    #expect(try PropertyList(binary: bytes, options: options) == .array(records))
    options.expansionLimit -= 1
    let failure = #expect(throws: DecodingFailure.self) {
      try PropertyList(binary: bytes, options: options)
    }
    #expect(failure?.reason == .expansion)
  }
}

import BinaryPropertyList
import TestSupport
import Testing

struct RoundTripTests {
  /// Another for each run, and printed by the issues that name it.
  static let seed = UInt64.random(in: 0...(.max))

  @Test func randomValuesAreReadAsWritten() throws {
    print("seed of randomValuesAreReadAsWritten: \(Self.seed)")
    var source = RandomPropertyList(random: RandomNumbers(seed: Self.seed))
    for round in 0..<2000 {
      let value = source.value(depth: 4)
      let bytes = try value.binary()
      let read = try PropertyList(binary: bytes)
      try #require(read == value, "seed \(Self.seed), round \(round)")
      try #require(read.hashValue == value.hashValue, "seed \(Self.seed), round \(round)")
      try #require(try read.binary() == bytes, "seed \(Self.seed), round \(round)")
      let sorted = try value.binary(options: EncodingOptions(keyOrder: .sorted))
      let again = try PropertyList(binary: sorted).binary()
      try #require(again == sorted, "seed \(Self.seed), round \(round)")
    }
  }

  @Test func rowsOfRecordsAreReadAsWritten() throws {
    // A dictionary takes its keys from the one before when that had the same.
    func record(_ number: Int, _ keys: [String]) throws -> PropertyList {
      try .dictionary(
        PropertyList.Dictionary(
          keys.enumerated().map { ($1, PropertyList.integer(Int64(number + $0))) }))
    }
    let kinds = [
      ["a", "b"], ["b", "a"], [], ["a"], ["a", "b", "a key that is longer than fifteen bytes"],
      ["a", "b", "é", "\u{1F4C4}"],
    ]
    for one in kinds {
      for other in kinds {
        var values: [PropertyList] = []
        for run in [1, 2, 3, 4] {
          for number in 0..<run { values.append(try record(1000 * run + number, one)) }
          values.append(try record(run, other))
          values.append(.dictionary(["inner": try record(run, one), "a": .null]))
        }
        let value = PropertyList.array(values)
        try #require(try PropertyList(binary: value.binary()) == value, "\(one), \(other)")
      }
    }
  }

  @Test func equalKeysInARowOfRecordsKeepTheFirst() throws {
    // Four dictionaries of the key 5 twice and the values 6 and 7.
    var bytes: [UInt8] = Array("bplist00".utf8) + [0xa4, 1, 2, 3, 4]
    for _ in 0..<4 { bytes += [0xd2, 5, 5, 6, 7] }
    bytes += [0x51, 0x61, 0x08, 0x09]
    bytes += [8, 13, 18, 23, 28, 33, 35, 36]
    bytes += [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]
    bytes += [0, 0, 0, 0, 0, 0, 0, 37]
    var options = DecodingOptions()
    options.keepsFirstOfDuplicateKeys = true
    let first = PropertyList.dictionary(["a": .boolean(false)])
    #expect(
      try PropertyList(binary: bytes, options: options) == .array([first, first, first, first]))
  }

  @Test func damagedBytesAreRefusedOrReadTheSameTwice() throws {
    print("seed of damagedBytesAreRefusedOrReadTheSameTwice: \(Self.seed)")
    var random = RandomNumbers(seed: Self.seed)
    var source = RandomPropertyList(random: RandomNumbers(seed: Self.seed ^ 1))
    var originals =
      try ValidFixture.all.map { try $0.bytes } + HostileFixture.all.map { try $0.bytes }
    for _ in 0..<50 {
      originals.append(try source.value(depth: 3).binary())
    }
    var options = DecodingOptions()
    let lookup = Lookup("k", "", "a", "ab")
    var accepted = 0
    for original in originals where original.count < 4000 {
      for _ in 0..<60 {
        var bytes = original
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
          switch Int.random(in: 0..<8, using: &random) {
          case 0: bytes.removeLast(Int.random(in: 0...min(40, bytes.count), using: &random))
          case 1: bytes.remove(at: Int.random(in: 0..<bytes.count, using: &random))
          case 2: bytes.insert(0, at: Int.random(in: 0...bytes.count, using: &random))
          default:
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= bit
          }
        }
        options.replacesLoneSurrogates = Bool.random(using: &random)
        options.keepsFirstOfDuplicateKeys = Bool.random(using: &random)
        options.toleratesTrailingNUL = Bool.random(using: &random)
        let found = try? lookup.find(in: bytes.span.bytes, options: options)
        guard let value = try? PropertyList(binary: bytes, options: options) else { continue }
        accepted += 1
        try #require(try PropertyList(binary: value.binary()) == value, "seed \(Self.seed)")
        let lookedUp = try #require(found, "the lookup refuses it, seed \(Self.seed)")
        try #require(agrees(lookedUp, with: value, bytes, options), "seed \(Self.seed)")
      }
    }
    #expect(accepted > 100, "damage that is never survived tests nothing")
  }

  /// Whether the lookup finds in bytes that the reader accepts what the reader finds.
  private func agrees(
    _ found: LookupResult, with value: PropertyList, _ bytes: [UInt8], _ options: DecodingOptions
  ) -> Bool {
    guard case .dictionary(let dictionary) = value else { return found.root != .dictionary }
    return ["k", "", "a", "ab"].enumerated().allSatisfy { position, key in
      switch (found[position], dictionary[key]) {
      case (.absent, nil): return true
      case (.string(let range), .string(let text)?):
        return (try? range.string(in: bytes.span.bytes, options: options)) == text
      case (.other, .string?): return false
      case (.other, _?): return true
      default: return false
      }
    }
  }
}

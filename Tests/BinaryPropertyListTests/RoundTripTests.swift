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
      #expect(read == value, "seed \(Self.seed), round \(round)")
      #expect(read.hashValue == value.hashValue, "seed \(Self.seed), round \(round)")
      #expect(try read.binary() == bytes, "seed \(Self.seed), round \(round)")
      let sorted = try value.binary(options: EncodingOptions(keyOrder: .sorted))
      let again = try PropertyList(binary: sorted).binary()
      #expect(again == sorted, "seed \(Self.seed), round \(round)")
    }
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
        let found = Result { try lookup.find(in: bytes.span.bytes, options: options) }
        guard let value = try? PropertyList(binary: bytes, options: options) else { continue }
        accepted += 1
        #expect(try PropertyList(binary: value.binary()) == value, "seed \(Self.seed)")
        expectAgreement(found, with: value, bytes, options)
      }
    }
    #expect(accepted > 100, "damage that is never survived tests nothing")
  }

  /// What the lookup finds in bytes that the reader accepts is what the reader finds.
  private func expectAgreement(
    _ found: Result<LookupResult, any Error>, with value: PropertyList, _ bytes: [UInt8],
    _ options: DecodingOptions
  ) {
    guard case .success(let found) = found else {
      Issue.record("the lookup refused what the reader accepts, seed \(Self.seed)")
      return
    }
    guard case .dictionary(let dictionary) = value else {
      #expect(found.root != .dictionary)
      return
    }
    for (position, key) in ["k", "", "a", "ab"].enumerated() {
      switch (found[position], dictionary[key]) {
      case (.absent, nil): break
      case (.string(let range), .string(let text)?):
        let looked = try? range.string(in: bytes.span.bytes, options: options)
        #expect(looked.map { PropertyList.string($0) } == .string(text), "seed \(Self.seed)")
      case (.other, let other?):
        if case .string = other { Issue.record("a string was not found, seed \(Self.seed)") }
      default: Issue.record("lookup and reader differ, seed \(Self.seed)")
      }
    }
  }
}

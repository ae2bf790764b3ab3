import BinaryPropertyList
import BinaryPropertyListCoders
import Foundation
import TestSupport
import Testing

/// Random values, taken from each encoder to each decoder.
struct RandomExchangeTests {
  static let seed =
    ProcessInfo.processInfo.environment["DOCSOURCE_SEED"].flatMap(UInt64.init)
    ?? .random(in: 0 ... .max)

  @Test func randomValuesAreExchangedWithFoundation() throws {
    print("DOCSOURCE_SEED=\(Self.seed)")
    var generator = SplitMix(state: Self.seed)
    for _ in 0..<150 {
      let value = RandomValue(using: &generator, depth: 3)
      let data = try BinaryPropertyListEncoder().encode(value)
      let decoder = BinaryPropertyListDecoder()
      let comment = Comment("seed \(Self.seed)")
      try #require(try decoder.decode(RandomValue.self, from: data) == value, comment)
      try #require(try Foundations.decode(RandomValue.self, from: data) == value, comment)
      let theirs = try Foundations.encode(value)
      try #require(try decoder.decode(RandomValue.self, from: theirs) == value, comment)
    }
  }

  @Test func randomValuesHaveTheBytesOfTheEqualTree() throws {
    print("DOCSOURCE_SEED=\(Self.seed)")
    var generator = SplitMix(state: Self.seed)
    for _ in 0..<150 {
      let value = RandomValue(using: &generator, depth: 3)
      let bytes = try BinaryPropertyListEncoder().encodeBytes(of: value)
      let tree = try PropertyList(binary: bytes)
      try #require(try tree.binary() == bytes, "seed \(Self.seed)")
      let sorted = EncodingOptions(keyOrder: .sorted)
      let sortedBytes = try BinaryPropertyListEncoder(options: sorted).encodeBytes(of: value)
      try #require(try tree.binary(options: sorted) == sortedBytes, "seed \(Self.seed)")
    }
  }

  @Test func damagedBytesAreRefusedOrRead() throws {
    print("DOCSOURCE_SEED=\(Self.seed)")
    var generator = SplitMix(state: Self.seed)
    let original = try BinaryPropertyListEncoder().encodeBytes(
      of: RandomValue(using: &generator, depth: 1))
    var outcomes = 0
    for _ in 0..<3000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        bytes[Int.random(in: 8..<bytes.count, using: &generator)] =
          UInt8.random(in: 0...255, using: &generator)
      }
      do {
        _ = try BinaryPropertyListDecoder().decode(RandomValue.self, from: bytes)
        outcomes += 1
      } catch {
        try #require(CodingPlace(error) != nil, "seed \(Self.seed): \(error)")
        outcomes += 1
      }
    }
    #expect(outcomes == 3000)
  }
}

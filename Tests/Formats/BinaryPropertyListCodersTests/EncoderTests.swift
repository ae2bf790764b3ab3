import BinaryPropertyList
import BinaryPropertyListCoders
import Foundation
import Testing

struct EncoderTests {
  typealias Encoding = Samples.Encoding
  typealias Step = Samples.Step

  private static func tree(_ value: some Encodable) throws -> PropertyList {
    try PropertyList(binary: BinaryPropertyListEncoder().encodeBytes(of: value))
  }

  private static func failure(of value: some Encodable) -> CodingPlace? {
    CodingPlace.thrown { _ = try BinaryPropertyListEncoder().encode(value) }
  }

  @Test func integersTakeCoreFoundationsWidths() throws {
    let expected: [(any Encodable, [UInt8])] = [
      ([UInt(255)], [0x10, 0xff]), ([UInt8(1)], [0x10, 1]), ([256], [0x11, 1, 0]),
      ([Int128(65536)], [0x12, 0, 1, 0, 0]),
      ([Int8(-1)], [0x13] + [UInt8](repeating: 0xff, count: 8)),
      ([UInt64.max], [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xff, count: 8)),
      ([Int128.max], [0x14, 0x7f] + [UInt8](repeating: 0xff, count: 15)),
      ([Int128.min], [0x14, 0x80] + [UInt8](repeating: 0, count: 15)),
      ([UInt128(1) << 64], [0x14, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
    ]
    for (value, object) in expected {
      let bytes = try BinaryPropertyListEncoder().encodeBytes(of: value)
      #expect(Array(bytes[10..<bytes.count - 34]) == object, "\(value)")
    }
  }

  @Test func integersAboveTheFormatsAreRefusedWithTheirPath() {
    let text = "integers above Int128.max have no encoding"
    #expect(
      Self.failure(of: ["a": [0, UInt128.max]])
        == CodingPlace("invalidValue", ["a", "Index 1"], text))
    #expect(
      Self.failure(of: ["a": UInt128.max as UInt128?]) == CodingPlace("invalidValue", ["a"], text))
    #expect(
      Self.failure(
        of: Encoding { encoder in
          var container = encoder.container(keyedBy: Step.self)
          try container.encode(UInt128.max, forKey: .x)
        }) == CodingPlace("invalidValue", ["x"], text))
  }

  @Test func keysKeepTheirOrderOrAreSorted() throws {
    struct Keys: Encodable {
      var b = 1
      var accented = 2
      var a = 3
      var aa = 4

      enum CodingKeys: String, CodingKey {
        case b
        case accented = "é"
        case a
        case aa
      }
    }
    let names = { (options: EncodingOptions) throws -> [String] in
      let bytes = try BinaryPropertyListEncoder(options: options).encodeBytes(of: Keys())
      guard case .dictionary(let dictionary) = try PropertyList(binary: bytes) else { return [] }
      return Array(dictionary.keys)
    }
    #expect(try names(EncodingOptions()) == ["b", "é", "a", "aa"])
    #expect(try names(EncodingOptions(keyOrder: .sorted)) == ["a", "aa", "b", "é"])
  }

  @Test func topLevelScalarsAreRefusedInFoundationsWords() {
    func fragment(_ type: String, _ kind: String) -> CodingPlace {
      CodingPlace(
        "invalidValue", [], "Top-level \(type) encoded as \(kind) property list fragment.")
    }
    #expect(Self.failure(of: 5) == fragment("Int", "number"))
    #expect(Self.failure(of: 5.5) == fragment("Double", "number"))
    #expect(Self.failure(of: Float(1)) == fragment("Float", "number"))
    #expect(Self.failure(of: "a") == fragment("String", "string"))
    #expect(Self.failure(of: true) == fragment("Bool", "boolean"))
    #expect(Self.failure(of: Date.distantPast) == fragment("Date", "date"))
    #expect(Self.failure(of: Int?.none) == fragment("Optional<Int>", "string"))
    #expect(Self.failure(of: Samples.Word.one) == fragment("Word", "string"))
    #expect(
      Self.failure(of: Samples.Empty())
        == CodingPlace("invalidValue", [], "Top-level Empty did not encode any values."))
  }

  @Test func repeatedKeyKeepsItsPlaceAndTakesTheLastValue() throws {
    let value = Encoding { encoder in
      var container = encoder.container(keyedBy: Step.self)
      try container.encode([1], forKey: .x)
      try container.encode(2, forKey: .y)
      try container.encode("last", forKey: .x)
    }
    #expect(try Self.tree(value) == .dictionary(["x": .string("last"), "y": .integer(2)]))
  }

  @Test func repeatedKeysOfBigDictionariesAreFound() throws {
    let value = Encoding { encoder in
      var container = encoder.singleValueContainer()
      try container.encode(
        Encoding { encoder in
          var container = encoder.container(keyedBy: Number.self)
          for number in 0..<100 { try container.encode(number, forKey: Number(number)) }
          for number in 0..<100 { try container.encode(-number, forKey: Number(number)) }
        })
    }
    let expected = PropertyList.Dictionary((0..<100).map { ("\($0)", .integer(Int64(-$0))) }) {
      $1
    }
    #expect(try Self.tree(value) == .dictionary(expected))
  }

  @Test func nestedContainersOfOneKeyAreOne() throws {
    let value = Encoding { encoder in
      var container = encoder.container(keyedBy: Step.self)
      var first = container.nestedContainer(keyedBy: Step.self, forKey: .x)
      var list = container.nestedUnkeyedContainer(forKey: .y)
      try first.encode(1, forKey: .x)
      try list.encode(1)
      var second = container.nestedContainer(keyedBy: Step.self, forKey: .x)
      try second.encode(2, forKey: .y)
      var more = container.nestedUnkeyedContainer(forKey: .y)
      try more.encode(2)
      try list.encode(3)
      var inner = list.nestedContainer(keyedBy: Step.self)
      try inner.encode(4, forKey: .z)
      _ = more.nestedUnkeyedContainer()
    }
    let list: [PropertyList] = [
      .integer(1), .integer(2), .integer(3), .dictionary(["z": .integer(4)]), .array([]),
    ]
    #expect(
      try Self.tree(value)
        == .dictionary([
          "x": .dictionary(["x": .integer(1), "y": .integer(2)]), "y": .array(list),
        ]))
    #expect(try Foundations.encode(value) == BinaryPropertyListEncoder().encode(value))
  }

  @Test func superEncodersFillTheirPlaceLater() throws {
    let value = Encoding { encoder in
      var container = encoder.container(keyedBy: Step.self)
      let above = container.superEncoder()
      let named = container.superEncoder(forKey: .y)
      try container.encode(1, forKey: .x)
      var single = named.singleValueContainer()
      try single.encode("late")
      var list = above.unkeyedContainer()
      var element = list.superEncoder().singleValueContainer()
      _ = list.superEncoder()
      try element.encodeNil()
    }
    #expect(
      try Self.tree(value)
        == .dictionary([
          "super": .array([.string("$null"), .dictionary([:])]), "y": .string("late"),
          "x": .integer(1),
        ]))
  }

  @Test func valuesThatFailedLeaveNothing() throws {
    struct Failure: Error {}
    let bad = Encoding { encoder in
      var container = encoder.unkeyedContainer()
      try container.encode("partial")
      throw Failure()
    }
    let value = Encoding { encoder in
      var container = encoder.container(keyedBy: Step.self)
      try? container.encode(bad, forKey: .x)
      var list = container.nestedUnkeyedContainer(forKey: .y)
      try list.encode(1)
      try? list.encode(bad)
      try list.encode(2)
      #expect(list.count == 2)
      try? container.encode(bad, forKey: .z)
      try container.encode(3, forKey: .z)
    }
    #expect(
      try Self.tree(value)
        == .dictionary(["y": .array([.integer(1), .integer(2)]), "z": .integer(3)]))
    #expect(throws: Failure.self) { try BinaryPropertyListEncoder().encode([bad]) }
  }

  @Test func secondValuesInOnePlaceAreErrors() {
    let twice = Encoding { encoder in
      var container = encoder.singleValueContainer()
      try container.encode(1)
      try container.encode(2)
    }
    #expect(
      Self.failure(of: [twice])
        == CodingPlace(
          "invalidValue", ["Index 0"], "a second value was encoded where a value is already encoded"
        ))
    let mixed = Encoding { encoder in
      _ = encoder.container(keyedBy: Step.self)
      _ = encoder.unkeyedContainer()
    }
    #expect(
      Self.failure(of: ["k": mixed])
        == CodingPlace(
          "invalidValue", ["k"], "a container was requested where a value is already encoded"))
  }

  @Test func pathsLeadThroughAllContainers() {
    struct Failure: Error {}
    let value = Encoding { encoder in
      var container = encoder.container(keyedBy: Step.self)
      var list = container.nestedUnkeyedContainer(forKey: .y)
      try list.encode(0)
      #expect(list.codingPath.map(\.stringValue) == ["Index 0", "y"])
      let above = list.superEncoder()
      #expect(above.codingPath.map(\.stringValue) == ["Index 0", "y", "Index 1"])
      #expect(above.codingPath.last?.intValue == 1)
      let named = container.superEncoder()
      #expect(named.codingPath.map(\.stringValue) == ["Index 0", "super"])
      throw EncodingError.invalidValue(
        0, EncodingError.Context(codingPath: above.codingPath, debugDescription: "own"))
    }
    #expect(
      Self.failure(of: [value])
        == CodingPlace("invalidValue", ["Index 0", "y", "Index 1"], "own"))
  }

  @Test func nestingReachesTheDepthLimitAndNoDeeper() throws {
    let deepest = Samples.Nest(depth: DecodingOptions.maximumDepth)
    let bytes = try BinaryPropertyListEncoder().encodeBytes(of: deepest)
    #expect(try BinaryPropertyListDecoder().decode(Samples.Nest.self, from: bytes) == deepest)
    let path = [String](repeating: "Index 0", count: DecodingOptions.maximumDepth)
    #expect(
      Self.failure(of: Samples.Nest(depth: DecodingOptions.maximumDepth + 1))
        == CodingPlace("invalidValue", path, "containers are nested too deeply"))
  }

  @Test func valuesThatOnlyEncodeThemselvesAreRefused() {
    #expect(
      Self.failure(of: ["a": Samples.Endless()])
        == CodingPlace("invalidValue", ["a"], "containers are nested too deeply"))
  }

  @Test func encoderThatWasKeptReachesNoLaterValue() throws {
    final class Keeper: @unchecked Sendable {
      var encoder: (any Encoder)?
    }
    let keeper = Keeper()
    let coder = BinaryPropertyListEncoder()
    let value = Encoding { encoder in
      var container = encoder.unkeyedContainer()
      keeper.encoder = container.superEncoder()
    }
    let first = try coder.encodeBytes(of: value)
    var late = try #require(keeper.encoder).container(keyedBy: Step.self)
    try late.encode("late", forKey: .x)
    #expect(try coder.encodeBytes(of: [1]) == PropertyList.array([.integer(1)]).binary())
    try late.encode("later", forKey: .y)
    keeper.encoder = nil
    #expect(try coder.encodeBytes(of: value) == first)
  }

  @Test func oneEncoderServesManyTasks() async throws {
    let coder = BinaryPropertyListEncoder()
    let expected = try (0..<50).map { try PropertyList.array([.integer($0)]).binary() }
    try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      for number in 0..<2000 {
        group.addTask { (number % 50, try coder.encodeBytes(of: [number % 50])) }
      }
      for try await (number, bytes) in group { try #require(bytes == expected[number]) }
    }
  }

  @Test func failureLeavesTheEncoderUsable() throws {
    let coder = BinaryPropertyListEncoder()
    #expect(throws: EncodingError.self) { try coder.encode(["a": UInt128.max]) }
    #expect(throws: EncodingError.self) { try coder.encode("fragment") }
    #expect(try coder.encodeBytes(of: [1]) == PropertyList.array([.integer(1)]).binary())
  }

  @Test func userInfoIsHandedOn() throws {
    let key = try #require(CodingUserInfoKey(rawValue: "k"))
    var encoder = BinaryPropertyListEncoder()
    encoder.userInfo[key] = 5
    let value = Encoding { encoder in
      var container = encoder.unkeyedContainer()
      try container.encode(encoder.userInfo[key] as? Int)
    }
    let bytes = try encoder.encodeBytes(of: [value])
    #expect(try PropertyList(binary: bytes) == .array([.array([.integer(5)])]))
  }

  @Test func manyEqualLeavesAreWrittenOnce() throws {
    let values = (0..<2000).map { "text \($0 % 300)" }
    let bytes = try BinaryPropertyListEncoder().encodeBytes(of: values)
    #expect(try ObjectTable(bytes).count == 301)
    #expect(try BinaryPropertyListDecoder().decode([String].self, from: bytes) == values)
  }

  private struct Number: CodingKey {
    let intValue: Int?
    let stringValue: String

    init(_ number: Int) {
      intValue = number
      stringValue = "\(number)"
    }

    init?(intValue: Int) { nil }
    init?(stringValue: String) { nil }
  }
}

import BinaryPropertyList
import BinaryPropertyListCoders
import Foundation
import TestSupport
import Testing

struct DecoderTests {
  typealias Box = Samples.Box
  typealias Step = Samples.Step

  /// Decodes by a function of the test's.
  private struct Probe: Decodable {
    static let bodyKey = CodingUserInfoKey(rawValue: "body")

    init(from decoder: any Decoder) throws {
      guard let key = Self.bodyKey,
        let body = decoder.userInfo[key] as? @Sendable (any Decoder) throws -> Void
      else { return }
      try body(decoder)
    }
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, _ list: PropertyList, options: DecodingOptions = DecodingOptions()
  ) throws -> Value {
    try BinaryPropertyListDecoder(options: options).decode(type, from: list.binary())
  }

  private static func failure<Value: Decodable>(
    _ type: Value.Type, _ list: PropertyList
  ) -> CodingPlace? {
    CodingPlace.thrown { _ = try decode(type, list) }
  }

  private static func probe(
    _ list: PropertyList, _ body: @escaping @Sendable (any Decoder) throws -> Void
  ) throws {
    var decoder = BinaryPropertyListDecoder()
    decoder.userInfo[try #require(Probe.bodyKey)] = body
    _ = try decoder.decode([Probe].self, from: PropertyList.array([list]).binary())
  }

  @Test func wrongKindsNameTypeAndPath() {
    let list = PropertyList.dictionary(["value": .array([.string("x")])])
    #expect(
      Self.failure(Box<[Int]>.self, list)
        == CodingPlace(
          "typeMismatch", ["value", "Index 0"], "Expected to decode Int but found a string instead."
        ))
    #expect(
      Self.failure(Box<[Date]>.self, list)
        == CodingPlace(
          "typeMismatch", ["value", "Index 0"],
          "Expected to decode Date but found a string instead."))
    #expect(
      Self.failure(Box<Data>.self, list)
        == CodingPlace(
          "typeMismatch", ["value"], "Expected to decode Data but found an array instead."))
    #expect(
      Self.failure(Box<Box<Int>>.self, list)
        == CodingPlace(
          "typeMismatch", ["value"],
          "Expected to decode Dictionary<String, Any> but found an array instead."))
    #expect(
      Self.failure([Int].self, list)
        == CodingPlace(
          "typeMismatch", [], "Expected to decode Array<Any> but found a dictionary instead."))
    #expect(
      Self.failure([Bool].self, .array([.integer(1)]))
        == CodingPlace(
          "typeMismatch", ["Index 0"], "Expected to decode Bool but found an integer instead."))
    #expect(
      Self.failure([Int].self, .array([.uid(1)]))
        == CodingPlace(
          "typeMismatch", ["Index 0"], "Expected to decode Int but found a uid instead."))
  }

  @Test func missingKeysAndValuesAreNamed() {
    #expect(
      Self.failure(Box<Int>.self, .dictionary(["other": .null]))
        == CodingPlace(
          "keyNotFound", [],
          "No value associated with key CodingKeys(stringValue: \"value\", intValue: nil) (\"value\")."
        ))
    for null in [PropertyList.null, .string("$null")] {
      #expect(
        Self.failure([Box<Int>].self, .array([.dictionary(["value": null])]))
          == CodingPlace(
            "valueNotFound", ["Index 0", "value"],
            "Cannot get value of Int -- found null value instead"))
      #expect(
        Self.failure([Box<Int>].self, .array([null]))
          == CodingPlace(
            "valueNotFound", ["Index 0"],
            "Cannot get keyed decoding container -- found null value instead"))
      #expect(
        Self.failure([[Int]].self, .array([null]))
          == CodingPlace(
            "valueNotFound", ["Index 0"],
            "Cannot get unkeyed decoding container -- found null value instead"))
    }
    #expect(
      Self.failure([String].self, .array([.null]))
        == CodingPlace(
          "valueNotFound", ["Index 0"], "Cannot get value of String -- found null value instead"))
  }

  @Test func nullTextIsATextWhereOneIsAskedFor() throws {
    let list = PropertyList.array([.string("$null")])
    #expect(try Self.decode([String].self, list) == ["$null"])
    #expect(try Self.decode([String?].self, list) == [nil])
  }

  @Test func integersThatDoNotFitAreErrors() throws {
    func misfit(_ number: String, _ type: String) -> CodingPlace {
      CodingPlace(
        "dataCorrupted", ["Index 0"],
        "Parsed property list number <\(number)> does not fit in \(type).")
    }
    let big = PropertyList.array([.integer(300)])
    #expect(Self.failure([Int8].self, big) == misfit("300", "Int8"))
    #expect(Self.failure([UInt8].self, big) == misfit("300", "UInt8"))
    let negative = PropertyList.array([.integer(-1)])
    #expect(Self.failure([UInt].self, negative) == misfit("-1", "UInt"))
    #expect(Self.failure([UInt128].self, negative) == misfit("-1", "UInt128"))
    let wide = PropertyList.array([.wideInteger(Int128(UInt64.max))])
    #expect(Self.failure([Int64].self, wide) == misfit("18446744073709551615", "Int64"))
    #expect(try Self.decode([UInt64].self, wide) == [.max])
    #expect(try Self.decode([Int128].self, wide) == [Int128(UInt64.max)])
    #expect(try Self.decode([Int128].self, .array([.wideInteger(.min)])) == [.min])
  }

  @Test func numbersAreConvertedAsFoundationDoes() throws {
    #expect(try Self.decode([Int].self, .array([.real(3), .float(4)])) == [3, 4])
    #expect(
      Self.failure([Int].self, .array([.real(3.5)]))
        == CodingPlace(
          "dataCorrupted", ["Index 0"], "Parsed property list number <3.5> does not fit in Int."))
    #expect(try Self.decode([Float].self, .array([.integer(16_777_217)])) == [16_777_216])
    #expect(try Self.decode([Double].self, .array([.float(0.1)])) == [Double(Float(0.1))])
    #expect(
      Self.failure([Float].self, .array([.real(0.1)]))
        == CodingPlace(
          "dataCorrupted", ["Index 0"], "Parsed property list number <0.1> does not fit in Float."))
    #expect(try Self.decode([Float].self, .array([.real(.nan)]))[0].isNaN)
  }

  @Test func setsAreReadAsLists() throws {
    #expect(try Self.decode([Int].self, .set([.integer(1), .integer(2)])) == [1, 2])
    #expect(try Self.decode(Set<Int>.self, .orderedSet([.integer(1)])) == [1])
  }

  @Test func latin1IsRead() throws {
    // A list of one string object of the byte e9, as old versions of iTunes wrote it.
    var bytes = try PropertyList.array([.string("e")]).binary()
    bytes[11] = 0xe9
    #expect(try BinaryPropertyListDecoder().decode([String].self, from: bytes) == ["é"])
    var key = try PropertyList.dictionary(["e": .integer(1)]).binary()
    key[12] = 0xe9
    #expect(try BinaryPropertyListDecoder().decode([String: Int].self, from: key) == ["é": 1])
  }

  @Test func keysOfOtherCompositionAreFoundUnlessTheExactOneIsThere() throws {
    struct Keyed: Decodable {
      var word: Int

      enum CodingKeys: String, CodingKey { case word = "caf\u{e9}" }
    }
    #expect(
      try Self.decode(Keyed.self, .dictionary(["cafe\u{301}": .integer(1)])).word == 1)
    #expect(
      try Self.decode(
        Keyed.self, .dictionary(["cafe\u{301}": .integer(1), "caf\u{e9}": .integer(2)])
      ).word == 2)
  }

  @Test func kelvinSignIsTheLetterItIsEqualTo() throws {
    let list = PropertyList.dictionary(["\u{212a}": .integer(1)])
    struct Keyed: Decodable {
      var letter: Int

      enum CodingKeys: String, CodingKey { case letter = "K" }
    }
    #expect(try Self.decode(Keyed.self, list).letter == 1)
    #expect(try Foundations.decode(Keyed.self, from: Data(list.binary())).letter == 1)
  }

  @Test func firstOfDuplicateKeysCountsWhenAsked() throws {
    // Two keys "a" and "b", of which the second is then spelled as the first.
    var bytes = try PropertyList.dictionary(["a": .integer(1), "b": .integer(2)]).binary()
    let position = try #require(bytes.lastIndex(of: UInt8(ascii: "b")))
    bytes[position] = UInt8(ascii: "a")
    struct Keyed: Decodable {
      var a: Int
      var again: Int

      enum CodingKeys: String, CodingKey { case a }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        a = try container.decode(Int.self, forKey: .a)
        again = try container.decode(Int.self, forKey: .a)
        #expect(container.allKeys == [.a])
      }
    }
    var options = DecodingOptions()
    options.keepsFirstOfDuplicateKeys = true
    let decoder = BinaryPropertyListDecoder(options: options)
    let value = try decoder.decode(Keyed.self, from: bytes)
    #expect((value.a, value.again) == (1, 1))
    #expect(try decoder.decode([String: Int].self, from: bytes) == ["a": 1])
    #expect(
      CodingPlace.thrown { _ = try BinaryPropertyListDecoder().decode(Keyed.self, from: bytes) }
        == CodingPlace(
          "dataCorrupted", [],
          "The given data was not a valid property list: a dictionary key occurs twice (at byte 10)"
        ))
  }

  @Test func keysAreFoundInAnyOrder() throws {
    struct Many: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for number in (0..<100).reversed() {
          try #require(try container.decode(Int.self, forKey: Key(number)) == number)
          try #require(container.contains(Key(number)))
          try #require(!container.contains(Key(number + 1000)))
        }
        #expect(try container.decodeIfPresent(Int.self, forKey: Key(100)) == nil)
        #expect(container.allKeys.map(\.stringValue) == (0..<100).map { "\($0)" })
      }

      struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ number: Int) { stringValue = "\(number)" }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }
    }
    let entries = (0..<100).map { ("\($0)", PropertyList.integer(Int64($0))) }
    _ = try Self.decode(Many.self, .dictionary(PropertyList.Dictionary(entries)))
  }

  @Test func unkeyedContainersStayAtWhatFailed() throws {
    try Self.probe(.array([.integer(1), .null])) { decoder in
      var container = try decoder.unkeyedContainer()
      #expect(container.count == 2)
      #expect(
        CodingPlace.thrown { _ = try container.decode(String.self) }
          == CodingPlace(
            "typeMismatch", ["Index 0", "Index 0"],
            "Expected to decode String but found an integer instead."))
      #expect(container.currentIndex == 0)
      #expect(try container.decode(Int8.self) == 1)
      #expect(try container.decodeNil())
      #expect(container.isAtEnd)
      let end = CodingPlace(
        "valueNotFound", ["Index 0", "Index 2"], "Unkeyed container is at end.")
      #expect(CodingPlace.thrown { _ = try container.decode(Int.self) } == end)
      #expect(CodingPlace.thrown { _ = try container.decodeNil() } == end)
      #expect(CodingPlace.thrown { _ = try container.superDecoder() } == end)
      #expect(CodingPlace.thrown { _ = try container.nestedUnkeyedContainer() } == end)
      #expect(try container.decodeIfPresent(Int.self) == nil)
    }
  }

  @Test func superDecodersOfMissingKeysHaveNoValue() throws {
    try Self.probe(.dictionary(["x": .array([.integer(1)])])) { decoder in
      let container = try decoder.container(keyedBy: Step.self)
      let above = try container.superDecoder()
      #expect(above.codingPath.map(\.stringValue) == ["Index 0", "super"])
      #expect(try above.singleValueContainer().decodeNil())
      #expect(try above.singleValueContainer().decode(Int?.self) == nil)
      #expect(
        CodingPlace.thrown { _ = try above.singleValueContainer().decode(Int.self) }
          == CodingPlace(
            "valueNotFound", ["Index 0", "super"],
            "Cannot get value of Int -- found null value instead"))
      #expect(
        CodingPlace.thrown { _ = try above.unkeyedContainer() }
          == CodingPlace(
            "valueNotFound", ["Index 0", "super"],
            "Cannot get unkeyed decoding container -- found null value instead"))
      var list = try container.superDecoder(forKey: .x).unkeyedContainer()
      #expect(try list.decode(UInt8.self) == 1)
      #expect(try container.nestedUnkeyedContainer(forKey: .x).count == 1)
      #expect(
        CodingPlace.thrown { _ = try container.nestedContainer(keyedBy: Step.self, forKey: .x) }
          == CodingPlace(
            "typeMismatch", ["Index 0", "x"],
            "Expected to decode Dictionary<String, Any> but found an array instead."))
      #expect(
        CodingPlace.thrown { _ = try container.decodeNil(forKey: .y) }
          == CodingPlace(
            "keyNotFound", ["Index 0"],
            "No value associated with key Step(stringValue: \"y\", intValue: nil) (\"y\")."))
    }
  }

  @Test func damageIsReportedWithReasonAndOffset() throws {
    let bytes = try Fixture.bytes("PropertyLists/four-keys.bplist").dropLast(1)
    do {
      _ = try BinaryPropertyListDecoder().decode(Samples.Four.self, from: Array(bytes))
      Issue.record("the bytes were read")
    } catch DecodingError.dataCorrupted(let context) {
      let failure = try #require(context.underlyingError as? DecodingFailure)
      #expect(
        context.debugDescription == "The given data was not a valid property list: \(failure)")
      #expect(context.codingPath.isEmpty)
      #expect(#expect(throws: failure) { try ObjectTable(Array(bytes)) } != nil)
    }
  }

  @Test func emptyAndForeignBytesAreRefused() {
    let reason =
      "The given data was not a valid property list: not a binary property list (at byte 0)"
    for data in [Data(), Data("<?xml version=\"1.0\"?>".utf8), Data("{ a = 1; }".utf8)] {
      #expect(
        CodingPlace.thrown { _ = try BinaryPropertyListDecoder().decode([Int].self, from: data) }
          == CodingPlace("dataCorrupted", [], reason))
    }
  }

  @Test func slicesOfDataAreRead() throws {
    let data = try BinaryPropertyListEncoder().encode([1, 2])
    let slice = (Data([9, 9]) + data + Data([9])).dropFirst(2).dropLast()
    #expect(try BinaryPropertyListDecoder().decode([Int].self, from: slice) == [1, 2])
  }
}

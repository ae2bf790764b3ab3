import BinaryPropertyList
import BinaryPropertyListCoders
import Foundation
import Testing

/// What one encoder writes the other's decoder reads.
struct FoundationExchangeTests {
  typealias Box = Samples.Box

  @Test func integersOfAllWidths() throws {
    try Foundations.exchange([Int8.min, -1, 0, 1, .max])
    try Foundations.exchange([Int16.min, -129, 0, 255, 256, .max])
    try Foundations.exchange([Int32.min, -32769, 0, 65535, 65536, .max])
    try Foundations.exchange([Int64.min, -1, 0, 0xffff_ffff, 0x1_0000_0000, .max])
    try Foundations.exchange([Int.min, 0, .max])
    try Foundations.exchange([UInt8.min, .max])
    try Foundations.exchange([UInt16.min, .max])
    try Foundations.exchange([UInt32.min, .max])
    try Foundations.exchange([UInt64.min, UInt64(Int64.max), UInt64(Int64.max) + 1, .max])
    try Foundations.exchange([UInt.min, .max])
  }

  @Test func floatsAndDoublesKeepTheirBits() throws {
    try Foundations.exchange([Float.pi, 0, .infinity, .leastNonzeroMagnitude])
    try Foundations.exchange([Double.pi, 0, -.infinity, .leastNonzeroMagnitude])
    let bytes = try BinaryPropertyListEncoder().encodeBytes(of: [Double(-0.0), 0.0, .nan])
    let read = try Foundations.decode([Double].self, from: Data(bytes))
    #expect(read.map(\.sign) == [.minus, .plus, .plus])
    #expect(read[2].isNaN)
    // Both keep floats apart from doubles.
    #expect(
      try BinaryPropertyListEncoder().encode([Float(1.5)]) == Foundations.encode([Float(1.5)]))
  }

  @Test func textsDataDatesAndURLs() throws {
    try Foundations.exchange(["", "a", "a\0b", "é", "日本語", "😀", String(repeating: "x", count: 300)])
    try Foundations.exchange([Data(), Data([0, 255]), Data(repeating: 7, count: 70_000)])
    try Foundations.exchange(
      [Date(timeIntervalSinceReferenceDate: 1.25), .distantPast, .distantFuture])
    let base = try #require(URL(string: "https://example.org/a/"))
    try Foundations.exchange([base, try #require(URL(string: "b?c", relativeTo: base))])
    try Foundations.exchange([UUID()])
    try Foundations.exchange([Decimal(string: "-12.50")])
    try Foundations.exchange([true, false])
  }

  @Test func dataDatesAndURLsHaveFoundationsBytes() throws {
    let base = try #require(URL(string: "https://example.org/a/"))
    let relative = try #require(URL(string: "b?c", relativeTo: base))
    let encoder = BinaryPropertyListEncoder()
    #expect(try encoder.encode(["k": Data([1])]) == Foundations.encode(["k": Data([1])]))
    #expect(try encoder.encode(["k": base]) == Foundations.encode(["k": base]))
    #expect(try encoder.encode(["k": relative]) == Foundations.encode(["k": relative]))
    let date = Date(timeIntervalSinceReferenceDate: .nan)
    #expect(try encoder.encode(["k": date]) == Foundations.encode(["k": date]))
  }

  @Test func optionals() throws {
    try Foundations.exchange([1, nil, 3])
    try Foundations.exchange(["a", nil])
    try Foundations.exchange([[1, nil], nil])
    try Foundations.exchange(["a": nil, "b": 2])
    try Foundations.exchange([Data([1]), nil])
    #expect(
      try BinaryPropertyListEncoder().encode([nil, 3] as [Int?])
        == Foundations.encode([nil, 3] as [Int?]))
  }

  @Test func dictionariesByAllKindsOfKeys() throws {
    try Foundations.exchange(["a": 1, "b": 2])
    try Foundations.exchange([1: "a", -2: "b"])
    try Foundations.exchange([Samples.Word.one: 1, .two: 2])
    try Foundations.exchange([Samples.PlainWord.one: 1])
    try Foundations.exchange([Samples.Number.two: 1])
    try Foundations.exchange([1.5: 1])
    try Foundations.exchange(["a": ["b": ["c": [1]]], "d": [:]])
  }

  @Test func enumsWithAndWithoutAssociatedValues() throws {
    try Foundations.exchange([
      Samples.Shape.none, .circle(1.5), .labelled(text: "t", sides: nil),
      .labelled(text: "u", sides: 4),
    ])
    try Foundations.exchange([Samples.Word.two])
    try Foundations.exchange([Samples.Number.one])
    try Foundations.exchange([1..<3])
    try Foundations.exchange(Set([1, 2, 3]))
  }

  @Test func classesWithInheritance() throws {
    let value = Samples.Derived(first: 7, second: "s")
    let ours = try BinaryPropertyListEncoder().encode(value)
    #expect(try ours == Foundations.encode(value))
    let read = try Foundations.decode(Samples.Derived.self, from: ours)
    #expect((read.first, read.second) == (7, "s"))
    let back = try BinaryPropertyListDecoder().decode(Samples.Derived.self, from: ours)
    #expect((back.first, back.second) == (7, "s"))
  }

  @Test func emptyValuesAreDictionaries() throws {
    try Foundations.exchange([Samples.Empty()])
    #expect(
      try BinaryPropertyListEncoder().encode([Samples.Empty()])
        == Foundations.encode([Samples.Empty()]))
  }

  @Test func topLevelDataAloneOfScalarsIsWritten() throws {
    #expect(
      try BinaryPropertyListEncoder().encode(Data([1, 2])) == Foundations.encode(Data([1, 2])))
    let url = try #require(URL(string: "https://example.org"))
    #expect(try BinaryPropertyListEncoder().encode(url) == Foundations.encode(url))
    #expect(throws: EncodingError.self) { try Foundations.encode(5) }
  }

  @Test func topLevelScalarsAreRead() throws {
    func read<Value: Decodable>(_ list: PropertyList, as type: Value.Type) throws -> Value {
      let bytes = try list.binary()
      return try BinaryPropertyListDecoder().decode(type, from: bytes)
    }
    #expect(try read(.integer(5), as: Int.self) == 5)
    #expect(try read(.string("a"), as: String.self) == "a")
    #expect(try read(.boolean(true), as: Bool.self))
    #expect(try read(.null, as: Int?.self) == nil)
    #expect(try read(.string("$null"), as: Int?.self) == nil)
    #expect(
      try read(.date(secondsSinceReferenceDate: 5), as: Date.self).timeIntervalSinceReferenceDate
        == 5)
  }

  @Test func fourStringsHaveFoundationsBytes() throws {
    let value = Samples.Four(
      identifier: "com.appliedphasor.working-copy", name: "Working Copy",
      path: "directory/filename.ext",
      appInfoURL: "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json")
    #expect(try BinaryPropertyListEncoder().encode(value) == Foundations.encode(value))
    try Foundations.exchange(value)
  }
}

import BinaryPropertyList
import Testing

struct DictionaryTests {
  @Test func keysDifferByBytes() {
    var dictionary = PropertyList.Dictionary()
    dictionary["\u{e9}"] = .integer(1)
    dictionary["e\u{301}"] = .integer(2)
    #expect(dictionary.count == 2)
    #expect(dictionary["\u{e9}"] == .integer(1))
  }

  @Test(arguments: [3, 8, 9, 100, 200_000])
  func orderIsThatOfInsertion(_ count: Int) throws {
    var dictionary = PropertyList.Dictionary()
    for number in 0..<count {
      dictionary["key \(number)"] = .integer(Int64(number))
    }
    let copy = dictionary
    dictionary["key 1"] = nil
    dictionary["key 1"] = .boolean(true)
    dictionary["key 2"] = .null
    #expect(dictionary.count == count)
    #expect(dictionary.entries.last?.key == "key 1")
    #expect(dictionary["key 2"] == .null)
    #expect(dictionary["key \(count - 1)"] != nil)
    #expect(dictionary["no key"] == nil)
    #expect(copy["key 1"] == .integer(1))
    #expect(copy.position(of: "key 1") == 1)
    #expect(dictionary != copy)
  }

  @Test func duplicatesAreRefusedOrChosen() {
    let pairs: [(String, PropertyList)] = [("a", .null), ("b", .null), ("a", .boolean(true))]
    let failure = #expect(throws: PropertyList.Dictionary.DuplicateKey.self) {
      try PropertyList.Dictionary(pairs)
    }
    #expect(failure?.key == "a")
    #expect(failure?.position == 2)
    let last = PropertyList.Dictionary(pairs) { _, new in new }
    #expect(last == ["a": .boolean(true), "b": .null])
  }

  @Test func equalityIsOfBitsAndOrder() {
    #expect(PropertyList.real(.nan) == .real(.nan))
    #expect(PropertyList.real(0.0) != .real(-0.0))
    #expect(PropertyList.string("\u{e9}") != .string("e\u{301}"))
    #expect(PropertyList.float(1) != .real(1))
    #expect(PropertyList.wideInteger(5) == .integer(5))
    #expect(PropertyList.wideInteger(5).hashValue == PropertyList.integer(5).hashValue)
    let one: PropertyList.Dictionary = ["a": .null, "b": .null]
    let other: PropertyList.Dictionary = ["b": .null, "a": .null]
    #expect(one != other)
  }
}

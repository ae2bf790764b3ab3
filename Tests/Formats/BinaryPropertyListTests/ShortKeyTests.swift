import BinaryPropertyList
import TestSupport
import Testing

struct ShortKeyTests {
  private let lookup = Lookup("identifier", "appInfoURL")

  @Test func keysThatDifferInFewBitsAreNotFound() throws {
    let bytes = try Fixture.bytes("PropertyLists/valid/keys-almost-wanted.bplist")
    let result = try lookup.find(in: bytes.span.bytes)
    #expect(result[0] == .absent)
    #expect(result[1] == .absent)
  }

  @Test func noKeyOneBitAwayIsFound() throws {
    for bit in 0..<80 {
      var key = Array("identifier".utf8)
      key[bit / 8] ^= 1 << (bit % 8)
      guard key.allSatisfy({ $0 < 0x80 }) else { continue }
      let text = String(decoding: key, as: UTF8.self)
      let bytes = try PropertyList.dictionary([text: .integer(1)]).binary()
      try #require(try lookup.find(in: bytes.span.bytes)[0] == .absent, "\(text)")
    }
  }
}

import Testing

@testable import IconFetch

@Suite struct HeaderBlockTests {
  @Test(arguments: [
    ("ETag: \"a\"\r\n", ["\"a\""]), ("etag:\"a\"\r\n", ["\"a\""]),
    ("ETAG: \t \"a b\" \t\r\n", ["\"a b\""]), ("ETag: 1\r\nX: y\r\nETag: 2\r\n", ["1", "2"]),
    ("ETag:\r\n", [""]), ("ETag\r\n", []), ("ETags: 1\r\n", []), ("ETag: a:b\r\n", ["a:b"]),
    ("ETag : 1\r\n", []), ("ETag: a\n", ["a"]),
  ])
  func fieldsAreFoundByName(_ fields: String, _ values: [String]) {
    let block = HeaderBlock(Array("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8))
    #expect(block.values(of: "ETag") == values)
  }

  @Test func statusLineIsNoField() {
    #expect(HeaderBlock(Array("ETag: 1\r\n\r\n".utf8)).values(of: "ETag") == [])
  }

  @Test func bytesThatAreNotTextBecomeReplacementCharacters() {
    #expect(HeaderBlock([]).values(of: "ETag") == [])
    #expect(HeaderBlock(Array("H\nX: ".utf8) + [0xff, 0x0a]).values(of: "x") == ["\u{fffd}"])
    #expect(HeaderBlock([0x48, 0x0a, 0x3a, 0x0a, 0x3a]).values(of: "") == ["", ""])
  }
}

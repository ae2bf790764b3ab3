import Testing

@testable import AppIcon

@Suite struct HTTPHeaderFieldsTests {
  private func fields(_ block: String) throws -> HTTPHeaderFields {
    try HTTPHeaderFields(parsing: Array(block.utf8))
  }

  @Test func blockOfAServerIsRead() throws {
    let fields = try fields(
      "HTTP/1.1 200 OK\r\nETag: \"5f3\"\r\nCACHE-CONTROL:max-age=300\r\nX-Empty:\r\n"
        + "Cache-Control: \t no-cache \t\r\n\r\nBody: none\r\n")
    #expect(fields.status == 200)
    #expect(
      fields.fields.map { "\($0.name)=\($0.value)" } == [
        "etag=\"5f3\"", "cache-control=max-age=300", "x-empty=", "cache-control=no-cache",
      ])
    #expect(fields.values("cache-control") == ["max-age=300", "no-cache"])
    #expect(fields.single("etag") == "\"5f3\"")
    #expect(fields.single("cache-control") == nil)
    #expect(fields.single("age") == nil)
  }

  @Test(arguments: [
    ("HTTP/2 200\r\n", 200), ("HTTP/1.0 404 Not Found", 404), ("HTTP/1.1 099 x", nil),
    ("HTTP/1.1 2000 x", nil), ("HTTP/1.1 20x", nil), ("HTTP/1.1", nil), ("Age: 5", nil),
    ("Age: 5\r\nHTTP/1.1 200 OK", nil),
  ])
  func statusIsThatOfTheFirstLine(_ block: String, _ status: Int?) throws {
    #expect(try fields(block).status == status)
  }

  @Test(arguments: [
    "no colon", ": no name", "na me: x", "na\0me: x", "näme: x", "name : x", "name: a\0b",
    "name: a\u{1b}b", "name: a\rb", " name: x", "\u{7f}: x",
  ])
  func lineThatIsNoFieldIsPassedOver(_ line: String) throws {
    #expect(try fields("\(line)\r\nAge: 5\r\n").fields == [.init(name: "age", value: "5")])
  }

  @Test func foldedLineContinuesTheOneBefore() throws {
    #expect(try fields("A: b\r\n  c\n\td\r\nE: f").fields.map(\.value) == ["b c d", "f"])
  }

  @Test func repeatedEqualValueIsSingle() throws {
    #expect(try fields("ETag: x\nETag: x\n").single("etag") == "x")
  }

  @Test func blockWithoutEndIsRead() throws {
    #expect(try fields("").fields == [])
    #expect(try fields("A: b").fields == [.init(name: "a", value: "b")])
  }

  @Test func bytesThatAreNotUTF8AreReplaced() throws {
    let fields = try HTTPHeaderFields(parsing: Array("A: ".utf8) + [0xff])
    #expect(fields.fields == [.init(name: "a", value: "\u{fffd}")])
  }

  @Test func excessIsRefused() throws {
    let most = String(repeating: "A: b\n", count: 256)
    #expect(try fields(most).fields.count == 256)
    #expect(throws: HTTPHeaderFields.Excess.fields) { try self.fields(most + "A: b\n") }
    let long = "A: " + String(repeating: "b", count: 65533)
    #expect(try fields(long).fields.count == 1)
    #expect(throws: HTTPHeaderFields.Excess.bytes) { try self.fields(long + "b") }
  }

  @Test(arguments: [
    ("ETag: \"a\"\r\n", ["\"a\""]), ("etag:\"a\"\r\n", ["\"a\""]),
    ("ETAG: \t \"a b\" \t\r\n", ["\"a b\""]), ("ETag: 1\r\nX: y\r\nETag: 2\r\n", ["1", "2"]),
    ("ETag:\r\n", [""]), ("ETag\r\n", []), ("ETags: 1\r\n", []), ("ETag: a:b\r\n", ["a:b"]),
    ("ETag : 1\r\n", []), ("ETag: a\n", ["a"]), ("ETag: \u{e9}\r\n", ["\u{e9}"]),
  ])
  func valuesAreFoundByName(_ fields: String, _ values: [String]) throws {
    let block = try HTTPHeaderFields(parsing: Array("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8))
    #expect(block.values("etag") == values)
  }
}

import Foundation
import Testing

@testable import JSON

/// The usual form of a line of JSON, which is read without Jansson, and what is not quite that form.
@Suite struct PlainLineTests {
  @Test(arguments: [
    "{}", "{ }", "{\"a\":\"\"}", "{ \"a\" : \"b\" , \"c\":{\"d\":\"e\",\"f\":\"\"}}",
    "{\"long enough for several blocks of bytes\":\"and \(String(repeating: "x", count: 99))\"}",
  ])
  func usualFormIsReadAsJanssonDoes(_ text: String) throws {
    let plain = try #require(JSONObject.plain(Array(text.utf8)[...]))
    let value = try JSONValue.parse(Array(text.utf8)[...], [.uniqueKeys, .nul])
    #expect(plain.keys == value.keys)
    for member in value.members {
      switch plain[member.key] {
      case .text(let text): #expect(text == member.value.text)
      case .object(let inner): #expect(inner.keys == member.value.keys)
      default: Issue.record("no member \(member.key)")
      }
    }
  }

  @Test(arguments: [
    "", "{", "[]", "{\"a\"}", "{\"a\":}", "{\"a\":\"b\"", "{\"a\":\"b\",}", "{\"a\":\"b\"}x",
    "{\"a\":\"b\"} ",
    "{\"a\":1}", "{\"a\":null}", "{\"a\":[]}", "{\"a\":{\"b\":{}}}", "{\"a\":\"b\",\"a\":\"c\"}",
    "{\"a\":{\"b\":\"\",\"b\":\"\"}}", "{\"a\":\"\\n\"}", "{\"a\":\"\u{7f}\"}", "{\"a\":\"ü\"}",
    "{\"a\":\"\n\"}", "{\"a\":\"0123456789abcdef\u{1}\"}", "{\"a\":\"0123456789abcdefü\"}",
    "\u{feff}{\"a\":\"b\"}", "{\t\"a\":\"b\"}",
  ])
  func allElseIsLeftToJansson(_ text: String) {
    let isPlain = JSONObject.plain(Array(text.utf8)[...]) != nil
    #expect(!isPlain)
  }

  @Test func otherValuesAreDistinguished() throws {
    let text = #"{"a":"ü","b":null,"c":1,"d":{"e":{"f":1},"g":"\u0000"}}"#
    let object = try #require(try JSONObject.parse(Array(text.utf8)[...]))
    guard case .text("ü") = object["a"], case .null = object["b"], case .other = object["c"],
      case .object(let inner) = object["d"], case .other = inner["e"], case .text("\0") = inner["g"]
    else {
      Issue.record("\(object)")
      return
    }
    let isObject = try JSONObject.parse(Array("[]".utf8)[...]) != nil
    #expect(!isObject)
  }
}

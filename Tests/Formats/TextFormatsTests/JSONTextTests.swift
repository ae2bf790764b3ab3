import Foundation
import Testing

@testable import TextFormats

@Suite struct JSONTextTests {
  @Test(arguments: [
    "", "plain", "\"\\/", "\n\r\t\u{8}\u{c}\0\u{1f}", "\u{7f}\u{9b}\u{2028}\u{2029}",
    "Füße 東京 🗂 \u{202e}\u{200b}\u{feff}", "\u{fffd}\u{10ffff}",
  ])
  func stringIsReadBackExactly(_ text: String) throws {
    let json = Data("[\(JSONText.string(text))]".utf8)
    let read = try #require(try JSONSerialization.jsonObject(with: json) as? [String])
    #expect(read.map { Array($0.utf8) } == [Array(text.utf8)])
  }

  @Test func stringHoldsNoControlCharacter() {
    let all = String(String.UnicodeScalarView((0...0x9f).compactMap(Unicode.Scalar.init)))
    let controls = JSONText.string(all).unicodeScalars.filter {
      $0.properties.generalCategory == .control
    }
    #expect(controls.isEmpty)
  }

  @Test func pathThatIsNotUTF8ComesWithItsBytes() {
    #expect(JSONText.object(JSONText.path(Array("a".utf8)[...])) == #"{"file":"a"}"#)
    #expect(
      JSONText.object(JSONText.path([0x61, 0xff]))
        == "{\"file\":\"a\u{fffd}\",\"fileBase64\":\"Yf8=\"}")
  }

  @Test func fieldsAreWrittenInTheirOrderAndNothingIsLeftOut() {
    let none: [UInt8]? = nil
    let fields: JSONFields = [
      "text": "a\"\n", "none": .text(nil), "path": .path([0x61, 0xff]),
      "no path": .path(none?[...]),
      "null": .path(none?[...]) ?? .null, "flag": .flag(false), "true": true, "number": .number(-1),
      "texts": .texts(["a", "\\"]), "words": .words([[0x61], [0xfe]]), "plain": .words([[0x61]]),
      "object": .object(["\u{1b}": .object([:])]), "objects": .objects([["a": "b"], [:]]),
    ]
    #expect(
      (fields + ["end": .json(Array("[1]".utf8))]).text == """
        {"text":"a\\"\\n","path":"a\u{fffd}","pathBase64":"Yf8=","null":null,"flag":false,"true":true,\
        "number":-1,"texts":["a","\\\\"],"words":["a","\u{fffd}"],"wordsBase64":["YQ==","/g=="],\
        "plain":["a"],"object":{"\\u001b":{}},"objects":[{"a":"b"},{}],"end":[1]}
        """)
    #expect(
      JSONFields([(key: "a", value: nil), (key: "b", value: .number(2))]).text == #"{"b":2}"#)
    #expect(JSONFields(dictionaryLiteral: ("a", nil)).isEmpty)
  }

  @Test(arguments: [0, 1, 2, 3, (48 << 10) - 1, 48 << 10, (48 << 10) + 1, 100_000])
  func dataGoesOutInPieces(_ count: Int) {
    let data = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var (bytes, all, most): ([UInt8], [UInt8], Int) = ([], [], 0)
    (["a": .object(["b": .data(data)])] as JSONFields).write(to: &bytes) { bytes in
      most = max(most, bytes.count)
      all += bytes
      bytes = []
    }
    let expected = #"{"a":{"b":"\#(Data(data).base64EncodedString())"}}"#
    #expect(String(decoding: all + bytes, as: UTF8.self) == expected)
    #expect(most <= (64 << 10) + 16)
  }

  @Test func asciiIsTheSameTextWithoutOtherCharacters() throws {
    let text = "a\"\\\u{7f}\u{80}ü\u{202e}東\u{fffd}🗂\u{10ffff}"
    var bytes: [UInt8] = []
    JSONText.append(text, to: &bytes, .ascii)
    let json = String(decoding: bytes, as: UTF8.self)
    #expect(json == #""a\"\\\u007f\u0080\u00fc\u202e\u6771\ufffd\ud83d\uddc2\udbff\udfff""#)
    let read = try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8)) as? [String]
    #expect(read == [text])
  }

  @Test(
    arguments: [
      [], [0], [0, 255], [7], Array(repeating: 255, count: 4), [1, 2, 3], Array(0...255),
      Array(repeating: 0x5a, count: 767), Array(repeating: 0x5a, count: 768),
      Array(repeating: 0xa5, count: 1537),
    ] as [[UInt8]])
  func base64IsFoundations(_ bytes: [UInt8]) {
    #expect(Base64.text(of: bytes[...]) == Data(bytes).base64EncodedString())
  }
}

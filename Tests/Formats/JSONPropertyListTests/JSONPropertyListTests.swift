import BinaryPropertyList
import Testing

@testable import JSONPropertyList

@Suite struct JSONPropertyListTests {
  private static func json(_ value: PropertyList) throws -> String {
    var text = ""
    try JSONPropertyListWriter.write(value) { text += String(decoding: $0, as: UTF8.self) }
    return text
  }

  @Test(
    arguments: [
      (.null, "null"), (.boolean(true), "true"), (.integer(-5), "-5"),
      (.integer(.max), "9223372036854775807"),
      (.wideInteger(1 << 64), #"{"$integer":"18446744073709551616"}"#), (.real(1), "1.0"),
      (.real(-0.0), "-0.0"), (.real(.leastNonzeroMagnitude), "5e-324"),
      (.real(.nan), #"{"$real":"nan"}"#),
      (.real(.infinity), #"{"$real":"inf"}"#), (.real(-.infinity), #"{"$real":"-inf"}"#),
      (.real(Double(bitPattern: 0x7ff8_0000_0000_0001)), #"{"$real":"nan:7ff8000000000001"}"#),
      (.float(0.1), #"{"$float":0.10000000149011612}"#), (.float(.nan), #"{"$float":"nan"}"#),
      (.float(Float(bitPattern: 0x7fc0_0001)), #"{"$float":"nan:7fc00001"}"#),
      (.date(secondsSinceReferenceDate: 0), #"{"$date":"2001-01-01T00:00:00Z"}"#),
      (.date(secondsSinceReferenceDate: 0.5), #"{"$date":0.5}"#),
      (.date(secondsSinceReferenceDate: -0.0), #"{"$date":-0.0}"#),
      (.date(secondsSinceReferenceDate: 1e300), #"{"$date":1e+300}"#),
      (.date(secondsSinceReferenceDate: .nan), #"{"$date":"nan"}"#),
      (.data([]), #"{"$data":""}"#), (.data([1, 2]), #"{"$data":"AQI="}"#),
      (.string("a\0\"\\\u{2028}ä🗂"), #""a\u0000\"\\\u2028ä🗂""#), (.uid(7), #"{"$uid":7}"#),
      (.uid(.max), #"{"$uid":"18446744073709551615"}"#), (.array([]), "[]"),
      (.array([.integer(1), .array([.null])]), "[1,[null]]"),
      (.set([.integer(1)]), #"{"$set":[1]}"#),
      (.orderedSet([]), #"{"$orderedSet":[]}"#), (.dictionary([:]), "{}"),
      (.dictionary(["b": .integer(1), "a": .integer(2)]), #"{"b":1,"a":2}"#),
      (.dictionary(["$uid": .integer(1)]), #"{"$dictionary":{"$uid":1}}"#),
      (.dictionary(["$uid": .integer(1), "a": .null]), #"{"$uid":1,"a":null}"#),
      (.dictionary(["$other": .integer(1)]), #"{"$other":1}"#),
      (
        .dictionary(["$dictionary": .dictionary(["$set": .null])]),
        #"{"$dictionary":{"$dictionary":{"$dictionary":{"$set":null}}}}"#
      ),
      (
        .dictionary(["\u{e9}": .null, "e\u{301}": .boolean(true)]),
        "{\"\u{e9}\":null,\"e\u{301}\":true}"
      ),
    ] as [(PropertyList, String)])
  func valueHasOneFormAndIsReadBackExactly(_ value: PropertyList, _ json: String) throws {
    #expect(try Self.json(value) == json)
    #expect(try JSONPropertyListReader.read(Array(json.utf8)) == value)
  }

  @Test(arguments: [
    ("", "line 1, column 0: unexpected token near end of file"),
    (#"{"a":1,"a":2}"#, #"line 1, column 10: duplicate object key near '"a"'"#),
    ("99999999999999999999", "line 1, column 20: too big integer"),
    (#"{"a":[1,{"$uid":-1}]}"#, "$uid has an invalid value (at .a[1])"),
    (#"{"$data":"A"}"#, "$data has an invalid value"),
    (#"{"$date":"2001-02-30T00:00:00Z"}"#, "$date has an invalid value"),
    (#"[{"$integer":"x"}]"#, "$integer has an invalid value (at [0])"),
    (#"{"$real":"nan:1"}"#, "$real has an invalid value"),
    (#"{"$float":1e300}"#, "$float has an invalid value"),
    (#"{"$float":16777217}"#, "$float has an invalid value"),
  ])
  func textThatIsNoPropertyListIsRefusedWithItsPlace(_ json: String, _ reason: String) throws {
    let failure = #expect(throws: JSONPropertyListReader.Failure.self) {
      try JSONPropertyListReader.read(Array(json.utf8))
    }
    #expect(try #require(failure).description.hasPrefix(reason), "\(String(describing: failure))")
  }

  @Test func bytesThatAreNotUTF8AreRefused() {
    #expect(throws: JSONPropertyListReader.Failure.self) {
      try JSONPropertyListReader.read([0x22, 0xff, 0x22])
    }
  }

  @Test func depthBeyondTheParsersLimitIsRefused() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONPropertyListReader.Failure.self) {
      try JSONPropertyListReader.read(Array(deep.utf8))
    }
  }
}

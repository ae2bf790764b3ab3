import BinaryPropertyList

extension PropertyList {
  /// The value in JSON that says all of it: numbers as digits or bits, each with its type.
  var json: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): #"{"i":"\#(value)"}"#
    case .wideInteger(let value): #"{"i":"\#(value)"}"#
    case .float(let value): Self.json("r4", UInt64(value.bitPattern), width: 4)
    case .real(let value): Self.json("r8", value.bitPattern, width: 8)
    case .date(let value): Self.json("d", value.bitPattern, width: 8)
    case .data(let bytes): #"{"x":"\#(HexadecimalText.of(bytes))"}"#
    case .string(let text): Self.json(text)
    case .uid(let number): #"{"u":"\#(number)"}"#
    case .array(let values): Self.json(values)
    case .orderedSet(let values): #"{"o":\#(Self.json(values))}"#
    case .set(let values): #"{"s":\#(Self.json(values))}"#
    case .dictionary(let dictionary):
      #"{"k":["#
        + dictionary.entries.map { "[\(Self.json($0.key)),\($0.value.json)]" }
        .joined(separator: ",") + "]}"
    }
  }

  private static func json(_ type: String, _ bits: UInt64, width: Int) -> String {
    #"{"\#(type)":"\#(HexadecimalText.of(bits, width: width))"}"#
  }

  private static func json(_ values: [PropertyList]) -> String {
    "[" + values.map(\.json).joined(separator: ",") + "]"
  }

  private static func json(_ text: String) -> String {
    "\"" + text.utf16.map { #"\u"# + HexadecimalText.of(UInt64($0), width: 2) }.joined() + "\""
  }
}

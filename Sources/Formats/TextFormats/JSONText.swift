/// Writes JSON values as text, one object a line, by RFC 8259.
public enum JSONText {
  /// A string with its quotes. The text is carried exactly. Characters outside ASCII are written as
  /// they are, but for those that `EscapedText` would not show; a reader decodes the same text.
  public static func string(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return "\"\(text)\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where EscapedText.isHarmful(scalar):
        result += escape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): false
    case 0x20..<0x7f: true
    default: false
    }
  }

  /// As RFC 8259, section 7, writes any character: its UTF-16 units in hexadecimal.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { "\\u" + String($0, digits: 4, radix: 16) }.joined()
  }

  /// The same JSON with everything outside ASCII escaped, so that no transfer changes it.
  public static func ascii(_ json: String) -> String {
    if json.utf8.allSatisfy({ $0 < 0x80 }) { return json }
    var result = ""
    for scalar in json.unicodeScalars {
      if scalar.isASCII {
        result.unicodeScalars.append(scalar)
      } else {
        result += escape(scalar)
      }
    }
    return result
  }

  /// The members that carry a file's path: `"file"`, or another key, with its text; and where the
  /// path is not UTF-8, and the text therefore not exact, `"fileBase64"` with its bytes.
  public static func path(
    _ bytes: ArraySlice<UInt8>, key: String = "file"
  ) -> [(key: String, value: String)] {
    let text = String(decoding: bytes, as: UTF8.self)
    let file = (key: key, value: string(text))
    if text.utf8.elementsEqual(bytes) { return [file] }
    return [file, (key: key + "Base64", value: string(Base64.text(of: bytes)))]
  }

  /// A member with a string; none where there is no text.
  public static func member(_ key: String, _ text: String?) -> [(key: String, value: String)] {
    guard let text else { return [] }
    return [(key: key, value: string(text))]
  }

  /// An array of values that are already JSON.
  public static func array(_ elements: [String]) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }

  /// An object of members whose values are already JSON.
  public static func object(_ members: [(key: String, value: String)]) -> String {
    "{" + members.map { string($0.key) + ":" + $0.value }.joined(separator: ",") + "}"
  }
}

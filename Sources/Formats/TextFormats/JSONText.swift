/// Writes JSON values as text, one object a line, by RFC 8259.
package enum JSONText {
  /// Which characters outside ASCII are written as they are.
  package enum Characters: Sendable {
    /// Those that `EscapedText` shows.
    case shown
    /// None, so that no transfer changes the text.
    case ascii

    fileprivate var replacer: TextReplacer {
      switch self {
      case .shown: JSONText.shownReplacer
      case .ascii: JSONText.asciiReplacer
      }
    }
  }

  private static let shownReplacer = TextReplacer(.harmful, replace)
  private static let asciiReplacer = TextReplacer(.all) { scalar, bytes in
    if scalar.isASCII { return replace(scalar, &bytes) }
    appendEscape(scalar, to: &bytes)
    return .replaced
  }

  /// A string with its quotes. The text is carried exactly. Characters outside ASCII are written as
  /// they are, but for those that `EscapedText` would not show; a reader decodes the same text.
  package static func string(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a string with its quotes.
  package static func append(
    _ text: String, to bytes: inout [UInt8], _ characters: Characters = .shown
  ) {
    bytes.append(UInt8(ascii: "\""))
    characters.replacer.append(text, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private static func replace(
    _ scalar: Unicode.Scalar, _ bytes: inout [UInt8]
  ) -> TextReplacer.Outcome {
    switch scalar {
    case "\"": bytes.append("\\\"")
    case "\\": bytes.append("\\\\")
    case "\n": bytes.append("\\n")
    case "\r": bytes.append("\\r")
    case "\t": bytes.append("\\t")
    case _ where EscapedText.isHarmful(scalar): appendEscape(scalar, to: &bytes)
    default: return .stays
    }
    return .replaced
  }

  /// As RFC 8259, section 7, writes any character: its UTF-16 units in hexadecimal.
  private static func appendEscape(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    for unit in String(scalar).utf16 {
      bytes.append("\\u")
      bytes += String(unit, digits: 4, radix: 16).utf8
    }
  }

  /// The members that carry a file's path: `"file"`, or another key, with its text; and where the
  /// path is not UTF-8, and the text therefore not exact, `"fileBase64"` with its bytes.
  package static func path(
    _ bytes: ArraySlice<UInt8>, key: String = "file"
  ) -> [(key: String, value: String)] {
    let text = String(decoding: bytes, as: UTF8.self)
    let file = (key: key, value: string(text))
    if text.utf8.elementsEqual(bytes) { return [file] }
    return [file, (key: key + "Base64", value: string(Base64.text(of: bytes)))]
  }

  /// Appends the members of `path(_:key:)` for `"file"`, without the braces of an object.
  package static func appendPath(
    _ path: ArraySlice<UInt8>, to bytes: inout [UInt8], _ characters: Characters
  ) {
    let text = String(decoding: path, as: UTF8.self)
    bytes += "\"file\":".utf8
    append(text, to: &bytes, characters)
    if text.utf8.elementsEqual(path) { return }
    bytes += ",\"fileBase64\":\"".utf8
    Base64.append(path, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// An object of members whose values are already JSON.
  package static func object(_ members: [(key: String, value: String)]) -> String {
    "{" + members.map { string($0.key) + ":" + $0.value }.joined(separator: ",") + "}"
  }
}

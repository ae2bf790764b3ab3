/// Untrusted text, made safe to show.
///
/// Control characters, characters that are invisible, blank or change the writing direction, and
/// private-use characters become `\n`, `\x1b`, `\u{202e}` or `\u{00a0}`. Bytes that are not UTF-8
/// become `\xff`. All other text stays unchanged, including spaces.
public struct EscapedText: CustomStringConvertible, Sendable {
  public let description: String

  public init(_ text: String) { description = Self.shown(text, isQuoted: false) }

  public init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  public init(_ bytes: ArraySlice<UInt8>) { description = Self.shown(bytes, isQuoted: false) }

  /// A value that stands among other words: in double quotes, with a backslash before each double
  /// quote and backslash in it, so that no value reads like the words behind it.
  ///
  /// Escaped once more, it stays as it is.
  public init(quoting text: String) { description = "\"" + Self.shown(text, isQuoted: true) + "\"" }

  /// As `init(quoting:)` of the text.
  public init(quoting bytes: ArraySlice<UInt8>) {
    description = "\"" + Self.shown(bytes, isQuoted: true) + "\""
  }

  /// A name that stands among other words or in a list: as it is where it is one word, otherwise as
  /// `init(quoting:)` has it.
  public init(word bytes: [UInt8]) {
    let isWord = !bytes.isEmpty && !bytes.contains { " \"(),;".utf8.contains($0) }
    self = isWord ? EscapedText(bytes) : EscapedText(quoting: bytes[...])
  }

  private static func shown(_ text: String, isQuoted: Bool) -> String {
    isPlain(text.utf8, isQuoted) ? text : escaped(text.unicodeScalars, isQuoted)
  }

  private static func shown(_ bytes: ArraySlice<UInt8>, isQuoted: Bool) -> String {
    if isPlain(bytes, isQuoted) { return String(decoding: bytes, as: UTF8.self) }
    var result = ""
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = bytes.startIndex
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        bytes.formIndex(&position, offsetBy: encoded.count)
        result += escaped(CollectionOfOne(Unicode.UTF8.decode(encoded)), isQuoted)
      case .error(let length):
        for _ in 0..<length {
          result += "\\x" + String(bytes[position], digits: 2, radix: 16)
          bytes.formIndex(after: &position)
        }
      case .emptyInput: return result
      }
    }
  }

  private static func isPlain(_ bytes: some Sequence<UInt8>, _ isQuoted: Bool) -> Bool {
    bytes.allSatisfy { byte in
      let isMark = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      return byte >= 0x20 && byte < 0x7f && !(isQuoted && isMark)
    }
  }

  private static func escaped(_ scalars: some Sequence<Unicode.Scalar>, _ isQuoted: Bool) -> String
  {
    var result = ""
    for scalar in scalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\"" where isQuoted: result += "\\\""
      case "\\" where isQuoted: result += "\\\\"
      case _ where !isHarmful(scalar) && !isBlank(scalar): result.unicodeScalars.append(scalar)
      case _ where scalar.isASCII: result += "\\x" + String(scalar.value, digits: 2, radix: 16)
      default: result += "\\u{" + String(scalar.value, digits: 4, radix: 16) + "}"
      }
    }
    return result
  }

  /// Whether a character is invisible or controls a terminal, rather than being shown.
  ///
  /// Cf holds the bidi controls, the zero-width ones and the tags; Default_Ignorable_Code_Point
  /// adds what renders as nothing without being Cf, as Hangul fillers and variation selectors.
  public static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    if isShown(scalar) { return false }
    let properties = scalar.properties
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether a character is in one of the ranges without harmful ones, in which most text is: looking
  /// up its properties takes forty times as long.
  static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7f, 0xa0..<0xad, 0xae..<0x34f, 0x350..<0x600, 0x61d..<0x6dd, 0x6de..<0x70f,
      0x900..<0x115f, 0x1161..<0x17b4, 0x2070..<0x3164, 0x3165..<0xfe00, 0x1f000..<0x20000:
      true
    default: false
    }
  }

  /// Blanks that are no separators: a braille pattern without dots, hieroglyphs' blanks, Khitan's
  /// filler, a note without a head.
  private static let otherBlanks: Set<Unicode.Scalar> = [
    "\u{2800}", "\u{13441}", "\u{13442}", "\u{16fe4}", "\u{1d159}",
  ]

  /// Whether a character is shown as a blank, other than the space, or as whatever a font makes of
  /// it, as those of private use are.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return false }
    return switch scalar.properties.generalCategory {
    case .spaceSeparator, .privateUse: true
    default: otherBlanks.contains(scalar)
    }
  }
}

extension String {
  /// The digits of a number, at least as many as given, with zeros in front.
  init(_ number: some BinaryInteger, digits: Int, radix: Int = 10) {
    let text = String(number, radix: radix)
    self = String(repeating: "0", count: Swift.max(0, digits - text.count)) + text
  }
}

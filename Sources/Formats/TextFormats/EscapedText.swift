/// Untrusted text, made safe to show.
///
/// Control characters, and those that are invisible or turn the direction of writing, become
/// `\n`, `\x1b` or `\u{202e}`; bytes that are not UTF-8 become `\xff`. All other text is as it was.
public struct EscapedText: CustomStringConvertible, Sendable {
  public let description: String

  public init(_ text: String) {
    description = Self.isPlain(text.utf8) ? text : Self.escaped(text.unicodeScalars)
  }

  public init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  public init(_ bytes: ArraySlice<UInt8>) {
    if Self.isPlain(bytes) {
      description = String(decoding: bytes, as: UTF8.self)
      return
    }
    var result = ""
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = bytes.startIndex
    parsing: while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        bytes.formIndex(&position, offsetBy: encoded.count)
        result += Self.escaped(CollectionOfOne(Unicode.UTF8.decode(encoded)))
      case .error(let length):
        for _ in 0..<length {
          result += "\\x" + String(bytes[position], digits: 2, radix: 16)
          bytes.formIndex(after: &position)
        }
      case .emptyInput: break parsing
      }
    }
    description = result
  }

  private static func isPlain(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
  }

  private static func escaped(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var result = ""
    for scalar in scalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where !isHarmful(scalar): result.unicodeScalars.append(scalar)
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
    if scalar.value >= 0x20 && scalar.value < 0x7f { return false }
    let properties = scalar.properties
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: properties.isDefaultIgnorableCodePoint
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

/// Untrusted text, made safe to show.
///
/// Control characters, characters that are invisible, blank or change the writing direction, and
/// private-use characters become `\n`, `\x1b`, `\u{202e}` or `\u{00a0}`. Bytes that are not UTF-8
/// become `\xff`. All other text stays unchanged, including spaces, and joiners inside words and emoji
/// that would look different without them.
package struct EscapedText: CustomStringConvertible, Sendable {
  package let description: String

  package init(_ text: String) { description = Self.shown(text, isQuoted: false) }

  package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  package init(_ bytes: ArraySlice<UInt8>) { description = Self.shown(bytes, isQuoted: false) }

  /// A value that stands among other words: in double quotes, with a backslash before each double
  /// quote and backslash in it, so that no value reads like the words after it.
  ///
  /// Escaped once more, it stays as it is.
  package init(quoting text: String) {
    description = "\"" + Self.shown(text, isQuoted: true) + "\""
  }

  /// Appends a value as `init(quoting:)` has it.
  package static func append(quoting value: String, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "\""))
    text += shown(value, isQuoted: true).utf8
    text.append(UInt8(ascii: "\""))
  }

  /// As `init(quoting:)` of the text.
  package init(quoting bytes: ArraySlice<UInt8>) {
    description = "\"" + Self.shown(bytes, isQuoted: true) + "\""
  }

  /// The words of a command line, as a shell has them.
  package init(words: [[UInt8]]) {
    description = words.map { Self(word: $0).description }.joined(separator: " ")
  }

  /// A name that stands among other words or in a list: as it is where it is one word, otherwise as
  /// `init(quoting:)` has it.
  package init(word bytes: [UInt8]) {
    let isWord =
      !bytes.isEmpty
      && !bytes.contains { byte in
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: ")"),
          UInt8(ascii: ","), UInt8(ascii: ";"):
          true
        default: false
        }
      }
    self = isWord ? EscapedText(bytes) : EscapedText(quoting: bytes[...])
  }

  /// Appends untrusted bytes, escaped.
  package static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
    if isPlain(bytes.span, false) {
      text += bytes
    } else {
      text += shown(bytes, isQuoted: false).utf8
    }
  }

  /// Escapes the bytes from a position on, which are untrusted.
  package static func escape(_ text: inout [UInt8], from start: Int) {
    if isPlain(text.span.extracting(start...), false) { return }
    text.replaceSubrange(start..., with: shown(text[start...], isQuoted: false).utf8)
  }

  private static func shown(_ text: String, isQuoted: Bool) -> String {
    isPlain(text.utf8Span.span, isQuoted) ? text : escaped(text.unicodeScalars, isQuoted)
  }

  private static func shown(_ bytes: ArraySlice<UInt8>, isQuoted: Bool) -> String {
    if isPlain(bytes.span, isQuoted) { return String(decoding: bytes, as: UTF8.self) }
    var result = ""
    var run = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = bytes.startIndex
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let encoded):
        bytes.formIndex(&position, offsetBy: encoded.count)
        run.append(Unicode.UTF8.decode(encoded))
      case .error(let length):
        result += escaped(run, isQuoted)
        run.removeAll()
        for _ in 0..<length {
          result += "\\x" + String(bytes[position], digits: 2, radix: 16)
          bytes.formIndex(after: &position)
        }
      case .emptyInput: return result + escaped(run, isQuoted)
      }
    }
  }

  private static func isPlain(_ bytes: Span<UInt8>, _ isQuoted: Bool) -> Bool {
    var start = 0
    if !isQuoted {
      // Eight bytes at a time: a byte below the space, or from DEL on, sets a highest bit.
      while start + 8 <= bytes.count {
        let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
        let marks = (word &- 0x2020_2020_2020_2020) | (word &+ 0x0101_0101_0101_0101) | word
        guard marks & 0x8080_8080_8080_8080 == 0 else { return false }
        start += 8
      }
    }
    for position in start..<bytes.count {
      let byte = bytes[position]
      let isMark = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      guard byte >= 0x20 && byte < 0x7f && !(isQuoted && isMark) else { return false }
    }
    return true
  }

  private static func escaped(_ scalars: String.UnicodeScalarView, _ isQuoted: Bool) -> String {
    var result = ""
    var surroundings = JoinerContext()
    var rest = scalars[...]
    while let scalar = rest.popFirst() {
      let isShown =
        !isHarmful(scalar) && !isBlank(scalar)
        || surroundings.isShaped(by: scalar, before: rest.first)
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\"" where isQuoted: result += "\\\""
      case "\\" where isQuoted: result += "\\\\"
      case _ where isShown: result.unicodeScalars.append(scalar)
      case _ where scalar.isASCII: result += "\\x" + String(scalar.value, digits: 2, radix: 16)
      default: result += "\\u{" + String(scalar.value, digits: 4, radix: 16) + "}"
      }
      surroundings.follow(isShown ? scalar : nil)
    }
    return result
  }

  /// Whether a character is invisible or controls a terminal, rather than being shown.
  ///
  /// Cf holds the bidi controls, the zero-width ones and the tags; Default_Ignorable_Code_Point
  /// adds what renders as nothing without being Cf, as Hangul fillers and variation selectors.
  package static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    if isShown(scalar) { return false }
    let properties = scalar.properties
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether a character must not be in the name of a file that somebody else has named: the harmful
  /// ones but the joiners, which Persian and emoji need, and the selectors of variants, which emoji
  /// and Japanese names need.
  package static func isHarmfulInName(_ scalar: Unicode.Scalar) -> Bool {
    let isJoiner = scalar == "\u{200c}" || scalar == "\u{200d}"
    return isHarmful(scalar) && !isJoiner && !scalar.properties.isVariationSelector
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

/// The characters before a joiner, which decide whether the joiner shapes what is shown or is only
/// an invisible difference between two texts.
private struct JoinerContext {
  /// The character before; `nil` if it is spelled out.
  private var last: Unicode.Scalar?
  /// The last character that is no mark on another.
  private var base: Unicode.Scalar?

  /// Adds a character; `nil` for one that is spelled out.
  mutating func follow(_ scalar: Unicode.Scalar?) {
    last = scalar
    switch scalar?.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: break
    default: base = scalar
    }
  }

  /// Whether the zero-width joiner or non-joiner, or the selector of emoji presentation, shapes what
  /// is beside it (UAX #31, section 2.3; UTS #51, section 2.6).
  func isShaped(by scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    switch scalar {
    case "\u{200c}", "\u{200d}":
      guard let base, let last, let next else { return false }
      if scalar == "\u{200d}", Self.isEmoji(base), Self.isEmoji(next) { return true }
      guard Self.isLetter(base), Self.isLetter(next) else { return false }
      return last.properties.canonicalCombiningClass == .virama
        || (Self.isCursive(base) && Self.isCursive(next))
    case "\u{fe0f}":
      return last.map { Self.isEmoji($0) && !$0.properties.isEmojiPresentation } ?? false
    default: return false
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .otherLetter, .modifierLetter, .uppercaseLetter, .lowercaseLetter: true
    default: false
    }
  }

  /// Digits and signs such as the copyright's count as emoji too, but join nothing.
  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x2190 && scalar.properties.isEmoji
  }

  /// Whether a character is of a script whose letters are joined: Arabic, Syriac, N'Ko, Mandaic,
  /// Mongolian, Phags-pa, Manichaean, Hanifi Rohingya, Adlam.
  private static func isCursive(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x600...0x77f, 0x7c0...0x7ff, 0x840...0x8ff, 0x1800...0x18af, 0xa840...0xa87f,
      0xfb50...0xfdff, 0xfe70...0xfefc, 0x10ac0...0x10aff, 0x10d00...0x10d3f, 0x1e900...0x1e95f:
      true
    default: false
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

/// A number of bytes in words: `1 byte`, `300 bytes`.
package struct ByteCount: CustomStringConvertible {
  private let count: Int

  package init(_ count: Int) { self.count = count }

  package var description: String { count == 1 ? "1 byte" : "\(count) bytes" }
}

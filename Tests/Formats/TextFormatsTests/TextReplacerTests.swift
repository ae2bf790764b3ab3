import Testing

@testable import TextFormats

/// Texts of which some characters are replaced, beside a loop over their characters.
@Suite struct TextReplacerTests {
  private static let pieces: [Unicode.Scalar] = [
    "a", "b", " ", "~", "<", "&", "\0", "\n", "\u{7f}", "\u{80}", "ü", "\u{ad}", "ш", "ن", "東",
    "\u{200b}", "\u{feff}", "\u{ffff}", "🗂", "\u{e0041}", "\u{10ffff}",
  ]

  @Test(arguments: [TextReplacer.Offered.harmful, .all])
  func eachCharacterIsOfferedOnceOrCopied(_ offered: TextReplacer.Offered) {
    var generator = SystemRandomNumberGenerator()
    let replacer = TextReplacer(
      (UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "&")), offered)
    for length in 0..<200 {
      var text = ""
      for _ in 0..<length {
        // Runs of several blocks, too.
        let isPlain = UInt8.random(in: 0..<8, using: &generator) > 0
        text.unicodeScalars.append(
          isPlain ? "x" : Self.pieces.randomElement(using: &generator) ?? "x")
      }
      var expected = ""
      for scalar in text.unicodeScalars {
        let isCopied =
          scalar.isASCII
          ? (" "..."~").contains(scalar) && scalar != "<" && scalar != "&"
          : offered == .harmful && EscapedText.isShown(scalar)
        expected += isCopied || scalar == "\n" ? String(scalar) : "[\(scalar.value)]"
      }
      var bytes = Array("before".utf8)
      replacer.append(text, to: &bytes) { scalar, bytes in
        if scalar == "\n" { return false }
        bytes += "[\(scalar.value)]".utf8
        return true
      }
      #expect(
        String(decoding: bytes, as: UTF8.self) == "before" + expected, "\(text.debugDescription)")
    }
  }

  /// The ranges are a short cut to the properties.
  @Test func noHarmfulCharacterIsTakenForAShownOne() {
    let wrong = (0...0x10ffff).lazy.compactMap(Unicode.Scalar.init).filter { scalar in
      guard EscapedText.isShown(scalar) else { return false }
      let properties = scalar.properties
      return switch properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: properties.isDefaultIgnorableCodePoint
      }
    }
    #expect(Array(wrong) == [])
  }
}

import Testing

@testable import TextFormats

/// Texts of which some characters are replaced, beside a loop over their characters.
@Suite struct TextReplacerTests {
  private static let pieces: [Unicode.Scalar] = [
    "a", "b", " ", "~", "<", "&", "\0", "\n", "\u{7f}", "\u{80}", "ü", "\u{ad}", "ш", "ن", "東",
    "\u{200b}", "\u{feff}", "\u{ffff}", "🗂", "\u{e0041}", "\u{10ffff}",
  ]

  @Test(arguments: [TextReplacer.Offered.harmful, .all])
  func eachCharacterIsReplacedRefusedOrCopied(_ offered: TextReplacer.Offered) {
    var generator = SystemRandomNumberGenerator()
    let replacer = TextReplacer(offered) { scalar, bytes in
      switch scalar {
      case "\0", "\u{ffff}": return .refused
      case "\n", " "..."%", "'"...";", "="..."~", "東": return .stays
      default:
        bytes += "[\(scalar.value)]".utf8
        return .replaced
      }
    }
    for length in 0..<200 {
      var text = ""
      // Runs of several words, and texts of several steps, too.
      for _ in 0..<(length == 199 ? 30000 : length) {
        let isPlain = UInt8.random(in: 0..<8, using: &generator) > 0
        text.unicodeScalars.append(
          isPlain ? "x" : Self.pieces.randomElement(using: &generator) ?? "x")
      }
      var expected = ""
      var refused: Unicode.Scalar?
      for scalar in text.unicodeScalars {
        let isOffered = scalar.isASCII || offered == .all || !EscapedText.isShown(scalar)
        switch scalar {
        case "\n", " "..."%", "'"...";", "="..."~", "東": expected.unicodeScalars.append(scalar)
        case _ where !isOffered: expected.unicodeScalars.append(scalar)
        case "\0", "\u{ffff}": refused = refused ?? scalar
        default: expected += "[\(scalar.value)]"
        }
      }
      var bytes = Array("before".utf8)
      #expect(replacer.append(text, to: &bytes) == refused, "\(text.debugDescription)")
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

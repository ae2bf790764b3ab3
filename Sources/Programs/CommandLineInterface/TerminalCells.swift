/// The columns that text takes on a terminal.
package enum TerminalCells {
  /// The columns of a text, which holds no control characters.
  ///
  /// Each character counts by itself, as in wcwidth(3), whatever the locale: terminals disagree about
  /// emoji that consist of several, which take fewer columns on some than are counted here.
  package static func count(_ text: String) -> Int {
    text.utf8.allSatisfy { $0 < 0x80 }
      ? text.utf8.count : text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  /// The text followed by spaces up to a number of columns.
  package static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - count(text)))
  }

  /// The text, or its beginning and an ellipsis, in at most so many columns.
  static func cut(_ text: String, to columns: Int) -> String {
    guard count(text) > columns else { return text }
    var result = ""
    var room = columns - 1
    for scalar in text.unicodeScalars {
      room -= width(scalar)
      guard room >= 0 else { break }
      result.unicodeScalars.append(scalar)
    }
    return columns > 0 ? result + "…" : ""
  }

  /// The columns of one character: none, one or two.
  static func width(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return scalar == softHyphen ? 0 : 1 }
    // It makes the narrow symbol before it a wide emoji.
    if scalar == emojiSelector { return 1 }
    if isWide(scalar) { return 2 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return scalar.properties.isDefaultIgnorableCodePoint || isFollowingJamo(scalar) ? 0 : 1
    }
  }

  private static let softHyphen: Unicode.Scalar = "\u{ad}"
  private static let emojiSelector: Unicode.Scalar = "\u{fe0f}"

  /// Vowels and final consonants, which stand in the syllable of the consonant before them.
  private static func isFollowingJamo(_ scalar: Unicode.Scalar) -> Bool {
    (0x1160...0x11ff).contains(scalar.value) || (0xd7b0...0xd7ff).contains(scalar.value)
  }

  /// Whether the property East_Asian_Width is W or F; the standard library does not have it.
  ///
  /// Emoji that are shown as such are wide, except for the letters that flags are made of, of which
  /// two make a wide one.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x302a...0x302d, 0x3099...0x309a: false
    case 0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x3247, 0x3250...0xa4c6,
      0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6b,
      0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x16fe3, 0x16ff0...0x18d08, 0x1aff0...0x1b2fb,
      0x1f200...0x1f265, 0x20000...0x2fffd, 0x30000...0x3fffd:
      true
    case 0x1f1e6...0x1f1ff: false
    default: scalar.properties.isEmojiPresentation
    }
  }
}

/// Texts as they are compared without regard to case and diacritical marks.
enum TextFolding {
  static func folded(_ text: String, _ ignoresCase: Bool, _ ignoresDiacritics: Bool) -> String {
    let text = ignoresDiacritics ? withoutDiacritics(text) : text
    return ignoresCase ? text.lowercased() : text
  }

  /// The text without marks on its letters. Those of Latin letters are known by the letters' names,
  /// those that stand by themselves by their property; Swift does not tell what other letters are
  /// made of.
  private static func withoutDiacritics(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        result.append(scalar)
      } else if !isMark(scalar) {
        result.append(latinLetter(of: scalar) ?? scalar)
      }
    }
    return String(result)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.canonicalCombiningClass != .notReordered
  }

  /// The letter without its marks: `e` of "LATIN SMALL LETTER E WITH ACUTE".
  private static func latinLetter(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard scalar.properties.isAlphabetic, let name = scalar.properties.name else { return nil }
    for (lead, offset) in [("LATIN SMALL LETTER ", UInt32(0x20)), ("LATIN CAPITAL LETTER ", 0)]
    where name.utf8.starts(with: lead.utf8) {
      let rest = Array(name.utf8.dropFirst(lead.utf8.count))
      guard rest.dropFirst().starts(with: " WITH ".utf8), let letter = rest.first,
        // A stroke is part of the letter.
        rest.suffix(6) != Array("STROKE".utf8)[...]
      else { return nil }
      return Unicode.Scalar(UInt32(letter) + offset)
    }
    return nil
  }
}

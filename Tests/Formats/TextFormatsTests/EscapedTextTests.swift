import Testing

@testable import TextFormats

@Suite struct EscapedTextTests {
  @Test(arguments: [
    ("notes.txt", "notes.txt"), ("Füße 東京 🗂", "Füße 東京 🗂"), ("a\\b", "a\\b"), ("", ""),
    ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{1b}[31mred", "\\x1b[31mred"), ("\0\u{7f}", "\\x00\\x7f"),
    ("\u{9b}31m", "\\u{009b}31m"), ("evil\u{202e}gpj.exe", "evil\\u{202e}gpj.exe"),
    ("\u{2066}a\u{2069}", "\\u{2066}a\\u{2069}"), ("\u{200e}\u{200f}", "\\u{200e}\\u{200f}"),
    ("\u{61c}", "\\u{061c}"), ("a\u{200b}b\u{200d}c\u{feff}", "a\\u{200b}b\\u{200d}c\\u{feff}"),
    ("\u{ad}\u{2060}", "\\u{00ad}\\u{2060}"), ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
    ("\u{e0041}\u{3164}\u{fe0f}", "\\u{e0041}\\u{3164}\\u{fe0f}"),
  ])
  func harmfulCharactersAreSpelledOut(_ text: String, _ escaped: String) {
    #expect(EscapedText(text).description == escaped)
    #expect(EscapedText(Array(text.utf8)).description == escaped)
  }

  /// Persian, Arabic with vowel signs, Devanagari, Sinhala; a family, a flag, a coder with a skin
  /// tone, a heart on fire.
  @Test(arguments: [
    "می\u{200c}خواهم.txt", "کتاب\u{200c}ها", "ه\u{200d}ا", "بِ\u{200c}ه", "क्\u{200d}ष",
    "क्\u{200c}ष", "ශ්\u{200d}රී", "👨\u{200d}👩\u{200d}👧", "🏳\u{fe0f}\u{200d}🌈", "👩🏽\u{200d}💻",
    "❤\u{fe0f}\u{200d}🔥", "❤\u{fe0f}",
  ])
  func joinersThatShapeWordsAndEmojiAreShown(_ text: String) {
    #expect(EscapedText(text).description == text)
    #expect(EscapedText(Array(text.utf8)).description == text)
    #expect(EscapedText(quoting: text).description == "\"\(text)\"")
  }

  /// Two texts that look alike could otherwise not be distinguished.
  @Test(arguments: [
    ("a\u{200c}b", "a\\u{200c}b"), ("ж\u{200d}ж", "ж\\u{200d}ж"),
    ("日\u{200d}本", "日\\u{200d}本"),
    ("می\u{200c}", "می\\u{200c}"), ("\u{200c}می", "\\u{200c}می"),
    ("می\u{200c} ها", "می\\u{200c} ها"),
    ("می\u{200c}\u{200c}ها", "می\\u{200c}\\u{200c}ها"), ("می\u{200c}a", "می\\u{200c}a"),
    ("می\u{fe0f}\u{200c}ها", "می\\u{fe0f}\\u{200c}ها"), ("क\u{200d}ष", "क\\u{200d}ष"),
    ("👨\u{200d}", "👨\\u{200d}"), ("👨\u{200c}👩", "👨\\u{200c}👩"), ("👨\u{200d}a", "👨\\u{200d}a"),
    ("1\u{200d}2", "1\\u{200d}2"), ("©\u{200d}®", "©\\u{200d}®"),
    ("🗂\u{fe0f}\u{fe0f}", "🗂\u{fe0f}\\u{fe0f}"),
    ("👨\u{fe0f}", "👨\\u{fe0f}"), ("1\u{fe0f}", "1\\u{fe0f}"),
  ])
  func joinersElsewhereAreSpelledOut(_ text: String, _ escaped: String) {
    #expect(EscapedText(text).description == escaped)
    #expect(EscapedText(Array(text.utf8)).description == escaped)
    #expect(EscapedText(escaped).description == escaped)
  }

  @Test func joinerBesideBytesThatAreNotUTF8IsSpelledOut() {
    let bytes = Array("ی\u{200c}".utf8) + [0xff] + Array("\u{200c}ی".utf8)
    #expect(EscapedText(bytes).description == "ی\\u{200c}\\xff\\u{200c}ی")
  }

  /// Blanks that are no space, and characters that mean something else to everybody.
  @Test(
    arguments: [
      [0xa0, 0x1680, 0x202f, 0x205f, 0x2800, 0x3000], Array(0x2000...0x200a),
      [0x115f, 0x1160, 0x3164, 0xffa0], [0xe000, 0xf8ff, 0xf0000, 0x10fffd],
      [0x13441, 0x13442, 0x16fe4, 0x1d159],
    ] as [[UInt32]])
  func blanksAndCharactersOfPrivateUseAreSpelledOut(_ values: [UInt32]) throws {
    for value in values {
      let scalar = try #require(Unicode.Scalar(value))
      let digits = String(value, radix: 16)
      let escaped = "a \\u{\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)} b"
      #expect(EscapedText("a \(scalar) b").description == escaped)
      #expect(EscapedText(Array("a \(scalar) b".utf8)).description == escaped)
      // JSON carries them as they are.
      #expect(
        JSONText.string("\(scalar)")
          == (EscapedText.isHarmful(scalar)
            ? "\"\\u\(digits)\"" : "\"\(scalar)\""))
    }
  }

  @Test(arguments: [
    ("Editor", "\"Editor\""), ("", "\"\""), ("Füße", "\"Füße\""),
    ("a, by b", "\"a, by b\""), ("a\", by \"b", "\"a\\\", by \\\"b\""),
    ("a\\", "\"a\\\\\""), ("a\\n", "\"a\\\\n\""), ("a\n\u{a0}", "\"a\\n\\u{00a0}\""),
  ])
  func quotedValueEndsNowhereElse(_ text: String, _ quoted: String) {
    #expect(EscapedText(quoting: text).description == quoted)
    #expect(EscapedText(quoting: Array(text.utf8)[...]).description == quoted)
    #expect(EscapedText(quoted).description == quoted)
  }

  @Test(
    arguments: [
      ([0xff], "\\xff"), ([0x61, 0xe2, 0x82, 0x62], "a\\xe2\\x82b"), ([0xc0, 0xaf], "\\xc0\\xaf"),
      ([0xed, 0xa0, 0x80], "\\xed\\xa0\\x80"), ([0xc3, 0xa4, 0xc3], "ä\\xc3"),
      ([0xf0, 0x9f, 0x97, 0x0a], "\\xf0\\x9f\\x97\\n"),
    ] as [([UInt8], String)])
  func bytesThatAreNotUTF8AreSpelledOut(_ bytes: [UInt8], _ escaped: String) {
    #expect(EscapedText(bytes).description == escaped)
  }
}

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

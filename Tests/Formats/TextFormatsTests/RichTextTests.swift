import TestSupport
import Testing
import TextFormats

struct RichTextTests {
  @Test(arguments: [
    (#"{\rtf1\ansi\ansicpg1252 Hello}"#, "Hello"),
    (#"{\rtf1 a\par b\line c\tab d}"#, "a\nb\nc\td"),
    (#"{\rtf1 caf\'e9 \'80 \'92}"#, "café € ’"),
    (#"{\rtf1\uc0\u8217 \u26085 \u-10179 \u-8704 .}"#, "’日😀."),
    (#"{\rtf1\uc1 a\u8217'b\u8364\'3fc}"#, "a’b€c"),
    (#"{\rtf1 \{\\\}\~\_\-x}"#, "{\\}\u{a0}\u{2011}\u{ad}x"),
    (
      #"{\rtf1{\fonttbl{\f0 Helvetica;}}{\colortbl;\red1;}{\*\expandedcolortbl;;}{\info{\author A}}text}"#,
      "text"
    ),
    (#"{\rtf1{\field{\*\fldinst{HYPERLINK "http://a"}}{\fldrslt link}}}"#, "link"),
    (#"{\rtf1\ansicpg932 \'82\'a0}"#, "\u{fffd}\u{fffd}"),
    (#"{\rtf1 \b bold\b0 , {\i it}alic}"#, "bold, italic"),
    (#"{\rtf1\bin3 {{{x}"#, "x"),
    (#"{\rtf1\ldblquote q\rdblquote\emdash\bullet}"#, "“q”—•"),
    (#"{\rtf1 \u-10179x}"#, "\u{fffd}"),
    (#"{\rtf1 a}{\rtf1 b}"#, "a"),
    (#"{\rtf1 unfinished \'"#, "unfinished "), (#"{\rtf1 \"#, ""), (#"{\rtf1"#, ""),
  ])
  func plainTextIsRead(document: String, text: String) {
    #expect(RichText.plainText(of: Array(document.utf8)) == text)
  }

  /// TextEdit ends lines with a backslash.
  @Test func backslashBeforeALineEndIsALineEnd() {
    let document = "{\\rtf1\\ansi\\ansicpg1252\\cocoartf1348\n\\f0\\fs24 \\cf0 one\\\ntwo}"
    #expect(RichText.plainText(of: Array(document.utf8)) == "one\ntwo")
  }

  @Test func otherBytesAreNoRichText() {
    #expect(RichText.plainText(of: Array("text".utf8)) == nil)
    #expect(RichText.plainText(of: []) == nil)
  }

  @Test func hostileDocumentsTakeLinearTime() {
    let lead = Array(#"{\rtf1 "#.utf8)
    let deep = lead + [UInt8](repeating: UInt8(ascii: "{"), count: 1 << 20) + Array("x".utf8)
    #expect(RichText.plainText(of: deep) == "")
    let words = lead + Array(String(repeating: "\\a", count: 1 << 19).utf8)
    #expect(RichText.plainText(of: words) == "")
    #expect(RichText.plainText(of: lead + Array(#"\bin99999999999 x"#.utf8)) == "")
  }

  @Test func anyBytesAreReadToTheirEnd() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SplitMix(state: seed)
    let pieces = [
      "{", "}", "\\", "\\u", "\\uc", "-", "9", "\\'", "e9", "\\bin", "\\*", "\\fonttbl", " ", "x",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }
      let bytes = Array(("{\\rtf1" + text.joined()).utf8)
      #expect(RichText.plainText(of: bytes) != nil, "seed \(seed)")
    }
  }
}

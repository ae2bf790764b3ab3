import Testing

@testable import CommandLineInterface

@Suite struct TerminalCellsTests {
  @Test(arguments: [
    ("", 0), ("notes.txt", 9), ("Füße", 4), ("u\u{308}", 1), ("日本語", 6), ("ﾊﾝｶｸ", 4), ("ＡＢ", 4),
    ("한글", 4), ("\u{1112}\u{1161}\u{11ab}", 2), ("か\u{3099}", 2), ("می\u{200c}خواهم", 7),
    ("क्\u{200d}ष", 2), ("🗂", 1), ("🗂\u{fe0f}", 2), ("📁", 2), ("⌚", 2), ("❤", 1), ("🇯🇵", 2),
    ("👨\u{200d}👩", 4), ("a\u{20dd}", 1), ("\u{e0041}", 0), ("…", 1), ("𠀀", 2),
  ])
  func textIsCountedByColumns(_ text: String, _ columns: Int) {
    #expect(TerminalCells.count(text) == columns)
  }

  @Test func textIsPaddedToColumns() {
    #expect(TerminalCells.padded("ab", to: 4) == "ab  ")
    #expect(TerminalCells.padded("日本", to: 5) == "日本 ")
    #expect(TerminalCells.padded("u\u{308}", to: 3) == "u\u{308}  ")
    #expect(TerminalCells.padded("日本", to: 3) == "日本")
  }

  @Test func textIsCutToColumns() {
    #expect(TerminalCells.cut("日本語", to: 6) == "日本語")
    #expect(TerminalCells.cut("日本語", to: 5) == "日本…")
    #expect(TerminalCells.cut("日本語", to: 4) == "日…")
    #expect(TerminalCells.cut("u\u{308}u\u{308}u\u{308}", to: 2) == "u\u{308}…")
    #expect(TerminalCells.cut("日本語", to: 1) == "…")
    #expect(TerminalCells.cut("日本語", to: 0) == "")
  }
}

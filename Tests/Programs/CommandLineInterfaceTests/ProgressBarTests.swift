import Testing

@testable import CommandLineInterface

@Suite struct ProgressBarTests {
  private static func line(
    _ done: Int, of total: Int, columns: Int, color: Bool = false
  ) -> String {
    ProgressBar.line("icons", done, total, columns: columns, isColored: color)
  }

  @Test func barFillsWithWhatIsDone() {
    #expect(Self.line(0, of: 8, columns: 20) == "icons [-------] 0/8")
    #expect(Self.line(4, of: 8, columns: 20) == "icons [###----] 4/8")
    #expect(Self.line(8, of: 8, columns: 20) == "icons [#######] 8/8")
    #expect(Self.line(1, of: 1, columns: 200).count == "icons [] 1/1".count + 40)
  }

  @Test func lineIsShorterThanTheTerminalIsWide() {
    for columns in 1...100 {
      #expect(Self.line(12, of: 34, columns: columns).count < columns)
    }
    #expect(Self.line(12, of: 34, columns: 10) == "12/34")
  }

  @Test func filledPartIsGreen() {
    #expect(
      Self.line(4, of: 8, columns: 20, color: true) == "icons [\u{1b}[32m###\u{1b}[0m----] 4/8")
  }

  @Test func oddCountsAreShownAsTheyAre() {
    #expect(Self.line(9, of: 8, columns: 20) == "icons [#######] 9/8")
    #expect(Self.line(0, of: 0, columns: 20) == "icons [#######] 0/0")
  }
}

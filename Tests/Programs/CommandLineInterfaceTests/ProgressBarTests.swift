import Glibc
import LinuxSystem
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

  @Test func lineIsShorterThanTheTerminalIsWide() throws {
    for columns in 1...100 {
      try #require(Self.line(12, of: 34, columns: columns).count < columns)
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

@Suite struct ProgressCountTests {
  private static func text(
    _ done: Int, in time: Duration = .seconds(2), at path: String = "dir/sub/name",
    columns: Int = 80
  ) -> String {
    ProgressCount.text("tagging", done, in: time, at: Array(path.utf8)[...], columns: columns)
  }

  @Test func lineHasCountRateAndPath() {
    #expect(Self.text(12_345) == "tagging 12,345 files, 6,172/s  dir/sub/name")
    #expect(Self.text(1) == "tagging 1 file, 0/s  dir/sub/name")
    #expect(Self.text(1_234_567, in: .zero) == "tagging 1,234,567 files, 0/s  dir/sub/name")
  }

  @Test func endOfALongPathIsLeftOut() {
    #expect(Self.text(10, columns: 40) == "tagging 10 files, 5/s  dir/sub/name")
    #expect(Self.text(10, columns: 36) == "tagging 10 files, 5/s  dir/sub/name")
    #expect(Self.text(10, columns: 35) == "tagging 10 files, 5/s  dir/sub/na…")
    #expect(Self.text(10, columns: 10) == "tagging …")
    #expect(Self.text(10, columns: 2) == "…")
    #expect(Self.text(10, columns: 1) == "")
    #expect(Self.text(10, columns: 0) == "")
  }

  @Test func wideCharactersNeverReachTheLastColumn() throws {
    for columns in 1...60 {
      let text = Self.text(10, at: "日本語/日本語/日本語/é.txt", columns: columns)
      let width = text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 || $1 == "…" ? 1 : 2) }
      try #require(width < max(columns, 1))
    }
    #expect(Self.text(10, at: "日本語", columns: 29) == "tagging 10 files, 5/s  日本…")
  }

  @Test func hostileNamesAreEscaped() {
    #expect(Self.text(1, at: "a\u{1b}[2J\n") == "tagging 1 file, 0/s  a\\x1b[2J\\n")
  }

  /// The bytes that a terminal gets; the clock is the test's.
  private static func written(
    term: String = "xterm",
    _ body: (ProgressCount, Duration, OutputStream) -> Void
  ) throws -> String {
    var (master, slave): (CInt, CInt) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: 36, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&master, &slave, nil, nil, &size) == 0)
    defer {
      close(slave)
      close(master)
    }
    let start = Clock.now
    let (output, errors) = (OutputStream(descriptor: slave), OutputStream(descriptor: slave))
    _ = Console(tool: "t", output: output, errors: errors)
    let progress = ProgressCount("tagging", start: start, on: errors) {
      $0 == "TERM" ? term : nil
    }
    body(progress, start, output)
    #expect(write(slave, "|", 1) == 1)
    var bytes: [UInt8] = []
    while bytes.last != UInt8(ascii: "|") {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(master, &buffer, buffer.count)
      try #require(count > 0)
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  @Test func itComesAfterASecondChangesTenTimesASecondAndGoes() throws {
    let path = Array("f".utf8)[...]
    let written = try Self.written { progress, start, _ in
      #expect(progress.isOnTerminal)
      for (done, milliseconds) in [(1, 0), (2, 999), (3, 1000), (4, 1099), (5, 1100), (5, 1200)] {
        progress.update(done, at: path, now: start + .milliseconds(milliseconds))
      }
      progress.hide()
      progress.hide()
    }
    #expect(
      written == "\r\u{1b}[Ktagging 3 files, 3/s  f\r\u{1b}[Ktagging 5 files, 4/s  f\r\u{1b}[K")
  }

  @Test func itMakesRoomForDataOnTheSameTerminal() throws {
    let path = Array("f".utf8)[...]
    let written = try Self.written { progress, start, output in
      progress.update(3, at: path, now: start + .milliseconds(1000))
      output.writeLine("a: tagged")
      output.writeLine("b: tagged")
      progress.update(5, at: path, now: start + .milliseconds(1100))
      progress.hide()
    }
    #expect(
      written == "\r\u{1b}[Ktagging 3 files, 3/s  f\r\u{1b}[Ka: tagged\r\nb: tagged\r\n"
        + "\r\u{1b}[Ktagging 5 files, 4/s  f\r\u{1b}[K")
  }

  @Test func itShowsNothingWhereTheWorkIsShortOrTheTerminalCannot() throws {
    let path = Array("f".utf8)[...]
    let short = try Self.written { progress, start, _ in
      progress.update(7, at: path, now: start + .milliseconds(900))
      progress.hide()
    }
    #expect(short == "")
    let dumb = try Self.written(term: "dumb") { progress, start, _ in
      #expect(!progress.isOnTerminal)
      progress.update(7, at: path, now: start + .seconds(9))
    }
    #expect(dumb == "")
  }
}

@Suite struct CountTextTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (1_000_000, "1,000,000"),
    (-1234, "-1,234"), (.max, "9,223,372,036,854,775,807"), (.min, "-9,223,372,036,854,775,808"),
  ])
  func digitsAreGroupedByThree(_ number: Int, _ text: String) {
    #expect(CountText.of(number) == text)
  }

  @Test func nounIsSingularForOne() {
    #expect(CountText.of(1, "file") == "1 file")
    #expect(CountText.of(0, "file") == "0 files")
    #expect(CountText.of(1234, "file") == "1,234 files")
  }
}

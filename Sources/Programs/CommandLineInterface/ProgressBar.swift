internal import Glibc
internal import LinuxSystem
internal import Synchronization
internal import TextFormats

/// A progress bar on the last line of a terminal's standard error, shown after a second.
///
/// Code that writes to standard error by other means hides the bar before.
package final class ProgressBar {
  private static let delay: Duration = .seconds(1)
  private static let widest = 40

  private let label: String
  private let total: Int
  private let line: VanishingLine
  private let isColored: Bool
  private let start = Clock.now

  /// - Parameters:
  ///   - label: what is counted, in a word.
  ///   - total: how many there are.
  ///   - stream: standard error.
  ///   - variable: gives an environment variable.
  package init(
    _ label: String, total: Int, on stream: OutputStream = .standardError(),
    variable: (String) -> String? = ProgressBar.environment
  ) {
    self.label = label
    self.total = total
    line = VanishingLine(on: stream, variable: variable)
    isColored = TerminalStyle.isAllowed(by: variable)
  }

  /// The corresponding C function is getenv(3).
  package static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Whether the bar can be shown at all, so that calling `update` while waiting is worth it.
  package var isOnTerminal: Bool { line.isPossible }

  package func update(_ done: Int) {
    guard Clock.now - start >= Self.delay else { return }
    line.show { Self.line(label, done, total, columns: $0, isColored: isColored) }
  }

  /// Removes the bar; the next `update` shows it again.
  package func hide() { line.hide() }

  /// `icons [####----] 4/8`, shorter than the line, so that the cursor stays on it.
  static func line(
    _ label: String, _ done: Int, _ total: Int, columns: Int, isColored: Bool
  ) -> String {
    let count = "\(done)/\(total)"
    let width = min(widest, columns - TerminalCells.count(label) - count.count - 5)
    guard width >= 4 else { return String(count.prefix(max(0, columns - 1))) }
    let filled = total > 0 ? min(width, width * done / total) : width
    let bar = String(repeating: "#", count: filled)
    let rest = String(repeating: "-", count: width - filled)
    return "\(label) [\(isColored ? TerminalStyle.progress.applied(to: bar) : bar)\(rest)] \(count)"
  }
}

/// The progress of work of unknown size, on the last line of a terminal's standard error:
/// `tagging 12,345 files, 8,900/s  site/img/logo.svg`.
///
/// The line is shown after a second and changes at most ten times a second. Several threads may
/// take part in the work.
package final class ProgressCount: Sendable {
  // In nanoseconds.
  private static let delay: Int64 = 1_000_000_000
  private static let interval: Int64 = 100_000_000

  private let label: String
  private let start: Duration
  /// When to show the line next, in nanoseconds from the start.
  private let next = Atomic<Int64>(delay)
  private let line: VanishingLine

  /// - Parameters:
  ///   - label: what is being done to the files, in a word or two.
  ///   - start: when the work began.
  ///   - stream: standard error.
  ///   - variable: gives an environment variable.
  package init(
    _ label: String, start: Duration = Clock.now,
    on stream: OutputStream,
    variable: (String) -> String? = ProgressBar.environment
  ) {
    self.label = label
    self.start = start
    line = VanishingLine(on: stream, variable: variable)
  }

  /// Whether the line can be shown at all, so that calling `update` is worth it.
  package var isOnTerminal: Bool { line.isPossible }

  /// Shows how many files are done, and which one is being worked on.
  package func update(
    _ done: Int, at path: ArraySlice<UInt8>, now: Duration = Clock.now
  ) {
    let time = now - start
    let (seconds, attoseconds) = time.components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    let due = next.load(ordering: .relaxed)
    // Only one of several threads shows the line.
    guard nanoseconds >= due,
      next.compareExchange(
        expected: due, desired: nanoseconds + Self.interval, ordering: .relaxed
      ).exchanged
    else { return }
    line.show { Self.text(label, done, in: time, at: path, columns: $0) }
  }

  /// Removes the line; the next `update` shows it again.
  package func hide() { line.hide() }

  /// The line's text, shorter than the terminal is wide; the end of a long path is left out.
  static func text(
    _ label: String, _ done: Int, in time: Duration, at path: ArraySlice<UInt8>, columns: Int
  ) -> String {
    let (seconds, attoseconds) = time.components
    let elapsed = Double(seconds) + Double(attoseconds) / 1e18
    let rate = elapsed > 0 ? Int(min(Double(done) / elapsed, 1e12)) : 0
    let text =
      "\(label) \(CountText.of(done, "file")), \(CountText.of(rate))/s  \(EscapedText(path))"
    return TerminalCells.cut(text, to: columns - 1)
  }
}

/// A line on a terminal's standard error that words written there by streams replace.
///
/// Nothing is shown where standard error is no terminal, or one that cannot move its cursor.
private struct VanishingLine: Sendable {
  let isPossible: Bool
  private let destination: OutputDestination

  init(on stream: OutputStream, variable: (String) -> String?) {
    destination = stream.destination
    isPossible = stream.isTerminal && variable("TERM").map { $0 != "dumb" } ?? false
  }

  /// Shows a text, which must be shorter than `columns` so that the cursor stays on the line.
  func show(_ text: (_ columns: Int) -> String) {
    guard isPossible else { return }
    destination.show(text(TerminalSize(ofDescriptor: destination.descriptor)?.columns ?? 80))
  }

  func hide() { destination.show(nil) }
}

/// The size of a terminal.
package struct TerminalSize: Sendable {
  package let columns: Int
  package let rows: Int
  /// A character's width and height in pixels, where the terminal tells.
  package let cell: (width: Int, height: Int)?

  /// The corresponding C function is ioctl(2) with TIOCGWINSZ.
  ///
  /// - Returns: `nil` if the stream is no terminal, or one that does not know its size.
  package init?(of stream: OutputStream) { self.init(ofDescriptor: stream.descriptor) }

  init?(ofDescriptor descriptor: CInt) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return nil }
    columns = Int(size.ws_col)
    rows = Int(size.ws_row)
    let width = Int(size.ws_xpixel) / columns
    let height = Int(size.ws_ypixel) / rows
    cell = width > 0 && height > 0 ? (width, height) : nil
  }
}

/// Numbers of things in words for people.
package enum CountText {
  /// The digits in groups of three: `12,345`.
  package static func of(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var result = number < 0 ? "-" : ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position).isMultiple(of: 3) { result += "," }
      result.append(digit)
    }
    return result
  }

  /// With the noun: `1 file`, `12,345 files`.
  package static func of(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(of(number)) \(noun)s"
  }
}

internal import Synchronization
internal import TextFormats

/// How far a long piece of work of unknown size has come, on the last line of a terminal's standard
/// error: `tagging 12,345 files, 8,900/s  site/img/logo.svg`.
///
/// It shows itself after a second, changes ten times a second at most, and goes when the work is
/// done. Where standard error is no terminal, or one that cannot move its cursor, there is none.
/// Several threads may have a part in the work.
public final class ProgressCount: Sendable {
  // In nanoseconds.
  private static let delay: Int64 = 1_000_000_000
  private static let interval: Int64 = 100_000_000

  private let label: String
  private let start: ContinuousClock.Instant
  /// When to show it next, in nanoseconds from the start.
  private let next = Atomic<Int64>(delay)
  private let line: VanishingLine

  /// - Parameters:
  ///   - label: what is being done to the files, in a word or two.
  ///   - start: when the work began.
  ///   - stream: standard error.
  ///   - variable: gives an environment variable.
  public init(
    _ label: String, start: ContinuousClock.Instant = .now,
    on stream: OutputStream,
    variable: (String) -> String? = ProgressBar.environment
  ) {
    self.label = label
    self.start = start
    line = VanishingLine(on: stream, variable: variable)
  }

  /// Whether it can be shown at all, so that it is worth calling `update`.
  public var isOnTerminal: Bool { line.isPossible }

  /// Shows how many files are done, and at which one the work is.
  public func update(
    _ done: Int, at path: ArraySlice<UInt8>, now: ContinuousClock.Instant = .now
  ) {
    let time = now - start
    let (seconds, attoseconds) = time.components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    let due = next.load(ordering: .relaxed)
    // Of several threads one shows it.
    guard nanoseconds >= due,
      next.compareExchange(
        expected: due, desired: nanoseconds + Self.interval, ordering: .relaxed
      ).exchanged
    else { return }
    line.show { Self.text(label, done, in: time, at: path, columns: $0) }
  }

  /// Takes it away; an `update` shows it again.
  public func hide() { line.hide() }

  /// The line, shorter than the terminal is wide; the end of a long path is left out.
  static func text(
    _ label: String, _ done: Int, in time: Duration, at path: ArraySlice<UInt8>, columns: Int
  ) -> String {
    let (seconds, attoseconds) = time.components
    let elapsed = Double(seconds) + Double(attoseconds) / 1e18
    let rate = elapsed > 0 ? Int(min(Double(done) / elapsed, 1e12)) : 0
    let text =
      "\(label) \(CountText.of(done, "file")), \(CountText.of(rate))/s  \(EscapedText(path))"
    return cut(text, to: columns - 1)
  }

  private static func cut(_ text: String, to width: Int) -> String {
    guard text.unicodeScalars.reduce(0, { $0 + columns($1) }) > width else { return text }
    var result = ""
    var room = width - 1
    for scalar in text.unicodeScalars {
      room -= columns(scalar)
      guard room >= 0 else { break }
      result.unicodeScalars.append(scalar)
    }
    return width > 0 ? result + "…" : ""
  }

  /// How many columns a character takes at most: none below the Hangul Jamo takes two.
  private static func columns(_ scalar: Unicode.Scalar) -> Int { scalar.value < 0x1100 ? 1 : 2 }
}

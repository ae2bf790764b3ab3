/// How far a long piece of work of unknown size has come, on the last line of a terminal's standard
/// error: `tagging 12,345 files, 8,900/s  site/img/logo.svg`.
///
/// It shows itself after a second, changes ten times a second at most, and goes when the work is
/// done. Where standard error is no terminal, or one that cannot move its cursor, there is none.
/// Whoever writes to standard error meanwhile hides it before.
public final class ProgressCount {
  private static let delay: Duration = .seconds(1)
  private static let interval: Duration = .milliseconds(100)

  private let label: String
  private let start: ContinuousClock.Instant
  private var next: ContinuousClock.Instant
  private let line: VanishingLine

  /// - Parameters:
  ///   - label: what is being done to the files, in a word or two.
  ///   - start: when the work began.
  ///   - stream: standard error.
  ///   - variable: gives an environment variable.
  public init(
    _ label: String, start: ContinuousClock.Instant = .now,
    on stream: OutputStream = .standardError(),
    variable: (String) -> String? = ProgressBar.environment
  ) {
    self.label = label
    self.start = start
    next = start + Self.delay
    line = VanishingLine(on: stream, variable: variable)
  }

  /// Whether it can be shown at all, so that it is worth calling `update`.
  public var isOnTerminal: Bool { line.isPossible }

  /// Whether `update` would change what is shown.
  public func isDue(_ now: ContinuousClock.Instant = .now) -> Bool { now >= next }

  /// Shows how many files are done, and at which one the work is.
  public func update(
    _ done: Int, at path: ArraySlice<UInt8>, now: ContinuousClock.Instant = .now
  ) {
    guard isDue(now) else { return }
    next = now + Self.interval
    line.show { columns in
      Self.text(label, done, in: now - start, at: path, columns: columns)
    }
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

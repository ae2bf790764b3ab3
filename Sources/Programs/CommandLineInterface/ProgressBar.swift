internal import Glibc

/// How far a long piece of work has come, on the last line of a terminal's standard error.
///
/// It shows itself after a second and goes when the work is done. Where standard error is no
/// terminal, or one that cannot move its cursor, there is none. Whoever writes to standard error
/// meanwhile hides it before.
public final class ProgressBar {
  private static let delay: Duration = .seconds(1)
  private static let widest = 40

  private let label: String
  private let total: Int
  private let line: VanishingLine
  private let isColored: Bool
  private let start = ContinuousClock.now

  /// - Parameters:
  ///   - label: what is counted, in a word.
  ///   - total: how many there are.
  ///   - stream: standard error.
  ///   - variable: gives an environment variable.
  public init(
    _ label: String, total: Int, on stream: OutputStream = .standardError(),
    variable: (String) -> String? = ProgressBar.environment
  ) {
    self.label = label
    self.total = total
    line = VanishingLine(on: stream, variable: variable)
    // no-color.org: any value that is not empty.
    isColored = variable("NO_COLOR").map(\.isEmpty) ?? true
  }

  /// The corresponding C function is getenv(3).
  public static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Whether it can be shown at all, so that it is worth calling `update` while nothing happens.
  public var isOnTerminal: Bool { line.isPossible }

  /// Shows what is done.
  public func update(_ done: Int) {
    guard ContinuousClock.now - start >= Self.delay else { return }
    line.show { Self.line(label, done, total, columns: $0, isColored: isColored) }
  }

  /// Takes it away; the next `update` shows it again.
  public func hide() { line.hide() }

  /// `icons [####----] 4/8`, shorter than the line, so that the cursor stays on it.
  static func line(
    _ label: String, _ done: Int, _ total: Int, columns: Int, isColored: Bool
  ) -> String {
    let count = "\(done)/\(total)"
    let width = min(widest, columns - label.count - count.count - 5)
    guard width >= 4 else { return String(count.prefix(max(0, columns - 1))) }
    let filled = total > 0 ? min(width, width * done / total) : width
    let bar = String(repeating: "#", count: filled)
    let rest = String(repeating: "-", count: width - filled)
    return "\(label) [\(isColored ? "\u{1b}[32m\(bar)\u{1b}[0m" : bar)\(rest)] \(count)"
  }
}

internal import Glibc

/// A line on a terminal's standard error that tells how work goes on, and is gone when it is done.
///
/// Where standard error is no terminal, or one that cannot move its cursor, there is none. Whoever
/// writes to standard error meanwhile hides it before.
final class VanishingLine {
  private static let erasure = "\r\u{1b}[K"

  /// Whether it can be shown at all.
  let isPossible: Bool
  private let stream: OutputStream
  private var shown: String?

  init(on stream: OutputStream, variable: (String) -> String?) {
    self.stream = stream
    isPossible = stream.isTerminal && variable("TERM").map { $0 != "dumb" } ?? false
  }

  /// Shows a text that is shorter than so many columns, so that the cursor stays on the line.
  func show(_ text: (_ columns: Int) -> String) {
    guard isPossible else { return }
    let text = text(TerminalSize(of: stream)?.columns ?? 80)
    guard text != shown else { return }
    shown = text
    stream.write(Self.erasure + text)
    stream.flush()
  }

  func hide() {
    guard shown != nil else { return }
    shown = nil
    stream.write(Self.erasure)
    stream.flush()
  }
}

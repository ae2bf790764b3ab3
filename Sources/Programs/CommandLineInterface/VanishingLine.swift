/// A line on a terminal's standard error that tells how work goes on, and is gone when it is done.
///
/// Where standard error is no terminal, or one that cannot move its cursor, there is none. Words
/// that are written by streams to the same destination take its place.
struct VanishingLine: Sendable {
  /// Whether it can be shown at all.
  let isPossible: Bool
  private let destination: OutputDestination

  init(on stream: OutputStream, variable: (String) -> String?) {
    destination = stream.destination
    isPossible = stream.isTerminal && variable("TERM").map { $0 != "dumb" } ?? false
  }

  /// Shows a text that is shorter than so many columns, so that the cursor stays on the line.
  func show(_ text: (_ columns: Int) -> String) {
    guard isPossible else { return }
    destination.show(text(TerminalSize(ofDescriptor: destination.descriptor)?.columns ?? 80))
  }

  func hide() { destination.show(nil) }
}

/// Where several threads write, each by a console of its own with pending output of its own.
public struct SharedConsole: Sendable {
  private let output: OutputDestination
  private let errors: OutputDestination
  private let tool: String

  /// Sends what is pending first, so that it stays before what other threads write.
  public init(_ console: Console) {
    console.output.flush()
    output = console.output.destination
    errors = console.errors.destination
    tool = console.tool
  }

  /// A console for the calling thread. Whoever writes to it says by `output.endRecord()` where
  /// others may go on, and flushes at the end.
  public func forThisThread() -> Console {
    Console(
      tool: tool, output: OutputStream(output, isShared: true),
      errors: OutputStream(errors, isShared: true))
  }
}

internal import TextFormats

/// Where a verb writes: data to standard output, words to standard error.
///
/// A console is for one thread; others have their own, by `SharedConsole`.
public final class Console {
  public let output: OutputStream
  let errors: OutputStream
  let tool: String

  public init(tool: String, output: OutputStream, errors: OutputStream) {
    self.tool = tool
    errors.destination.takeTurns(with: output.destination)
    self.output = output
    self.errors = errors
  }

  /// Writes `tool: path: message` to standard error, the path escaped.
  ///
  /// What was written to standard output before goes out first, so that the two keep their order
  /// on a terminal.
  public func report(_ path: ArraySlice<UInt8>, _ message: String) {
    say("\(EscapedText(path)): \(message)")
  }

  /// Writes `tool: message` to standard error.
  public func say(_ message: String) {
    output.flush()
    errors.writeLine("\(tool): \(message)")
    errors.flush()
  }

  /// Writes a labelled row of a block for people to standard output, the value escaped.
  public func writeRow(_ label: String, _ value: String) {
    let gap = String(repeating: " ", count: max(1, 13 - label.count))
    output.writeLine("  \(label)\(gap)\(EscapedText(value))")
  }

  /// Progress of work on files, which this console's words, and those of other threads' consoles,
  /// take the place of.
  ///
  /// - Parameter label: what is being done to the files, in a word or two.
  public func progress(_ label: String) -> ProgressCount { ProgressCount(label, on: errors) }

  /// Passes on what a program of ours has said.
  public func passOn(_ words: [UInt8]) {
    guard !words.isEmpty else { return }
    output.flush()
    errors.write(words)
    errors.flush()
  }

  /// Passes on what a command has written to files, each of them whole.
  public func passOn(output file: CInt, errors otherFile: CInt) {
    output.flush()
    output.destination.send(contentsOf: file)
    errors.destination.send(contentsOf: otherFile)
  }

  /// Sends what is pending and says whether all of standard output was written.
  public func finish(_ status: ExitStatus) -> ExitStatus {
    output.flush()
    guard let failure = output.failure else { return status }
    say("standard output: cannot write: \(failure.reason)")
    return .failed
  }
}

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

import CommandLineInterface

/// Runs commands with files that were found, from several threads.
protocol FileRunner: Sendable {
  /// Takes a file, which may wait for others to be done.
  func run(_ path: [UInt8])

  /// Waits for all; `.failed` where a command did not succeed.
  func finish() -> ExitStatus
}

/// What the tool's exit status means; the numbers stand only here.
public enum ExitStatus: Int32, Sendable {
  /// All of it is done.
  case done = 0
  /// It ran correctly, but some file has no document source, or no icon was found.
  case noSource = 1
  /// Something failed; standard error says what.
  case failed = 2
  /// The command line was wrong (`EX_USAGE` of sysexits.h).
  case usage = 64

  /// The status of two pieces of work together: the graver of the two.
  public func combined(with other: ExitStatus) -> ExitStatus {
    rawValue >= other.rawValue ? self : other
  }
}

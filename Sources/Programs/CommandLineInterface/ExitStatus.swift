/// The tool's exit statuses; the numbers stand only here.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Everything is done.
  case done = 0
  /// The verb ran correctly, but some file has no document source, or no icon was found.
  case negative = 1
  /// Something failed; standard error says what.
  case failed = 2
  /// The command line was wrong (`EX_USAGE` of sysexits.h).
  case usage = 64

  /// The meaning, in sentences for the manual.
  package var meaning: String {
    switch self {
    case .done: "Success."
    case .negative: "No failure, but some file has no document source."
    case .failed: "Something failed; standard error says what. Everything else was done."
    case .usage: "The command line is wrong; nothing was done."
    }
  }

  /// The graver of two statuses, which is that of both pieces of work together.
  package func combined(with other: ExitStatus) -> ExitStatus {
    rawValue >= other.rawValue ? self : other
  }
}

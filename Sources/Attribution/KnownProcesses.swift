internal import Glibc

/// Whose processes are, remembered while they write on.
///
/// It is for one thread.
public final class KnownProcesses {
  /// Parents may change without a trace in the process itself; in seconds.
  private static let age = 30
  /// Each takes two descriptors.
  private static let limit = 256

  private let reader: ProcessReader
  private var known: [Int32: KnownProcess] = [:]
  private var turn = 0

  public init(_ reader: ProcessReader = ProcessReader()) { self.reader = reader }

  /// Begins to ask of writers that have written at about the same time. What is known of one is
  /// looked at once in a turn, which is to take no longer than events wait anyway.
  public func beginTurn() { turn += 1 }

  /// Whose a writer is, where this was asked in this turn; `nil` where it is to be asked.
  public func attributionInTurn(of writer: Writer, context: Int) -> Attribution? {
    guard writer.process >= 0, let same = known[writer.identifier], same.turn == turn,
      same.context == context
    else { return nil }
    return same.attribution
  }

  /// Whose a writer is.
  ///
  /// - Parameters:
  ///   - applications: those of a user.
  ///   - context: a number that is the same only for the same applications.
  public func attribution(
    of writer: Writer, among applications: InstalledApplications, context: Int
  ) -> Attribution {
    guard writer.identifier > 0, writer.process >= 0 else { return .unknown }
    var clock = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &clock)
    if let same = known[writer.identifier], same.context == context,
      clock.tv_sec - same.time < Self.age, same.turn == turn || same.isSame
    {
      same.turn = turn
      return same.attribution
    }
    guard let process = reader.open(writer),
      let found = reader.facts(of: writer.identifier, in: process)
    else { return .unknown }
    let attribution = Attribution.of(
      found.process, ancestors: found.ancestors, among: applications)
    // All at once: which of them are gone would take longer to find out.
    if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
    let one = KnownProcess(
      attribution, found.process, in: process, context: context, time: clock.tv_sec)
    one.turn = turn
    known[writer.identifier] = one
    return attribution
  }
}

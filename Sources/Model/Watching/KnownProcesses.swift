internal import Glibc

/// Whose processes are, remembered while they write on.
///
/// It is for one thread.
public final class KnownProcesses {
  /// Parents may change without a trace in the process itself; in milliseconds.
  private static let age = 30_000
  /// Each takes two descriptors.
  private static let limit = 256

  private let reader: ProcessReader
  private var known: [Int32: KnownProcess] = [:]
  private var turn = 0

  public init(_ reader: ProcessReader = ProcessReader()) { self.reader = reader }

  /// Begins to ask of writers that have written at about the same time. What is known of one is
  /// looked at once in a turn, which is to take no longer than events wait anyway.
  public func beginTurn() { turn += 1 }

  /// Whose a writer is, where that is known; `nil` where it is to be asked, which takes long.
  ///
  /// - Parameter context: a number that is the same only for the same applications.
  public func knownAttribution(of writer: Writer, context: Int) -> Attribution? {
    guard writer.process >= 0, let same = known[writer.identifier], same.context == context else {
      return nil
    }
    if same.turn == turn { return same.attribution }
    let now = Self.now
    guard now - same.time < Self.age, same.isSame(at: now) else { return nil }
    same.turn = turn
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
    if let known = knownAttribution(of: writer, context: context) { return known }
    guard let process = reader.open(writer),
      let found = reader.facts(of: writer.identifier, in: process)
    else { return .unknown }
    let attribution = Attribution.of(
      found.process, ancestors: found.ancestors, among: applications)
    // All at once: which of them are gone would take longer to find out.
    if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
    let one = KnownProcess(
      attribution, found.process, in: process, context: context, time: Self.now)
    one.turn = turn
    known[writer.identifier] = one
    return attribution
  }

  /// In milliseconds. The corresponding C function is clock_gettime(2).
  private static var now: Int {
    var clock = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &clock)
    return clock.tv_sec * 1000 + clock.tv_nsec / 1_000_000
  }
}

/// A process whose attribution is known, and how to tell that it still holds.
final class KnownProcess {
  let attribution: Attribution
  /// Whose applications it was told by.
  let context: Int
  /// When it was told, in milliseconds.
  let time: Int
  /// When it was last found to be the same.
  var turn = -1
  /// Programs are put into their units as they start. In milliseconds.
  private static let start = 2000
  /// How long control groups are believed later, in milliseconds: to ask for them takes longer than
  /// all else.
  private static let groupAge = 1000
  private let controlGroups: [UInt8]
  private var groupTime: Int
  private let groupFile: CInt
  private let environmentFile: CInt

  init(
    _ attribution: Attribution, _ facts: ProcessFacts, in process: ProcessDirectory, context: Int,
    time: Int
  ) {
    self.attribution = attribution
    self.context = context
    self.time = time
    controlGroups = facts.controlGroups
    groupTime = time
    groupFile = process.open("cgroup")
    environmentFile = process.open("environ")
  }

  deinit {
    if groupFile >= 0 { close(groupFile) }
    if environmentFile >= 0 { close(environmentFile) }
  }

  /// Whether the process is the same, runs the same program and is in the same control groups.
  ///
  /// The files are of the process and not of its number. That of the environment is of the memory
  /// which the process had, and has nothing more after it has run another program.
  ///
  /// - Parameter now: in milliseconds.
  func isSame(at now: Int) -> Bool {
    guard groupFile >= 0, environmentFile >= 0 else { return false }
    var byte: UInt8 = 0
    guard unsafe pread(environmentFile, &byte, 1, 0) == 1 else { return false }
    if now - time > Self.start, now - groupTime < Self.groupAge { return true }
    groupTime = now
    return unsafe withUnsafeTemporaryAllocation(
      byteCount: controlGroups.count + 1, alignment: 1
    ) { buffer in
      let count = unsafe pread(groupFile, buffer.baseAddress, buffer.count, 0)
      return unsafe count == controlGroups.count
        && controlGroups.withUnsafeBytes { known in
          unsafe known.elementsEqual(buffer.prefix(count))
        }
    }
  }
}

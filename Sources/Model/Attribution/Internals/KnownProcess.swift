internal import Glibc

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

internal import CLinux
internal import Glibc
internal import LinuxSystem

/// The attributions of processes, remembered for as long as the processes go on writing.
///
/// To be used on one thread.
package final class KnownProcesses {
  /// How long an attribution is kept, in milliseconds: an ancestor may change unnoticed.
  private static let age = 30_000
  /// Each known process takes two descriptors.
  private static let limit = 256

  private let reader: ProcessReader
  private var known: [Int32: KnownProcess] = [:]
  private var turn = 0

  package init(_ reader: ProcessReader = ProcessReader()) { self.reader = reader }

  /// Whether a process whose attribution is remembered is recognized when it has ended.
  static let areKnownAfterTheirEnd: Bool = {
    let process = clinux_process_open(getpid())
    guard process >= 0 else { return false }
    defer { close(process) }
    return clinux_process_inode(process) != 0
  }()

  /// Begins a turn of work on events that came at about the same time. Whether a known process is
  /// still the same is checked once a turn, which must not take longer than events wait anyway.
  package func beginTurn() { turn += 1 }

  /// The remembered attribution of a writer; `nil` if it must be found anew, which takes long.
  ///
  /// - Parameter context: a number that stands for one user's applications.
  package func knownAttribution(of writer: Writer, context: Int) -> Attribution? {
    guard writer.process >= 0, let same = known[writer.identifier], same.context == context else {
      return nil
    }
    return isSame(same, writer) ? same.attribution : nil
  }

  /// Whether the attribution of a writer is remembered, and is of the same process.
  package func isKnown(_ writer: Writer) -> Bool {
    writer.process >= 0 && known[writer.identifier].map { isSame($0, writer) } ?? false
  }

  /// Whether a writer is known to be an application's, and will be when it has ended. One that is no
  /// application's may yet run an application, as scripts do.
  func isKnownForGood(_ writer: Writer) -> Bool {
    guard Self.areKnownAfterTheirEnd, isKnown(writer),
      case .application? = known[writer.identifier]?.attribution
    else { return false }
    return true
  }

  private func isSame(_ process: KnownProcess, _ writer: Writer) -> Bool {
    if process.turn == turn { return true }
    let now = Self.now
    guard now - process.time < Self.age,
      process.isSame(at: now) || process.isSame(asEnded: writer.process)
    else { return false }
    process.turn = turn
    return true
  }

  /// The attribution of a writer, remembered or found anew.
  ///
  /// - Parameters:
  ///   - applications: those of the file's owner.
  ///   - context: a number that stands for exactly these applications.
  package func attribution(
    of writer: Writer, among applications: InstalledApplications, context: Int
  ) -> Attribution {
    guard writer.identifier > 0, writer.process >= 0 else { return .unknown }
    if let known = knownAttribution(of: writer, context: context) { return known }
    guard let process = reader.open(writer),
      let found = reader.facts(of: writer.identifier, in: process)
    else {
      // It writes nothing more, so that nothing is remembered.
      guard let gone = writer.glance.map({ reader.facts(ofGone: $0) }) else { return .unknown }
      return Attribution.of(gone.process, ancestors: gone.ancestors, among: applications)
    }
    let attribution = Attribution.of(
      found.process, ancestors: found.ancestors, among: applications)
    // All are forgotten: to find out which of them have ended would take longer.
    if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
    let one = KnownProcess(
      attribution, found.process, in: process, clinux_process_inode(writer.process),
      context: context, time: Self.now)
    one.turn = turn
    known[writer.identifier] = one
    return attribution
  }

  /// The time in milliseconds, to a tick of the kernel's, since that is faster to get than
  /// `Clock`'s.
  ///
  /// The corresponding C function is clock_gettime(2).
  private static var now: Int {
    var clock = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &clock)
    return clock.tv_sec * 1000 + clock.tv_nsec / 1_000_000
  }
}

/// A process whose attribution is known, with the means to check that the attribution still holds.
final class KnownProcess {
  let attribution: Attribution
  /// The number of the applications that the attribution is among.
  let context: Int
  /// When the attribution was found, in milliseconds.
  let time: Int
  /// The last turn in which the process was found to be the same.
  var turn = -1
  /// How long a program may take to be put into its unit after it has started, in milliseconds.
  private static let start = 2000
  /// How long control groups are believed after that, in milliseconds: to read them takes longer
  /// than all other checks.
  private static let groupAge = 1000
  /// Before that, they are believed for so large a part of the time for which the process is known.
  private static let groupPart = 4
  private let controlGroups: [UInt8]
  /// Zero if the kernel has none.
  private let inode: UInt64
  private var groupTime: Int
  private let groupFile: CInt
  /// What belongs to the memory that the process has.
  private let memoryFile: CInt

  init(
    _ attribution: Attribution, _ facts: ProcessFacts, in process: ProcessDirectory,
    _ inode: UInt64, context: Int, time: Int
  ) {
    self.attribution = attribution
    self.context = context
    self.time = time
    controlGroups = facts.controlGroups
    self.inode = inode
    groupTime = time
    groupFile = process.open("cgroup")
    // Some kernels are built without it.
    let memory = process.open("pagemap")
    memoryFile = memory >= 0 ? memory : process.open("environ")
  }

  deinit {
    if groupFile >= 0 { close(groupFile) }
    if memoryFile >= 0 { close(memoryFile) }
  }

  /// Whether the process is the same, runs the same program and is in the same control groups.
  ///
  /// The open files belong to the process, not to its number.
  ///
  /// - Parameter now: in milliseconds.
  func isSame(at now: Int) -> Bool {
    guard groupFile >= 0, memoryFile >= 0, hasSameMemory else { return false }
    let age = now - time
    if now - groupTime < (age > Self.start ? Self.groupAge : age / Self.groupPart) { return true }
    groupTime = now
    return unsafe withUnsafeTemporaryAllocation(
      byteCount: controlGroups.count + 1, alignment: 1
    ) { buffer in
      let count = unsafe pread(groupFile, buffer.baseAddress, buffer.count, 0)
      guard count >= 0 else { return false }
      return unsafe controlGroups.withUnsafeBytes { known in
        unsafe known.hasSameBytes(as: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  /// Whether the process still has the memory that it had: it has executed no other program since.
  ///
  /// The file is empty once it has. Until then a byte of the environment can be read, while of
  /// proc_pid_pagemap(5) the kernel refuses to give a single byte, which takes it a fifth of the time.
  private var hasSameMemory: Bool {
    var byte: UInt8 = 0
    let count = unsafe pread(memoryFile, &byte, 1, 0)
    return count > 0 || count < 0 && Errno.current == .invalidArgument
  }

  /// Whether a process that has ended is the same. It may have executed another program before, but
  /// seldom writes by both.
  ///
  /// - Parameter process: a pidfd.
  func isSame(asEnded process: CInt) -> Bool {
    inode != 0 && inode == clinux_process_inode(process) && ProcessReader.hasEnded(process)
  }
}

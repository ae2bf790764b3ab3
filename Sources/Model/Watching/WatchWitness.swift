internal import CLinux
internal import CompanionProtocol
internal import Glibc
package import LinuxSystem
internal import Witness

/// The process that records who wrote files where only root can write: `security.docsource`.
///
/// It sees by itself who makes, writes and closes files. What other processes of the watch tell it is only
/// which files it may concern itself with, so that nothing that users can influence has a say in a record.
package final class WatchWitness {
  /// The argument by which this program starts itself as the witness. No verb begins with a parenthesis.
  package static let argument = "(watch-witness)"

  // Of linux/capability.h: reading links of other users' processes, and their files.
  private static let readAndSearch: UInt64 = 1 << 2
  private static let trace: UInt64 = 1 << 19
  private static let administer: UInt64 = 1 << 21
  private static let lease: UInt64 = 1 << 28
  /// How long events are left to gather, in milliseconds, so that what one process does to one file is
  /// one event. What a program writes before it was seen running is not known to be its.
  private static let gathering = 5
  /// For so many files or some more, records are written at a time.
  private static let batch = 64
  /// How long a file is put off of which no record can be written yet, in milliseconds, how often, and how many
  /// files at a time: the kernel reports that a file is closed before others may take a lease on it, and its last
  /// writer, or this process, may have to wait for a processor in between.
  private static let postponement = (delay: 20, turns: 10, limit: 256)
  private static let templateLimit = 256
  private static let memory: UInt64 = 256 << 20

  private struct TemplateKey: Hashable {
    let event: WitnessRecord.Event
    let subvolume: Int64?
  }

  /// A file of which somebody wants a record.
  private struct Asked {
    /// Open for reading.
    let file: CInt
    let kind: SealedFile
    /// How often it may still be put off.
    var turns = WatchWitness.postponement.turns
    /// Until when it is put off, in milliseconds.
    var due = 0
  }

  /// Why no record of a file is written.
  private enum Obstacle: Error {
    /// It may be written a little later.
    case passing
    case lasting
  }

  private let channel: FileChannel
  private let journal: WriteJournal
  private let programs: WriterPrograms
  private let reported: ReportedPrograms
  private let boot: String
  private let systems: JournaledSystems
  /// The mounts of which files are reported.
  private var places: [UInt64] = []
  private var files = JournaledFiles(since: WatchWitness.now)
  /// Whether events have come since they were last waited for.
  private var hadEvents = false
  /// Those whose lease must not end yet, the first to end first.
  private var seals: [WitnessSeal] = []
  /// Those of which no record could be written yet.
  private var postponed = FileQueue<Asked>()
  /// Records of new files by the programs that have written them.
  private var templates: [TemplateKey: RecordTemplate] = [:]

  /// Works for the reader of events, to which standard input leads, until that ends.
  ///
  /// - Returns: whether this process could become the witness.
  package static func run(_ places: BaseDirectories) -> Bool {
    WitnessSeal.prepare()
    guard let boot = WitnessRecord.currentBoot,
      let journal = try? WriteJournal(),
      clinux_rights_keep(
        readAndSearch | trace | administer | lease, readAndSearch | trace | administer | lease) == 0
    else { return false }
    // None of a user's own.
    var system = places
    (system.home, system.dataHome, system.configHome) = (nil, nil, nil)
    _ = FileEvents.raiseFileLimit()
    _ = clinux_rights_limit_data(memory)
    let systems = JournaledSystems()
    let reported = ReportedPrograms(journal, systems)
    let programs = WriterPrograms(InstalledApplications(system), reported, systems)
    let witness = WatchWitness(
      FileChannel(STDIN_FILENO, PacketBuffer()), journal, programs, reported, systems, boot)
    reported.includeMounted()
    witness.work()
    return true
  }

  private init(
    _ channel: FileChannel, _ journal: WriteJournal, _ programs: WriterPrograms,
    _ reported: ReportedPrograms, _ systems: JournaledSystems, _ boot: String
  ) {
    self.channel = channel
    self.journal = journal
    self.programs = programs
    self.reported = reported
    self.systems = systems
    self.boot = boot
  }

  private func work() {
    var wanted = [
      pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: journal.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      // After events, others are expected: to be woken by the first of them would cost more than to look in vain.
      let gathers = hadEvents
      hadEvents = false
      let isReady = unsafe gathers || poll(&wanted, nfds_t(wanted.count), patience) >= 0
      guard isReady || errno == EINTR else { return }
      if gathers || wanted[1].revents != 0 && wanted[0].revents == 0 {
        // Requests end the wait.
        unsafe poll(&wanted, 1, CInt(Self.gathering))
      }
      endSeals()
      if wanted[0].revents == 0 {
        seal([])
      } else if !listen() {
        return
      }
    }
  }

  /// How long to wait, in milliseconds; -1 for something to happen.
  private var patience: CInt {
    // The clock moves on by some milliseconds at a time.
    let ends = [
      seals.first.map { CInt(clamping: $0.rest / 1_000_000) + 1 },
      postponed.waiting.first.map { CInt(clamping: max(0, $0.due - Clock.milliseconds)) },
      programs.hasCandidates ? CInt(Self.gathering) : nil,
    ]
    return ends.compactMap(\.self).min() ?? -1
  }

  // MARK: What is reported

  private func drain() {
    let events = Self.drain(journal, programs, &files)
    if events > 0 { hadEvents = true }
    programs.observe(&files) { _ = Self.drain(journal, programs, &$0) }
  }

  /// - Returns: the number of events.
  private static func drain(
    _ journal: WriteJournal, _ programs: WriterPrograms, _ files: inout JournaledFiles
  ) -> Int {
    var count = 0
    do throws(Errno) {
      try journal.drain { event, process in
        count += 1
        files.take(event, at: now)
        let key: ProcessKey? =
          switch event {
          case .ran(_, let process): process
          // Most programs that delete files write none.
          case .wrote(_, .deleted, _): nil
          case .wrote(_, _, let process): process
          case .overflow: nil
          }
        guard let key, files.unobserved(key) != nil else { return .close }
        return programs.add(key, process)
      }
    } catch {
      files.take(.overflow, at: now)
    }
    files.endTurn()
    return count
  }

  // MARK: What is asked for

  /// - Returns: whether the reader of events is still there.
  private func listen() -> Bool {
    var asked: [Asked] = []
    defer { seal(asked) }
    while asked.count < Self.batch {
      switch channel.receive() {
      case .none: return true
      case .ended: return false
      case .packet(let packet):
        switch CompanionMessage(packet).flatMap({ WitnessRequest($0) }) {
        case .place where packet.files.count == 1:
          let place = packet.files[0]
          add(place)
          close(place)
        case .seal(let kinds) where kinds.count == packet.files.count:
          asked += zip(packet.files, kinds).map { Asked(file: $0, kind: $1) }
        default:
          Descriptor.close(packet.files)
          return false
        }
      }
    }
    return true
  }

  private func add(_ place: CInt) {
    // Others may never answer.
    guard reported.mayOpen([place]) == [true] else { return }
    try? journal.add(open: place)
    var mount = clinux_place()
    _ = unsafe clinux_file_place(place, "", &mount)
    // A file system that was mounted nowhere meanwhile has lost its mark.
    if mount.mount == 0 || !places.contains(mount.mount) {
      places.append(mount.mount)
      files.take(.overflow, at: Self.now)
    }
  }

  /// Has records written for files, and for those that were put off until now.
  private func seal(_ asked: [Asked]) {
    let due = takePostponed() + asked
    guard !due.isEmpty else { return drain() }
    var leased: [(seal: WitnessSeal, asked: Asked)] = []
    var spent: [CInt] = []
    defer { Descriptor.close(spent) }
    for (asked, mayOpen) in zip(due, reported.mayOpen(due.map(\.file))) {
      do throws(WitnessSeal.Refusal) {
        if mayOpen {
          leased.append((try WitnessSeal(on: asked.file), asked))
          continue
        }
      } catch {
        if error == .isWritten, postpone(asked) { continue }
      }
      spent.append(asked.file)
    }
    // What was written before the leases is reported now.
    drain()
    if systems.takeChange() { files.take(.overflow, at: Self.now) }
    for (seal, asked) in leased {
      do throws(Obstacle) {
        try write(seal, asked.kind)
      } catch {
        if error == .passing, postpone(asked) { continue }
      }
      spent.append(asked.file)
    }
  }

  /// - Returns: whether the file is to be tried again.
  private func postpone(_ asked: Asked) -> Bool {
    guard asked.turns > 0, postponed.count < Self.postponement.limit else { return false }
    var asked = asked
    asked.turns -= 1
    asked.due = Clock.milliseconds + Self.postponement.delay
    postponed.append(asked)
    return true
  }

  /// The files that have been put off until now.
  private func takePostponed() -> [Asked] {
    let now = Clock.milliseconds
    let due = postponed.waiting.prefix(Self.batch).prefix { $0.due <= now }
    postponed.removeFirst(due.count)
    return Array(due)
  }

  private func write(_ seal: WitnessSeal, _ kind: SealedFile) throws(Obstacle) {
    guard let version = try? seal.version(),
      let (system, key) = systems.key(of: seal.descriptor, seal.handle),
      WitnessRecord.isKept(onFileSystem: system.magic),
      let content = files.content(of: key, version)
    else { throw .lasting }
    let now = Self.now
    let history = try history(of: content, kind, at: now)
    guard let time = history.last?.time, let template = template(history, in: system) else {
      throw .lasting
    }
    do throws(WitnessSeal.Refusal) {
      try seal.write(template, time: time, version)
    } catch {
      throw error == .clock ? .passing : .lasting
    }
    files.hasRecord(history, key, version, at: now)
    seals.append(seal)
  }

  private func history(
    of content: JournaledFiles.Content, _ kind: SealedFile, at now: Int64
  ) throws(Obstacle) -> [WitnessRecord.Event] {
    switch content {
    case .recorded(let before): return before
    case .created(let writer):
      return [try event(kind == .own ? .created : .replaced, writer, at: now)]
    case .changed(let writer, let before):
      return WitnessRecord.history(before, adding: try event(.changed, writer, at: now))
    }
  }

  private func template(
    _ history: [WitnessRecord.Event], in system: clinux_system
  ) -> RecordTemplate? {
    let subvolume = WitnessRecord.subvolume(system.number, magic: system.magic)
    guard let last = history.last, history.count == 1 else {
      return RecordTemplate(boot: boot, history, subvolume: subvolume)
    }
    let key = TemplateKey(event: last.at(0), subvolume: subvolume)
    if let known = templates[key] { return known }
    if templates.count >= Self.templateLimit { templates = [:] }
    templates[key] = RecordTemplate(boot: boot, history, subvolume: subvolume)
    return templates[key]
  }

  private func event(
    _ action: WitnessRecord.Action, _ writer: JournaledFiles.Writer, at now: Int64
  ) throws(Obstacle) -> WitnessRecord.Event {
    switch programs.program(of: writer) {
    case .runs(let program):
      return WitnessRecord.Event(
        application: program.application, executable: program.path, knowledge: .executable,
        action: action, time: now)
    case .unsettled: throw .passing
    case .unknown:
      if !programs.knows(writer) { files.forget(writer) }
      throw .lasting
    }
  }

  private func endSeals() {
    let count = seals.prefix { $0.rest == 0 }.count
    WitnessSeal.end(seals.prefix(count))
    seals.removeFirst(count)
  }

  /// In nanoseconds since 1970-01-01T00:00:00Z.
  private static var now: Int64 { Clock.nanoseconds(of: CLOCK_REALTIME) }
}

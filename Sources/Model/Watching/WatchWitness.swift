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
  /// one event.
  private static let gathering = 20
  private static let memory: UInt64 = 256 << 20

  private let channel: FileChannel
  private let journal: WriteJournal
  private let programs: WriterPrograms
  private let boot: String
  private var files = JournaledFiles(since: WatchWitness.now)
  /// Those whose lease must not end yet, the first to end first.
  private var seals = FileQueue<(seal: WitnessSeal, file: CInt)>()

  /// Works for the reader of events, to which standard input leads, until that ends.
  ///
  /// - Returns: whether this process could become the witness.
  package static func run(_ places: BaseDirectories) -> Bool {
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
    let witness = WatchWitness(
      FileChannel(STDIN_FILENO, PacketBuffer()), journal,
      WriterPrograms(InstalledApplications(system)), boot)
    witness.work()
    return true
  }

  private init(
    _ channel: FileChannel, _ journal: WriteJournal, _ programs: WriterPrograms, _ boot: String
  ) {
    self.channel = channel
    self.journal = journal
    self.programs = programs
    self.boot = boot
  }

  private func work() {
    while true {
      var wanted = [
        pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: journal.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard
        unsafe poll(&wanted, nfds_t(wanted.count), seals.count > 0 ? 2 : -1) >= 0 || errno == EINTR
      else { return }
      if wanted[1].revents != 0, wanted[0].revents == 0 {
        // Requests end the wait.
        unsafe poll(&wanted, 1, CInt(Self.gathering))
      }
      drain()
      endSeals()
      if wanted[0].revents != 0, !listen() { return }
    }
  }

  private func drain() {
    do throws(Errno) {
      try journal.drain { event, process in
        files.take(event, at: Self.now)
        guard case .wrote(let key, let actions, _) = event, actions.contains(.created),
          let writer = files.writer(of: key), !programs.isKnown(writer)
        else { return }
        programs.lookUp(writer, process)
      }
    } catch {
      files.take(.overflow, at: Self.now)
    }
    programs.confirm(files.isRunning)
  }

  /// - Returns: whether the reader of events is still there.
  private func listen() -> Bool {
    while true {
      switch channel.receive() {
      case .none: return true
      case .ended: return false
      case .packet(let packet):
        guard let request = CompanionMessage(packet).flatMap({ WitnessRequest($0) }),
          packet.files.count == 1, let file = packet.files.first
        else {
          for file in packet.files { close(file) }
          return false
        }
        switch request {
        case .place:
          try? journal.add(open: file)
          close(file)
        case .seal:
          guard seal(file) else {
            close(file)
            continue
          }
        }
      }
    }
  }

  /// - Returns: whether the file has a record, and stays open until its lease ends.
  private func seal(_ file: CInt) -> Bool {
    guard Self.keepsRecords(file), let key = FileKey(open: file),
      let born = (try? ContentVersion(descriptor: file))?.born
    else { return false }
    // What was looked up last is confirmed by events that came after.
    drain()
    drain()
    guard let writer = files.soleWriter(of: key, born: born),
      let program = programs.program(of: writer)
    else { return false }
    let event = WitnessRecord.Event(
      application: program.application, executable: program.path, knowledge: .executable,
      action: .created, time: Self.now)
    do throws(WitnessSeal.Refusal) {
      let seal = try WitnessSeal([event], on: file, boot: boot) {
        drain()
        return files.soleWriter(of: key, born: born) == writer
      }
      seals.append((seal, file))
      return true
    } catch {
      return false
    }
  }

  /// Whether the kernel notes every change of a file's content in the file's times, also by mapped memory:
  /// tmpfs and network file systems do not.
  private static func keepsRecords(_ file: CInt) -> Bool {
    var status = clinux_status()
    guard unsafe clinux_file_status(file, &status) == 0 else { return false }
    // ext4, xfs, btrfs.
    return [0xef53, 0x5846_5342, 0x9123_683e].contains(status.magic)
  }

  private func endSeals() {
    while let first = seals.waiting.first, first.seal.isOver {
      seals.removeFirst(1)
      close(first.file)
    }
  }

  /// In nanoseconds since 1970-01-01T00:00:00Z. The corresponding C function is clock_gettime(2).
  private static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

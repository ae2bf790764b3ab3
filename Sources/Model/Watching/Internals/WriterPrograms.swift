internal import CLinux
internal import ForeignFormats
internal import Glibc
internal import LinuxSystem

/// The programs of processes that write files, as far as no user can have chosen what they are.
///
/// A process is looked at soon after its first event, and what is seen counts for what it does later.
final class WriterPrograms {
  /// A program that packages have installed.
  struct Program: Hashable {
    let path: String
    /// The identifier of the one application whose desktop entry starts it; `nil` if there is none or
    /// several.
    let application: String?
  }

  /// What is known of the program of a writer.
  enum Standing {
    case runs(Program)
    /// It is not known whether the process still runs it, which is known when the process has ended: it is
    /// about to.
    case unsettled
    /// None, one that a user may have chosen, or debugged, or the process runs another one by now.
    case unknown
  }

  /// A process that is to be looked at.
  private struct Candidate {
    let process: ProcessHandle
    /// How often it may still be looked at.
    var turns = WriterPrograms.turns
  }

  private struct Known {
    let program: Program?
    /// `nil` if there is no application that somebody might want to be.
    let process: ProcessHandle?
    let image: ProcessHandle.Image?
    /// Whether it is debugged, or runs another program by now, of which nothing was reported.
    var isDoubtful: Bool
    /// When that was asked for last, in milliseconds.
    var time = Clock.milliseconds
    /// Since when the answer has been unknown, in milliseconds.
    var unsettledTime: Int?

    init(_ program: Program?, _ process: ProcessHandle, _ image: ProcessHandle.Image?) {
      let isApplication = program?.application != nil
      self.program = program
      self.process = isApplication ? process : nil
      self.image = image
      isDoubtful = isApplication && process.isTraced
    }
  }

  /// A file that processes run: the same one at the same path.
  private struct RunFile: Hashable {
    let key: FileKey
    let device: UInt64
    let born: Int64?
    let path: FilePath
  }

  private static let limit = 1 << 12
  private static let candidateLimit = 1 << 10
  /// Running a program takes some microseconds until it is that program, but longer if it must be read from
  /// a disk.
  private static let turns = 200
  /// How long a process counts as not debugged and as running the same program, in milliseconds.
  private static let doubtPatience = 50
  /// How long a process may take to end that runs no program any more, in milliseconds: it gives back its memory,
  /// and closes its files.
  private static let endPatience = 200

  private let applications: InstalledApplications
  private let systems: JournaledSystems
  private let reported: ReportedPrograms
  private let looker = ProgramLooker()
  private var candidates: SharedTable<ProcessKey, Candidate> = SharedTable(limit: candidateLimit)
  private var known = RecentTable<JournaledFiles.Writer, Known>(limit: limit)
  /// Those that are no applications, which end sooner.
  private var others = RecentTable<JournaledFiles.Writer, Known>(limit: limit)
  private var programs = RecentTable<RunFile, Program?>(limit: limit)

  /// - Parameter applications: those that are installed for all users, and none of a user's own.
  init(
    _ applications: InstalledApplications, _ reported: ReportedPrograms, _ systems: JournaledSystems
  ) {
    self.applications = applications
    self.systems = systems
    self.reported = reported
  }

  /// Whether processes are to be looked at.
  var hasCandidates: Bool { !candidates.isEmpty }

  /// Has a process looked at, which is not observed.
  ///
  /// - Parameter process: its pidfd, which stays open if that is returned.
  func add(_ key: ProcessKey, _ process: Writer) -> FileEvents.Disposal {
    guard process.process >= 0, process.identifier > 0, candidates[key] == nil else {
      return .close
    }
    let user = clinux_process_user(process.process, process.identifier)
    // Where there is no room, the handle closes it.
    _ = candidates.add(
      Candidate(process: ProcessHandle(process, looker)), of: key, for: user)
    return .keep
  }

  /// Looks at the processes that wait for that.
  ///
  /// - Parameter drain: takes all events that came until now.
  func observe(_ files: inout JournaledFiles, drain: (inout JournaledFiles) -> Void) {
    var seen: [(JournaledFiles.Writer, Known)] = []
    for key in candidates.keys {
      guard let candidate = candidates[key], candidate.turns > 0, let writer = files.unobserved(key)
      else {
        candidates[key] = nil
        continue
      }
      candidates[key]?.turns -= 1
      switch look(candidate.process, files.opened(by: key)) {
      case .gone: candidates[key] = nil
      case .unfinished: break
      case .runs(let program, let image):
        seen.append((writer, Known(program, candidate.process, image)))
      }
    }
    guard !seen.isEmpty else { return }
    drain(&files)
    for (writer, known) in seen where files.observe(writer) {
      if known.process == nil {
        _ = others.set(known, of: writer)
      } else {
        _ = self.known.set(known, of: writer)
      }
      candidates[writer.process] = nil
    }
  }

  /// The program of a writer.
  func program(of writer: JournaledFiles.Writer) -> Standing {
    guard var one = known.use(writer) else {
      return others.use(writer)?.program.map { .runs($0) } ?? .unknown
    }
    let now = Clock.milliseconds
    if let process = one.process, !one.isDoubtful, now - one.time >= Self.doubtPatience {
      let runsIt = process.isTraced ? false : process.runs(one.image)
      if runsIt == nil {
        let start = one.unsettledTime ?? now
        one.unsettledTime = start
        if now - start < Self.endPatience {
          _ = known.set(one, of: writer)
          return .unsettled
        }
      }
      one.isDoubtful = runsIt != true
      one.time = now
      one.unsettledTime = nil
      _ = known.set(one, of: writer)
    }
    return one.isDoubtful ? .unknown : one.program.map { .runs($0) } ?? .unknown
  }

  /// Whether anything is known of a writer.
  func knows(_ writer: JournaledFiles.Writer) -> Bool {
    known.value(of: writer) != nil || others.value(of: writer) != nil
  }

  private enum Look {
    case gone
    /// It is about to run another program.
    case unfinished
    case runs(Program?, ProcessHandle.Image?)
  }

  private func look(_ process: ProcessHandle, _ opened: [FileKey]) -> Look {
    guard let program = process.openProgram() else { return .gone }
    defer { close(program) }
    switch reported.standing(of: program) {
    case .reported: break
    // What it ran before may not have been reported.
    case .new: return .unfinished
    case .foreign: return opened.isEmpty ? .runs(nil, nil) : .unfinished
    }
    guard let key = systems.key(of: program)?.key,
      let version = try? ContentVersion(descriptor: program)
    else { return .runs(nil, nil) }
    guard opened.isEmpty || opened.contains(key) else { return .unfinished }
    guard let path = FilePath("/proc/self/fd/\(program)").linkTarget else { return .gone }
    let file = RunFile(key: key, device: version.device, born: version.born, path: path)
    let image = ProcessHandle.Image(program)
    // Whoever makes a file system can choose all that but the device, which later ones can have.
    if let found = programs.use(file), found == nil || Self.isAt(path, program) {
      return .runs(found, image)
    }
    let found = Self.program(program, path).map { name in
      let entry = applications.entry(ofProgramAt: name, [])
      return Program(path: name, application: entry?.application.identifier)
    }
    guard process.isThere else { return .gone }
    _ = programs.set(found, of: file)
    return .runs(found, image)
  }

  /// The path of a program, if only root can have put it there.
  private static func program(_ program: CInt, _ path: FilePath) -> String? {
    // A user who has a mount namespace of his own can put another file at any path there, and a mount that never
    // answers at the same path here.
    guard LocalPaths(Mount.all()).place(of: path) == .local(Array(path.bytes)), isAt(path, program)
    else { return nil }
    // Others can give a file of root's another name in a directory where they may write, by link(2).
    var directories = directories(above: path)
    guard let nearest = directories.popLast(), let own = status(at: nearest), isOnlyRoots(own)
    else {
      return nil
    }
    for directory in directories {
      guard let status = status(at: directory), status.st_uid == 0,
        // Nobody else can put another directory in the place of root's there.
        isOnlyRoots(status) || status.st_mode & S_ISVTX != 0
      else { return nil }
    }
    return path.description
  }

  private static func isAt(_ path: FilePath, _ program: CInt) -> Bool {
    guard let ran = status(of: program), ran.st_mode & S_IFMT == S_IFREG, isOnlyRoots(ran),
      let here = status(at: path)
    else { return false }
    return ran.isSameFile(as: here)
  }

  /// From the root on.
  private static func directories(above path: FilePath) -> [FilePath] {
    let bytes = path.bytes
    return bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }
      .compactMap { FilePath(bytes: Array(bytes[...max($0 - 1, 0)])) }
  }

  private static func isOnlyRoots(_ status: stat) -> Bool {
    status.st_uid == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }

  private static func status(of file: CInt) -> stat? {
    var status = stat()
    return unsafe fstat(file, &status) == 0 ? status : nil
  }

  private static func status(at path: FilePath) -> stat? {
    var status = stat()
    let result = unsafe path.withCString {
      unsafe fstatat(AT_FDCWD, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    return result == 0 ? status : nil
  }
}

/// Opens the programs of processes. A user can have that wait without end: then it fails, and is tried less long
/// for a while.
private final class ProgramLooker {
  /// How long to wait, in milliseconds.
  private static let (patience, shortPatience) = (50, 2)
  /// How long others are waited for less long after one that did not answer, in milliseconds.
  private static let memory = 60_000

  private var channel: CInt = -1
  private var process: CInt = -1
  private var lastHang: Int?

  deinit { end() }

  /// - Returns: open as O_PATH; `nil` if the process has ended or runs no program, or nothing answers.
  func open(_ identifier: pid_t) -> CInt? {
    if channel < 0 { channel = unsafe clinux_looker_start(&process) }
    guard channel >= 0 else { return nil }
    let isShort = lastHang.map { Clock.milliseconds - $0 < Self.memory } ?? false
    let program = clinux_looker_open(
      channel, identifier, CInt(isShort ? Self.shortPatience : Self.patience))
    if program >= 0 { return program }
    // What ends by itself says so.
    if program != -ENOENT, program != -ESRCH, program != -EACCES {
      if program == -ETIMEDOUT { lastHang = Clock.milliseconds }
      end()
    }
    return nil
  }

  private func end() {
    guard channel >= 0 else { return }
    var status: CInt = 0
    _ = clinux_process_kill(process)
    _ = unsafe clinux_process_ending(process, 1, &status)
    close(process)
    close(channel)
    channel = -1
  }
}

/// A process, of which it is known at any time that its number is still its own.
private final class ProcessHandle {
  private let looker: ProgramLooker
  private let descriptor: CInt
  private let identifier: pid_t

  /// - Parameter process: its pidfd is closed with this.
  init(_ process: Writer, _ looker: ProgramLooker) {
    self.looker = looker
    descriptor = process.process
    identifier = process.identifier
  }

  deinit { close(descriptor) }

  /// Whether it has not ended, or its end has not been noticed by its parent.
  var isThere: Bool { clinux_process_holds_number(descriptor) == 1 }

  /// The file that it runs, open as O_PATH; `nil` if it has ended, or cannot be looked at.
  func openProgram() -> CInt? {
    guard let file = looker.open(identifier) else { return nil }
    guard isThere else {
      close(file)
      return nil
    }
    return file
  }

  /// The file that a process runs, while it does.
  struct Image: Hashable {
    private let device: FileDevice
    private let inode: UInt64

    /// - Parameter program: open as O_PATH.
    init?(_ program: CInt) {
      var status = clinux_status()
      guard unsafe clinux_file_glance(program, &status) == 0 else { return nil }
      (device, inode) = (FileDevice(status), status.inode)
    }
  }

  /// Whether it runs the program of an image, or has ended; `nil` if it runs none that can be looked at, and has
  /// not ended.
  func runs(_ image: Image?) -> Bool? {
    guard let program = openProgram() else {
      return ProcessReader.hasEnded(descriptor) ? true : nil
    }
    defer { close(program) }
    return Image(program) == image
  }

  /// Whether another process controls it. Of one that has ended, nobody does.
  var isTraced: Bool {
    guard let file = try? Descriptor.open(FilePath("/proc/\(identifier)/status")) else {
      return isThere
    }
    defer { close(file) }
    let content = (try? Descriptor.read(file, limit: 1 << 14)) ?? []
    let lines = content.split(separator: UInt8(ascii: "\n"))
    return !lines.contains { $0.elementsEqual("TracerPid:\t0".utf8) } && isThere
  }
}

internal import CLinux
internal import ForeignFormats
internal import Glibc
internal import LinuxSystem

/// The programs of processes that make files, as far as no user can have chosen what they are.
///
/// A process is looked up when its event is read, and what was found counts once later events say that it
/// still runs that program.
final class WriterPrograms {
  /// A program that packages have installed.
  struct Program: Hashable {
    let path: String
    /// The identifier of the one application whose desktop entry starts it; `nil` if there is none or
    /// several.
    let application: String?
  }

  private static let limit = 1 << 12

  private let applications: InstalledApplications
  private var known: [JournaledFiles.Writer: Program?] = [:]
  private var unconfirmed: [JournaledFiles.Writer: Program?] = [:]

  /// - Parameter applications: those that are installed for all users, and none of a user's own.
  init(_ applications: InstalledApplications) { self.applications = applications }

  /// Whether a writer has been looked up.
  func isKnown(_ writer: JournaledFiles.Writer) -> Bool {
    known[writer] != nil || unconfirmed[writer] != nil
  }

  /// Looks a writer up, which is to be done while the pidfd of its event is open.
  func lookUp(_ writer: JournaledFiles.Writer, _ process: Writer) {
    if known.count + unconfirmed.count >= Self.limit {
      known = [:]
      unconfirmed = [:]
    }
    unconfirmed[writer] = .some(program(of: process))
  }

  /// Takes what was looked up of those that still run the same program, by all events until now.
  func confirm(_ isRunning: (JournaledFiles.Writer) -> Bool) {
    for (writer, program) in unconfirmed where isRunning(writer) { known[writer] = .some(program) }
    unconfirmed = [:]
  }

  /// The program of a writer; `nil` if it is not known, or one that a user may have chosen.
  func program(of writer: JournaledFiles.Writer) -> Program? { known[writer] ?? nil }

  private func program(of process: Writer) -> Program? {
    let directory = "/proc/\(process.identifier)"
    guard process.identifier > 0, process.process >= 0,
      let path = FilePath("\(directory)/exe").linkTarget,
      let ran = Self.status(FilePath("\(directory)/exe"), flags: 0),
      // A user who has a mount namespace of his own can put another file at any path there.
      let here = Self.status(path, flags: AT_SYMLINK_NOFOLLOW), ran.isSameFile(as: here),
      here.st_mode & S_IFMT == S_IFREG, here.st_uid == 0, here.st_mode & (S_IWGRP | S_IWOTH) == 0,
      !isTraced(directory), clinux_process_holds_number(process.process) == 1
    else { return nil }
    let name = path.description
    return Program(
      path: name,
      application: applications.entry(running: .executable(name), [])?.application.identifier)
  }

  /// Whether another process controls it.
  private func isTraced(_ directory: String) -> Bool {
    guard let file = try? Descriptor.open(FilePath("\(directory)/status")) else { return true }
    defer { close(file) }
    let content = (try? Descriptor.read(file, limit: 1 << 14)) ?? []
    let lines = content.split(separator: UInt8(ascii: "\n"))
    return !lines.contains { $0.elementsEqual("TracerPid:\t0".utf8) }
  }

  private static func status(_ path: FilePath, flags: CInt) -> stat? {
    var status = stat()
    let result = unsafe path.withCString { unsafe fstatat(AT_FDCWD, $0, &status, flags) }
    return result == 0 ? status : nil
  }
}

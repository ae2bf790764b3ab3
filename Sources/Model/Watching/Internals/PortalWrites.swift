internal import CLinux
internal import ForeignFormats
internal import Glibc
internal import LinuxSystem

extension Mount {
  /// Whether this is the mount of a user's document portal, through which applications in sandboxes
  /// reach documents. The kernel itself notes whose it is.
  func isDocumentPortal(of user: UInt32) -> Bool {
    type == "fuse.portal" && options.contains("user_id=\(user)")
  }
}

/// What applications in sandboxes write through the mount of the document portal: which application
/// has written which document, by the document's path on the host.
///
/// Of a file there only the path is asked, of the kernel: what the portal's process says of a file may
/// be old or another file's, and it may never answer. To be used on one thread.
final class PortalWrites {
  /// How often the path of a file is asked for again, in milliseconds, and how often at most: most
  /// applications write another file first, which gets the document's name afterwards.
  private static let interval = 100
  private static let turns = 30
  /// Beyond this number the first files are given up.
  private static let limit = 1024

  /// Where the kernel has the documents: `…/doc/ID/NAME`, and for the host also
  /// `…/doc/by-app/APPLICATION/ID/NAME`.
  private static let directory = "doc"
  private static let byApplication = "by-app"

  private struct Written {
    let file: CInt
    let application: String
    let time: Int
    /// The last path that was reported; empty if none was.
    var path: [UInt8] = []
    var due: Int
    var turns: Int
  }

  /// The file system that is marked, as a file's status has it.
  private let device: FileDevice
  private let processes = KnownProcesses()
  private let paths: OpenFilePaths
  private var held = FileQueue<Written>()

  init(_ paths: OpenFilePaths, on device: FileDevice) {
    self.paths = paths
    self.device = device
  }

  deinit { for one in held.waiting { close(one.file) } }

  /// When the first held file is due, in milliseconds; `nil` if none is held.
  var nextTurn: Int? { held.waiting.first?.due }

  func beginTurn() { processes.beginTurn() }

  /// Handles a written file.
  func take(
    _ file: CInt, _ writer: Writer, _ user: WatchedUser, _ report: (PortalWrite) -> Void
  ) -> FileEvents.Disposal {
    var status = clinux_status()
    guard unsafe clinux_file_glance(file, &status) == 0, FileDevice(status) == device,
      WrittenFiles.isRegular(status), status.owner == user.account.user
    else { return .close }
    let attribution = processes.attribution(
      of: writer, among: user.applications, context: user.context)
    guard case .application(let application) = attribution else { return .close }
    let now = Clock.milliseconds
    var one = Written(
      file: file, application: application.identifier, time: now, due: now + Self.interval,
      turns: Self.turns)
    guard isWorthAnotherTurn(&one, user, report) else { return .close }
    if held.count >= Self.limit, let first = held.waiting.first {
      close(first.file)
      held.removeFirst(1)
    }
    held.append(one)
    return .keep
  }

  /// Handles the held files that are due, until a point in time at most.
  func lookAgain(_ user: WatchedUser, until end: Int, _ report: (PortalWrite) -> Void) {
    while var one = held.waiting.first {
      let now = Clock.milliseconds
      guard one.due <= now, now < end else { return }
      held.removeFirst(1)
      one.due = now + Self.interval
      one.turns -= 1
      if isWorthAnotherTurn(&one, user, report), one.turns > 0 {
        held.append(one)
      } else {
        close(one.file)
      }
    }
  }

  /// Reports a file by the name that it has now, if it is a document that its application may write.
  ///
  /// - Returns: whether it may still get the name of a document, or, in a directory that was handed over
  ///   with all that is in it, another name.
  private func isWorthAnotherTurn(
    _ one: inout Written, _ user: WatchedUser, _ report: (PortalWrite) -> Void
  ) -> Bool {
    guard let (path, isPart) = document(of: one.file, one.application, user) else { return true }
    if path != one.path {
      one.path = path
      report(PortalWrite(path: path, application: one.application, time: one.time))
    }
    return isPart
  }

  /// The path on the host of the document that an open file is; `nil` if it is none, or not yet.
  private func document(
    of file: CInt, _ application: String, _ user: WatchedUser
  ) -> (path: [UInt8], isPart: Bool)? {
    var names = paths.reportedPath(of: file).split(separator: UInt8(ascii: "/"))[...]
    guard let start = names.firstIndex(where: { $0.elementsEqual(Self.directory.utf8) }) else {
      return nil
    }
    names = names[(start + 1)...]
    if names.first?.elementsEqual(Self.byApplication.utf8) == true { names = names.dropFirst(2) }
    guard let identifier = names.popFirst() else { return nil }
    return user.hostPath(
      ofDocument: String(decoding: identifier, as: UTF8.self), Array(names), for: application,
      isBarred: paths.isBarred
    ).map { ($0, names.count > 1) }
  }
}

/// The number of a file system.
struct FileDevice: Hashable {
  private let major: UInt32
  private let minor: UInt32

  init(_ status: clinux_status) { (major, minor) = (status.device_major, status.device_minor) }

  /// As /proc/self/mountinfo has it.
  var text: String { "\(major):\(minor)" }
}

/// That an application has written a document through the portal.
struct PortalWrite: Equatable {
  /// On the host.
  let path: [UInt8]
  /// Its identifier.
  let application: String
  /// When, in milliseconds, as `Clock` has it for all processes.
  let time: Int
}

/// The applications that have written documents through the portal just now, until the portal's own
/// file on the host is handled.
struct RecentPortalWrites {
  /// How long one is remembered, in milliseconds: as long as the portal's files are held.
  private static let age = 3000
  private static let limit = 4096

  private var applications: [[UInt8]: (identifier: String, time: Int)] = [:]

  mutating func note(_ write: PortalWrite) {
    let now = Clock.milliseconds
    if applications.count >= Self.limit {
      applications = applications.filter { now - $0.value.time < Self.age }
      if applications.count >= Self.limit { applications.removeAll() }
    }
    applications[write.path] = (write.application, write.time)
  }

  /// The application that has written a file last, which is forgotten then: the next write may be
  /// another application's.
  mutating func take(_ path: [UInt8]) -> String? {
    guard let found = applications.removeValue(forKey: path),
      Clock.milliseconds - found.time < Self.age
    else { return nil }
    return found.identifier
  }
}

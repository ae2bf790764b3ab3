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
/// has written which document, by the document's path on the host, or by its name if the portal's
/// database does not have it.
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
    /// The last document that was reported.
    var document: PortalWrite.Document?
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
    guard let (document, isLast) = document(of: one, user) else { return true }
    if document != one.document {
      one.document = document
      report(PortalWrite(document: document, application: one.application, time: one.time))
    }
    return !isLast
  }

  /// The document that an open file is; `nil` if it is none, or not yet.
  ///
  /// - Returns: whether it keeps its name, too.
  private func document(
    of one: Written, _ user: WatchedUser
  ) -> (PortalWrite.Document, isLast: Bool)? {
    var names = paths.reportedPath(of: one.file).split(separator: UInt8(ascii: "/"))[...]
    guard let start = names.firstIndex(where: { $0.elementsEqual(Self.directory.utf8) }) else {
      return nil
    }
    names = names[(start + 1)...]
    if names.first?.elementsEqual(Self.byApplication.utf8) == true { names = names.dropFirst(2) }
    guard let identifier = names.popFirst() else { return nil }
    let place = user.place(
      ofDocument: String(decoding: identifier, as: UTF8.self), Array(names),
      for: one.application, isBarred: paths.isBarred)
    switch place {
    case .path(let path): return (.path(path), isLast: names.count == 1)
    case .none: return nil
    case .unknown:
      // The database may be written a moment later.
      guard one.turns < Self.turns, let name = names.last, name.first != UInt8(ascii: ".") else {
        return nil
      }
      return (.name(Array(name)), isLast: false)
    }
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
  enum Document: Hashable {
    /// By its path on the host.
    case path([UInt8])
    /// One that the portal's database does not have, by its name.
    case name([UInt8])
  }

  let document: Document
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

  private struct Seen {
    /// `nil` if several have written documents of this name.
    let application: String?
    let time: Int

    var isRecent: Bool { Clock.milliseconds - time < RecentPortalWrites.age }
  }

  private var seen: [PortalWrite.Document: Seen] = [:]

  mutating func note(_ write: PortalWrite) {
    if seen.count >= Self.limit {
      seen = seen.filter { $0.value.isRecent }
      if seen.count >= Self.limit { seen.removeAll() }
    }
    let document = write.document
    var application: String? = write.application
    if case .name = document, let other = seen[document], other.isRecent,
      other.application != application
    {
      application = nil
    }
    seen[document] = Seen(application: application, time: write.time)
  }

  /// The application that has written a file last, which is forgotten then: the next write may be
  /// another application's.
  mutating func take(_ path: [UInt8]) -> String? { take(.path(path)) }

  /// The only application that has written a document with the name of a file, of those that the
  /// portal's database does not have.
  mutating func takeUnknown(_ path: [UInt8]) -> String? {
    let name = path.split(separator: UInt8(ascii: "/")).last
    return name.flatMap { take(.name(Array($0))) }
  }

  private mutating func take(_ document: PortalWrite.Document) -> String? {
    guard let found = seen[document], let application = found.application else { return nil }
    seen[document] = nil
    return found.isRecent ? application : nil
  }
}

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
    var due: Int
    var turns: Int
  }

  private let processes = KnownProcesses()
  private let paths: OpenFilePaths
  private var held = FileQueue<Written>()

  init(_ paths: OpenFilePaths) { self.paths = paths }

  deinit { for one in held.waiting { close(one.file) } }

  /// When the first held file is due, in milliseconds; `nil` if none is held.
  var nextTurn: Int? { held.waiting.first?.due }

  func beginTurn() { processes.beginTurn() }

  /// Handles a written file.
  func take(
    _ file: CInt, _ writer: Writer, _ user: WatchedUser, _ report: (PortalWrite) -> Void
  ) -> FileEvents.Disposal {
    let attribution = processes.attribution(
      of: writer, among: user.applications, context: user.context)
    guard case .application(let application) = attribution else { return .close }
    if let path = document(of: file, user) {
      report(PortalWrite(path: path, application: application.identifier))
      return .close
    }
    if held.count >= Self.limit, let first = held.waiting.first {
      close(first.file)
      held.removeFirst(1)
    }
    held.append(
      Written(
        file: file, application: application.identifier, due: Clock.milliseconds + Self.interval,
        turns: Self.turns))
    return .keep
  }

  /// Handles the held files that are due, until a point in time at most.
  func lookAgain(_ user: WatchedUser, until end: Int, _ report: (PortalWrite) -> Void) {
    while let first = held.waiting.first {
      let now = Clock.milliseconds
      guard first.due <= now, now < end else { return }
      held.removeFirst(1)
      if let path = document(of: first.file, user) {
        report(PortalWrite(path: path, application: first.application))
      } else if first.turns > 1 {
        var again = first
        again.due = now + Self.interval
        again.turns -= 1
        held.append(again)
        continue
      }
      close(first.file)
    }
  }

  /// The path on the host of the document that an open file is; `nil` if it is none, or not yet.
  private func document(of file: CInt, _ user: WatchedUser) -> [UInt8]? {
    var names = paths.reportedPath(of: file).split(separator: UInt8(ascii: "/"))[...]
    guard let start = names.firstIndex(where: { $0.elementsEqual(Self.directory.utf8) }) else {
      return nil
    }
    names = names[(start + 1)...]
    if names.first?.elementsEqual(Self.byApplication.utf8) == true { names = names.dropFirst(2) }
    guard let identifier = names.popFirst() else { return nil }
    return user.hostPath(
      ofDocument: String(decoding: identifier, as: UTF8.self), Array(names),
      isBarred: paths.isBarred)
  }
}

/// That an application has written a document through the portal.
struct PortalWrite: Equatable {
  /// On the host.
  let path: [UInt8]
  /// As portals have it.
  let application: String
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
    applications[write.path] = (write.application, now)
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

internal import CLinux
internal import Glibc
public import LinuxSystem

/// Tells of files after they were written, without holding anybody up.
///
/// The corresponding C functions are fanotify_init(2) and fanotify_mark(2).
@safe public final class FileEvents {
  /// Which files a mark covers.
  public enum Extent: String, CaseIterable, Sendable {
    /// Those of a file system, wherever it is mounted, in containers too.
    case fileSystem = "filesystem"
    /// Those that are reached through one mount.
    case mount
  }

  /// What becomes of the file's descriptor when an event has been looked at.
  public enum Disposal: Sendable {
    case close
    /// Who looked at it closes it.
    case keep
  }

  /// Becomes readable when there are events.
  public let descriptor: CInt
  // Some 250 events: that many files are open at a time.
  private static let size = 8192
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: size, alignment: 8)

  /// - Throws: `Errno`: EPERM without CAP_SYS_ADMIN, EINVAL before Linux 5.15, ENOSYS where the
  ///   kernel was built without it, EMFILE where the user has too many.
  public init() throws(Errno) {
    descriptor = clinux_events_open()
    guard descriptor >= 0 else {
      let error = Errno(rawValue: -descriptor)
      unsafe buffer.deallocate()
      throw error
    }
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      unsafe buffer.deallocate()
    }
  }

  /// Lets this process have as many files open as it may: files wait here to be looked at.
  ///
  /// The corresponding C function is setrlimit(2).
  ///
  /// - Returns: how many.
  public static func raiseFileLimit() -> Int {
    let count = clinux_raise_files()
    return count > 0 ? count : usualFileLimit
  }

  /// What a process has that nobody has given more.
  private static let usualFileLimit = 1024

  /// Begins to tell of the files that a path's file system or mount has.
  public func add(_ path: FilePath, _ extent: Extent) throws(Errno) {
    let result = unsafe path.withCString { unsafe clinux_events_mark(descriptor, extent.kind, $0) }
    guard result == 0 else { throw Errno(rawValue: -result) }
  }

  /// Ends that.
  public func remove(_ path: FilePath, _ extent: Extent) throws(Errno) {
    let result = unsafe path.withCString {
      unsafe clinux_events_unmark(descriptor, extent.kind, $0)
    }
    guard result == 0 else { throw Errno(rawValue: -result) }
  }

  /// Calls `body` with the events that are there, some 250 at most.
  ///
  /// - Returns: whether there were any.
  /// - Throws: `Errno` where one cannot be had; the next may.
  public func read(_ body: (FileEvent) -> Disposal) throws(Errno) -> Bool {
    guard let start = unsafe buffer.baseAddress else { return false }
    let count = unsafe clinux_events_read(descriptor, start, buffer.count)
    if count == -Int(EAGAIN) { return false }
    guard count >= 0 else { throw Errno(rawValue: CInt(-count)) }
    var offset = 0
    while true {
      var event = clinux_event()
      offset = unsafe clinux_events_next(start, count, offset, &event)
      guard offset > 0 else { return count > 0 }
      let writer = Writer(identifier: event.pid, process: event.process)
      var disposal = Disposal.close
      if event.is_overflow == 1 {
        _ = body(.overflow)
      } else if event.file >= 0 {
        disposal = body(.written(event.file, writer))
      } else {
        _ = body(.unreadable(Errno(rawValue: -event.file), writer))
      }
      if event.file >= 0, disposal == .close { close(event.file) }
      if event.process >= 0 { close(event.process) }
    }
  }
}

extension FileEvents.Extent {
  fileprivate var kind: clinux_extent {
    switch self {
    case .fileSystem: .file_system
    case .mount: .mount
    }
  }
}

/// A file that was open for writing and is closed, as fanotify(7) tells of it.
public enum FileEvent {
  /// The file, open for reading, and who closed it.
  case written(CInt, Writer)
  /// The file cannot be opened.
  case unreadable(Errno, Writer)
  /// The queue was full: nobody knows how many events are lost.
  case overflow
}

/// The process of a file event.
public struct Writer: Sendable {
  /// Its number here; 0 where it has none.
  public let identifier: Int32
  /// A pidfd, which is open during the event only; negative where the process is gone already.
  public let process: CInt

  public init(identifier: Int32, process: CInt) {
    self.identifier = identifier
    self.process = process
  }
}

/// The file systems or mounts that watched directories are in, marked to be told of.
struct WatchMarks {
  /// The types of file systems that have no documents: what is in them are devices, which it would
  /// do something to open, and what the kernel tells.
  private static let passedOver: Set<String> = [
    "autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts",
    "devtmpfs", "efivarfs", "fusectl", "hugetlbfs", "mqueue", "nsfs", "proc", "pstore",
    "rpc_pipefs", "securityfs", "selinuxfs", "sysfs", "tracefs",
  ]

  private let extent: FileEvents.Extent
  private var marked: Set<[UInt8]> = []

  init(_ extent: FileEvents.Extent) { self.extent = extent }

  /// Marks what the directories are in and what is mounted below them, and takes other marks away.
  ///
  /// - Returns: what cannot be marked, with the reason.
  mutating func update(
    _ directories: [WatchedDirectory], _ events: FileEvents
  ) -> [(path: FilePath, errno: Errno)] {
    var wanted = Set(directories.map(\.path))
    for mount in Mount.all() where !Self.passedOver.contains(mount.type) {
      let point = Array(mount.point.bytes)
      if directories.contains(where: { $0.rest(of: point) != nil }) { wanted.insert(point) }
    }
    for path in marked.subtracting(wanted) {
      // What is not mounted any more has no mark either.
      _ = try? events.remove(WatchedDirectory.filePath(path), extent)
    }
    marked = []
    var failed: [(path: FilePath, errno: Errno)] = []
    // Also those that are marked: the one that was taken away may have been of their file system.
    for path in wanted.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      do throws(Errno) {
        try events.add(WatchedDirectory.filePath(path), extent)
        marked.insert(path)
      } catch {
        failed.append((WatchedDirectory.filePath(path), error))
      }
    }
    return failed
  }
}

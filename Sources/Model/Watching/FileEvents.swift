internal import CLinux
internal import Glibc
package import LinuxSystem

/// Reports files after they were written, without holding up the writers.
///
/// The corresponding C functions are fanotify_init(2) and fanotify_mark(2).
@safe package final class FileEvents {
  /// The files that a mark covers.
  package enum Extent: String, CaseIterable, Sendable {
    /// The files of a file system, wherever it is mounted, in containers too.
    case fileSystem = "filesystem"
    /// The files that are reached through one mount.
    case mount

    fileprivate var kind: clinux_extent { self == .mount ? .mount : .file_system }
  }

  /// What becomes of the file's descriptor once an event has been handled.
  package enum Disposal: Sendable {
    case close
    /// Whoever handled the event closes the descriptor later.
    case keep
    /// The same of the descriptor of the writer's process.
    case keepBoth
  }

  /// Becomes readable when there are events.
  package let descriptor: CInt
  // Room for some 250 events, whose files are all open at a time.
  private static let size = 8192
  /// More than an event takes.
  private static let eventSize = 64
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: size, alignment: 8)

  /// - Throws: `Errno`: EPERM without CAP_SYS_ADMIN, EINVAL before Linux 5.15, ENOSYS where the
  ///   kernel was built without fanotify, EMFILE where the user has too many of these objects.
  package init() throws(Errno) {
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

  /// Raises the number of files that this process may have open as far as possible, since files
  /// that wait to be handled are open, and returns that number.
  ///
  /// The corresponding C function is setrlimit(2).
  package static func raiseFileLimit() -> Int {
    let count = clinux_raise_files()
    // 1024 is the limit that the kernel gives to processes by default.
    return count > 0 ? count : 1024
  }

  /// Begins to report the files of the file system or mount that a path is in.
  package func add(_ path: FilePath, _ extent: Extent) throws(Errno) {
    let result = unsafe path.withCString { unsafe clinux_events_mark(descriptor, extent.kind, $0) }
    guard result == 0 else { throw Errno(rawValue: -result) }
  }

  /// Begins to report the files of what an open file, one of O_PATH included, is in. Unlike `add` this
  /// looks up no path.
  func add(open file: CInt, _ extent: Extent) throws(Errno) {
    let result = clinux_events_mark_open(descriptor, extent.kind, file)
    guard result == 0 else { throw Errno(rawValue: -result) }
  }

  /// What is marked still: a mark goes with its file system. See proc_pid_fdinfo(5).
  var marked: Set<WatchMarks.Key> {
    let path = "/proc/self/fdinfo/\(descriptor)"
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    let content = (try? Descriptor.read(file, limit: 1 << 20)) ?? []
    let lines = content.split(separator: UInt8(ascii: "\n"))
    func number(_ line: ArraySlice<UInt8>, after lead: String) -> UInt64? {
      guard line.starts(with: lead.utf8) else { return nil }
      let digits = line.dropFirst(lead.utf8.count).prefix { $0 != UInt8(ascii: " ") }
      return UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
    }
    return Set(
      lines.compactMap { line in
        if let mount = number(line, after: "fanotify mnt_id:") { return .mount(mount) }
        // As the kernel has the number of a device by itself.
        return number(line, after: "fanotify sdev:").map { device in
          .fileSystem("\(device >> 20):\(device & 0xfffff)")
        }
      })
  }

  /// Ends what `add` has begun.
  func remove(open file: CInt, _ extent: Extent) {
    // The mark of a file system that was unmounted is gone already.
    _ = clinux_events_unmark_open(descriptor, extent.kind, file)
  }

  /// Ends what `add` has begun.
  package func remove(_ path: FilePath, _ extent: Extent) throws(Errno) {
    let result = unsafe path.withCString {
      unsafe clinux_events_unmark(descriptor, extent.kind, $0)
    }
    guard result == 0 else { throw Errno(rawValue: -result) }
  }

  /// Calls `body` with the waiting events, some 250 at most.
  ///
  /// - Returns: whether there may be more: if there was room for another one, the kernel had none.
  /// - Throws: `Errno` where an event cannot be read; the next one perhaps can.
  package func read(_ body: (FileEvent) -> Disposal) throws(Errno) -> Bool {
    guard let start = unsafe buffer.baseAddress else { return false }
    let count = unsafe clinux_events_read(descriptor, start, buffer.count)
    if count == -Int(EAGAIN) { return false }
    guard count >= 0 else { throw Errno(rawValue: CInt(-count)) }
    var offset = 0
    while true {
      var event = clinux_event()
      offset = unsafe clinux_events_next(start, count, offset, &event)
      guard offset > 0 else { return unsafe count > buffer.count - Self.eventSize }
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
      if event.process >= 0, disposal != .keepBoth { close(event.process) }
    }
  }
}

/// A file that was open for writing and was closed, as fanotify(7) reports it.
package enum FileEvent {
  /// The file, open for reading, and the process that closed it.
  case written(CInt, Writer)
  /// The file cannot be opened.
  case unreadable(Errno, Writer)
  /// The queue was full. How many events are lost is unknown.
  case overflow
}

/// The process of a file event.
package struct Writer: Sendable {
  /// Its number in this process's namespace; 0 where it has none there.
  package let identifier: Int32
  /// A pidfd, open during the event only unless it is kept; negative if the process is gone already.
  package let process: CInt
  /// What was found out when the event came, if the process might end soon.
  var glance: ProcessFacts?
}

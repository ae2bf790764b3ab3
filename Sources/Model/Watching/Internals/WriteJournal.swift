internal import CLinux
internal import Glibc
internal import LinuxSystem

/// Reports who makes, writes, closes and deletes the files of file systems, and which processes run another program.
///
/// The corresponding C functions are fanotify_init(2) and fanotify_mark(2).
@safe final class WriteJournal {
  /// Becomes readable when there are events.
  let descriptor: CInt
  // Some 500 events.
  private static let size = 1 << 16
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)

  /// - Throws: `Errno`: EPERM without CAP_SYS_ADMIN, EINVAL before Linux 5.17, ENOSYS where the kernel was
  ///   built without fanotify, EMFILE where the user has too many of these objects.
  init() throws(Errno) {
    descriptor = clinux_journal_open()
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

  /// Begins to report the files of the file system that an open file is on, one of O_PATH included.
  func add(open file: CInt) throws(Errno) { try mark(file, programsOnly: false) }

  /// Begins to report which of those files are run as programs, and nothing else.
  func addPrograms(open file: CInt) throws(Errno) { try mark(file, programsOnly: true) }

  private func mark(_ file: CInt, programsOnly: Bool) throws(Errno) {
    let result = clinux_journal_mark(descriptor, file, programsOnly ? 1 : 0)
    guard result == 0 else { throw Errno(rawValue: -result) }
  }

  /// Calls `body` with all waiting events, each with its process, whose pidfd is open meanwhile, and stays
  /// open if `body` keeps it.
  ///
  /// - Throws: `Errno` where events cannot be read.
  func drain(_ body: (JournalEvent, Writer) -> FileEvents.Disposal) throws(Errno) {
    guard let start = unsafe buffer.baseAddress else { return }
    while true {
      let count = unsafe clinux_events_read(descriptor, start, buffer.count)
      if count == -Int(EAGAIN) { return }
      guard count >= 0 else { throw Errno(rawValue: CInt(-count)) }
      // Closed together, since their numbers mostly follow each other.
      var spent: [CInt] = []
      defer { Descriptor.close(spent) }
      var offset = 0
      var last: EventProcess?
      while true {
        var event = clinux_journal_event()
        offset = unsafe clinux_journal_next(start, count, offset, &event)
        guard offset > 0 else { break }
        // What a process does to a file, and that it runs the file, is one event, in whatever order.
        if let written = JournalEvent(writingOfRun: event) {
          _ = body(written, Writer(identifier: 0, process: -1))
        }
        let isLast = last?.isProcess(of: event) ?? false
        let process = isLast ? last?.key : ProcessKey(event.process)
        let disposal = body(
          JournalEvent(event, by: process),
          Writer(identifier: event.pid, process: event.process))
        guard event.process >= 0, disposal == .close else { continue }
        spent.append(event.process)
        if !isLast { last = EventProcess(event, process) }
      }
    }
  }
}

/// The process of an event, which may be that of events after it in one reading.
struct EventProcess {
  let key: ProcessKey
  private let identifier: pid_t
  /// A pidfd, which is open as long as this is asked.
  private let descriptor: CInt
  /// `nil` if that is not known yet.
  private var holdsNumber: Bool?

  init?(_ event: clinux_journal_event, _ key: ProcessKey?) {
    guard let key, event.pid > 0 else { return nil }
    self.key = key
    (identifier, descriptor) = (event.pid, event.process)
  }

  /// Whether it is the process of a later event.
  ///
  /// The kernel makes pidfds only of processes that are there. If this one holds its number after the reading, no
  /// other one had the number since its own event was read.
  mutating func isProcess(of event: clinux_journal_event) -> Bool {
    guard event.process >= 0, event.pid == identifier else { return false }
    let holdsNumber = holdsNumber ?? (clinux_process_holds_number(descriptor) == 1)
    self.holdsNumber = holdsNumber
    return holdsNumber
  }
}

/// Something that one process has done to one file.
enum JournalEvent: Hashable {
  struct Actions: OptionSet, Hashable {
    let rawValue: Int

    /// Made the file, or gave it another name with link(2).
    static let created = Actions(rawValue: 1)
    static let modified = Actions(rawValue: 2)
    static let closed = Actions(rawValue: 4)
    /// The file is gone, and a later one can have its key.
    static let deleted = Actions(rawValue: 8)
  }

  /// In no order; the process is `nil` if it was gone when the event was read.
  case wrote(FileKey, Actions, by: ProcessKey?)
  /// The process has begun to run a file as another program. It still is the former one for a while, and does
  /// not become the other one if that fails. Of one program there are several such events, the last for the
  /// file that loads the program.
  case ran(FileKey, by: ProcessKey)
  /// Events are lost.
  case overflow

  fileprivate init(_ event: clinux_journal_event, by process: ProcessKey?) {
    if event.is_overflow == 1 {
      self = .overflow
    } else if event.is_executed == 1 {
      // Of one that has ended nobody asks.
      self =
        process.map { .ran(FileKey(event.key), by: $0) }
        ?? .wrote(FileKey(clinux_key()), [], by: nil)
    } else {
      self = .wrote(FileKey(event.key), Self.actions(event), by: process)
    }
  }

  /// That somebody, it is not known who, has written a file which a process begins to run; `nil` for other
  /// events.
  fileprivate init?(writingOfRun event: clinux_journal_event) {
    guard event.is_executed == 1 else { return nil }
    let actions = Self.actions(event)
    guard !actions.isEmpty else { return nil }
    self = .wrote(FileKey(event.key), actions, by: nil)
  }

  private static func actions(_ event: clinux_journal_event) -> Actions {
    var actions: Actions = []
    if event.is_created == 1 { actions.insert(.created) }
    if event.is_modified == 1 { actions.insert(.modified) }
    if event.is_closed == 1 { actions.insert(.closed) }
    if event.is_deleted == 1 { actions.insert(.deleted) }
    return actions
  }
}

/// A file that no other file of this machine is taken for until it is deleted.
struct FileKey: Hashable {
  /// The number of the file system.
  let system: UInt64
  // The bytes after it, and zeros after the last: a key of ext4, xfs or btrfs has no more.
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64
  private let size: UInt32
  /// What other file systems have after 32 bytes.
  private let rest: [UInt8]

  init(_ key: clinux_key) {
    size = key.size
    (system, second, third, fourth, rest) = unsafe withUnsafeBytes(of: key.bytes) { bytes in
      func word(_ index: Int) -> UInt64 {
        unsafe bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
      }
      return (
        word(0), word(1), word(2), word(3), unsafe Array(bytes.prefix(Int(key.size)).dropFirst(32))
      )
    }
  }

  func hash(into hasher: inout Hasher) {
    // The rest differs little.
    hasher.combine(system)
    hasher.combine(second)
    hasher.combine(third)
  }

  var isEmpty: Bool { size == 0 }

  /// - Returns: `nil` if the key is too long.
  init?(_ handle: clinux_handle, on system: clinux_system) {
    var (handle, system) = (handle, system)
    self.init(unsafe clinux_file_key(&handle, &system))
    if isEmpty { return nil }
  }

  /// The key of an open file, one of O_PATH included; `nil` if the file system gives none.
  init?(open file: CInt, on system: clinux_system) {
    var handle = clinux_handle()
    guard unsafe clinux_file_handle(file, &handle) == 0 else { return nil }
    self.init(handle, on: system)
  }
}

/// A process that no other process since the machine's start is taken for.
struct ProcessKey: Hashable {
  private let inode: UInt64

  init(inode: UInt64) { self.inode = inode }

  /// - Parameter process: a pidfd.
  /// - Returns: `nil` if the process is gone, and before Linux 6.9.
  init?(_ process: CInt) {
    guard process >= 0 else { return nil }
    inode = clinux_process_inode(process)
    if inode == 0 { return nil }
  }
}

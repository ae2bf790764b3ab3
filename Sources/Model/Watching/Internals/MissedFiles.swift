internal import DocumentSource
internal import FileTree
internal import Glibc
internal import LinuxSystem
internal import Synchronization
internal import Xattr

/// Counts the files that changed in a time of which events are lost, on a thread of its own.
///
/// Who wrote them nobody knows any more; that they have no source does not go unsaid.
final class MissedFiles: Sendable {
  /// A time as files have it, in nanoseconds since 1970.
  typealias FileTime = Int

  /// Whose files, and where.
  struct Owner: Sendable {
    let account: UserAccount
    let places: WatchedPlaces
  }

  /// They had to be written before they were closed.
  private static let margin = 1_000_000_000
  /// Less urgent than the watching itself.
  private static let niceness: CInt = 10

  private let owners: [Owner]
  private let time: ClosedRange<FileTime>
  private let result = Mutex<Int?>(nil)

  /// The present as files have it. The corresponding C function is clock_gettime(2).
  static var now: FileTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return nanoseconds(time)
  }

  /// - Parameters:
  ///   - start: when the last event was read before they were lost.
  ///   - end: when there was none any more.
  init(of owners: [Owner], from start: FileTime, to end: FileTime) {
    self.owners = owners
    let start = start - Self.margin
    time = start...max(start, end)
  }

  /// How many there are; `nil` until they are counted.
  var count: Int? { result.withLock { $0 } }

  /// Begins to count them. The corresponding C function is pthread_create(3).
  func start() {
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(self)
    let error = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let search = unsafe Unmanaged<MissedFiles>.fromOpaque(argument).takeRetainedValue()
        // Of this thread only.
        _ = nice(MissedFiles.niceness)
        search.run()
        return nil
      }, argument.toOpaque())
    if error == 0 {
      pthread_detach(thread)
    } else {
      unsafe argument.release()
      run()
    }
  }

  private func run() {
    var count = 0
    for owner in owners {
      count += FileRights.ofUser(owner.account.user, group: owner.account.group) {
        self.count(owner)
      }
    }
    result.withLock { $0 = count }
  }

  private func count(_ owner: Owner) -> Int {
    let probe = SourceProbe()
    let caches = MarkedCaches(owner.account)
    var count = 0
    let all = owner.places.directories
    // One that is in another is walked with it.
    for directory in all where !all.contains(where: { $0.rest(of: directory.path) != nil }) {
      // One that cannot be walked has nothing that the user could have written.
      try? TreeWalk.walk(
        below: directory.filePath, links: .noFollow,
        options: WalkOptions(hidden: .leftOut, kinds: .files),
        visit: { entry in
          guard isOfTime(entry, of: owner.account.user),
            probe.hasSource(entry.place) == false,
            case .watched = owner.places.place(
              of: Array(entry.path.bytes), isMarked: { caches.contain($0, $1) })
          else { return }
          count += 1
        }, failed: { _ in })
    }
    return count
  }

  /// The corresponding C function is fstatat(2).
  private func isOfTime(_ entry: borrowing TreeEntry, of user: UInt32) -> Bool {
    var status = stat()
    let directory = entry.place.directory
    let result = unsafe entry.place.withCString {
      unsafe fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    return result == 0 && status.st_uid == user && time.contains(Self.nanoseconds(status.st_ctim))
  }

  private static func nanoseconds(_ time: timespec) -> FileTime {
    time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// When events were lost, and the search for the files that are missed since.
struct EventLoss {
  private enum State {
    case none
    /// Events are lost, and the queue was not yet empty again.
    case open(start: MissedFiles.FileTime)
    /// It was, at a time in milliseconds.
    case ended(start: MissedFiles.FileTime, end: MissedFiles.FileTime, time: Int)
  }

  private var state = State.none
  private var lastEmpty = MissedFiles.now
  private var search: MissedFiles?

  /// An event says that others are lost.
  mutating func begin() {
    switch state {
    case .none: state = .open(start: lastEmpty)
    case .ended(let start, _, _): state = .open(start: start)
    case .open: break
    }
  }

  /// The queue is empty.
  ///
  /// - Parameter start: when it was begun to be read.
  mutating func drained(_ start: MissedFiles.FileTime) {
    lastEmpty = start
    guard case .open(let start) = state else { return }
    state = .ended(start: start, end: MissedFiles.now, time: Clock.milliseconds)
  }

  /// When the queue was empty again, in milliseconds, where the files are to be searched for.
  var endTime: Int? {
    guard search == nil, case .ended(_, _, let time) = state else { return nil }
    return time
  }

  /// Begins to count the files.
  mutating func search(_ owners: [MissedFiles.Owner]) {
    guard case .ended(let start, let end, _) = state else { return }
    state = .none
    let search = MissedFiles(of: owners, from: start, to: end)
    search.start()
    self.search = search
  }

  var isBeingCounted: Bool { search != nil }

  /// Whether there are files that were not counted.
  var isOpen: Bool {
    guard search == nil, case .none = state else { return true }
    return false
  }

  /// How many files are missed, when they have just been counted.
  var count: Int? {
    mutating get {
      guard let count = search?.count else { return nil }
      search = nil
      return count
    }
  }
}

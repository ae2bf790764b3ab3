internal import DocumentSource
internal import FileTree
internal import Glibc
internal import LinuxSystem
internal import Synchronization
internal import Xattr

/// Counts the files that changed while events were lost and have no source, on a thread of its own.
///
/// Who wrote them cannot be found out any more, but their number is reported.
final class MissedFiles: Sendable {
  /// The time of a file's change, in nanoseconds since 1970.
  typealias FileTime = Int

  /// A user whose files are counted, and where they are.
  struct Owner: Sendable {
    let account: UserAccount
    let places: WatchedPlaces
  }

  /// Files change before they are closed and thus before their events; in nanoseconds.
  private static let margin = 1_000_000_000
  /// The count is less urgent than the watch itself.
  private static let niceness: CInt = 10

  private let owners: [Owner]
  private let time: ClosedRange<FileTime>
  private let result = Mutex<Int?>(nil)

  /// The present by the clock that stamps files. The corresponding C function is clock_gettime(2).
  static var now: FileTime {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return nanoseconds(time)
  }

  /// - Parameters:
  ///   - start: when the queue was last empty before events were lost.
  ///   - end: when it was empty again.
  init(of owners: [Owner], from start: FileTime, to end: FileTime) {
    self.owners = owners
    let start = start - Self.margin
    time = start...max(start, end)
  }

  /// The number of files; `nil` until they are counted.
  var count: Int? { result.withLock { $0 } }

  /// Begins to count. The corresponding C function is pthread_create(3).
  func start() {
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(self)
    let error = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let search = unsafe Unmanaged<MissedFiles>.fromOpaque(argument).takeRetainedValue()
        // On Linux this is the niceness of this thread only.
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
    // A directory inside another is walked with the outer one.
    for directory in all where !all.contains(where: { $0.rest(of: directory.path) != nil }) {
      // The user cannot have written into a directory that cannot be walked with the user's rights.
      try? TreeWalk.walk(
        below: directory.filePath, links: .noFollow,
        options: WalkOptions(hidden: .leftOut, kinds: .files),
        visit: { entry in
          guard isOfTime(entry, of: owner.account.user),
            probe.hasSource(entry.place) == false,
            case .watched = owner.places.place(
              of: Array(entry.path.bytes), isMarked: { caches.contain(PathKey($0), $1) })
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

/// A loss of events: when it began and ended, and the count of the files that were missed by it.
struct EventLoss {
  private enum State {
    case none
    /// Events were lost, and the queue has not been empty since.
    case open(start: MissedFiles.FileTime)
    /// The queue was empty again, at a time that is also given in milliseconds of `Clock`.
    case ended(start: MissedFiles.FileTime, end: MissedFiles.FileTime, time: Int)
  }

  private var state = State.none
  private var lastEmpty = MissedFiles.now
  /// How many still count, and what the others have counted.
  private var counting: (waiting: Int, count: Int)?

  /// An event has reported that others are lost.
  mutating func begin() {
    switch state {
    case .none: state = .open(start: lastEmpty)
    case .ended(let start, _, _): state = .open(start: start)
    case .open: break
    }
  }

  /// The queue was found to be empty.
  ///
  /// - Parameter start: when the reading of the queue began.
  mutating func drained(_ start: MissedFiles.FileTime) {
    lastEmpty = start
    guard case .open(let start) = state else { return }
    state = .ended(start: start, end: MissedFiles.now, time: Clock.milliseconds)
  }

  /// When the queue was empty again, in milliseconds; `nil` if no count is to begin.
  var endTime: Int? {
    guard counting == nil, case .ended(_, _, let time) = state else { return nil }
    return time
  }

  /// Begins a count of the missed files.
  ///
  /// - Parameter number: how many count, each the files of one user.
  /// - Returns: the times between which these have changed; `nil` if there is nothing to count.
  mutating func beginCount(by number: Int) -> ClosedRange<MissedFiles.FileTime>? {
    guard counting == nil, case .ended(let start, let end, _) = state else { return nil }
    state = .none
    counting = (number, 0)
    return start...max(start, end)
  }

  /// One of those who count has done so, or is gone.
  mutating func hasCounted(_ count: Int) {
    guard let now = counting, now.waiting > 0 else { return }
    counting = (now.waiting - 1, now.count + count)
  }

  var isBeingCounted: Bool { counting != nil }

  /// Whether there may be missed files that are not counted yet.
  var isOpen: Bool { if counting == nil, case .none = state { false } else { true } }

  /// The number of missed files once it is known, and `nil` again after it was asked for.
  var count: Int? {
    mutating get {
      guard let counting, counting.waiting == 0 else { return nil }
      self.counting = nil
      return counting.count
    }
  }
}

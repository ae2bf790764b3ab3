internal import Glibc
internal import LinuxSystem

/// A user whose files are tagged, as the reader of events has it: who works for the user, and what
/// waits for that.
final class UserWatch {
  /// The most files that wait in the reader; the oldest are dropped for more, and also if those of all
  /// users take too many descriptors and no user has more waiting.
  static let queueLimit = 1 << 17
  /// The most processes that work for a user, those included that do not end.
  private static let processLimit = 16
  /// The most mounts that have workers of their own.
  static let remoteLimit = 8
  /// The most directories; there are six, or those of a command line.
  static let directoryLimit = 4096
  /// Where more than `manyEvents` files are written in the time of a pause, they wait that long and
  /// are handed over together: to wake the worker for each would cost more than the work.
  private static let manyEvents = 5
  private static let pause = 50
  /// After a worker was lost, how long none is started at first and at most, in milliseconds.
  private static let leastPause = 250
  private static let pauseLimit = 64
  private static let longestPause = 60_000
  /// A worker is not replaced more often, since users can make that happen as often as they like.
  private static let leastAge = 1000

  let account: UserAccount
  /// What precedes the start of each worker.
  let setup: [WorkerRequest]
  let policy: WatchPolicy?
  /// Whether the user's files are to be tagged, as a worker has found.
  var isEnabled = false
  /// When a worker is to be started since a pause is over, in seconds since 1970.
  var pauseEnd: Int?
  /// What the last worker that became ready has said.
  var directories: [FilePath] = []
  var remotes: [FilePath] = []
  var places: [WatchMarks.Key: FilePath] = [:]
  var mountState: [String] = []
  var described: [UInt8]?
  var queue = EventQueue()
  /// What was written through the portal while nobody worked.
  private var portalWrites: [PortalWrite] = []
  private static let writeLimit = 64
  /// Who tags the files; may not be ready yet.
  var first: WorkerProcess? {
    didSet {
      gatherWorkers()
      // Another one knows nobody.
      writers = RecentWriters()
    }
  }
  /// Who takes over once it is ready.
  var next: WorkerProcess? { didSet { gatherWorkers() } }
  /// By the mounts that they look at.
  var others: [FilePath: WorkerProcess] = [:] { didSet { gatherWorkers() } }
  /// Those that are to end by themselves, or were killed and have not ended.
  var leaving: [WorkerProcess] = [] { didSet { gatherWorkers() } }
  /// All of these.
  private(set) var workers: [WorkerProcess] = []
  /// Files that nobody could look at, and workers that were lost.
  var dropped = 0
  var lostCount = 0
  /// Whether another worker is to be started as soon as that is possible.
  var needsNext = false
  /// When that is, by the mount, `nil` for the first worker.
  private var pauses: [FilePath?: (end: Int, length: Int)] = [:]
  private var lastStart = 0
  /// When files were last handed to a worker, in milliseconds.
  private(set) var lastDispatch = 0
  private var writers = RecentWriters()
  /// Whether a file of a new writer waits, which must be handed over before the writer ends.
  private var hasNewWriter = false

  init(_ account: UserAccount, _ setup: [WorkerRequest], _ policy: WatchPolicy?) {
    self.account = account
    self.setup = setup
    self.policy = policy
  }

  private func gatherWorkers() {
    workers = [first, next].compactMap(\.self) + others.values + leaving
  }

  /// Whether the user's files are to be kept for a worker: from the first mark on.
  var isWanted: Bool { isEnabled || next?.places.isEmpty == false }

  /// Whether a first worker, or another one, is to be started.
  var needsFirst: Bool {
    needsNext || first == nil && next == nil && isEnabled && queue.count > 0
  }

  var mayStart: Bool { workers.count < Self.processLimit }

  /// When a worker may be started, in milliseconds.
  func startTime(_ mount: FilePath? = nil) -> Int {
    max(pauses[mount]?.end ?? 0, mount == nil ? lastStart + Self.leastAge : 0)
  }

  func hasStarted(_ mount: FilePath? = nil) {
    if mount == nil { lastStart = Clock.milliseconds }
  }

  /// Lengthens the pause before the next start.
  func hasLost(_ mount: FilePath? = nil) {
    lostCount += 1
    let now = Clock.milliseconds
    let last = pauses[mount]
    // One that has worked for long is replaced at once.
    let isRecent = last.map { now - $0.end < Self.longestPause } ?? false
    let length = isRecent ? min((last?.length ?? 0) * 2, Self.longestPause) : Self.leastPause
    // Users may make any number of mounts.
    if pauses.count >= Self.pauseLimit { pauses = pauses.filter { $0.value.end > now } }
    pauses[mount] = (now + length, length)
  }

  func forgetPauses() { pauses = [:] }

  /// When the files that wait may be handed over, in milliseconds.
  func dispatchTime(_ now: Int) -> Int {
    if hasNewWriter { return now }
    let isBusy = queue.count * Self.pause > Self.manyEvents * max(1, now - lastDispatch)
    return isBusy ? lastDispatch + Self.pause : now
  }

  func hasDispatched(_ now: Int) {
    lastDispatch = now
    hasNewWriter = false
  }

  /// Whether a process may end soon, since it has not written for long.
  func isNew(_ writer: Int32, _ now: Int) -> Bool { writers.isNew(writer, now) }

  /// Notes that the first worker knows these processes, and will when they have ended.
  func noteKnown(_ writers: [Int32]) {
    for writer in writers { self.writers.noteKnown(writer) }
  }

  /// Hands over what an application has written through the portal, to whoever tags its files.
  func mention(_ write: PortalWrite) {
    if let worker = first ?? next { return worker.mention(write) }
    if portalWrites.count >= Self.writeLimit { portalWrites.removeFirst() }
    portalWrites.append(write)
  }

  func mentionAll(to worker: WorkerProcess) {
    for write in portalWrites { worker.mention(write) }
    portalWrites = []
  }

  /// Adds a file, and drops the oldest if there are too many.
  ///
  /// - Returns: how many were dropped.
  @discardableResult
  func append(_ event: QueuedEvent, limit: Int) -> Int {
    queue.append(event)
    if event.isNew { hasNewWriter = true }
    guard queue.count > limit else { return 0 }
    // Not one by one, so that a flood does not cost more than it must.
    let count = max(1, limit / 64)
    queue.removeFirst(count)
    dropped += count
    return count
  }

  /// Those mounts that bear on the user's directories, to be compared.
  func mountState(_ mounts: [Mount]) -> [String] {
    let paths = (directories + remotes).map { LocalPaths.withoutSlash($0) }
    return mounts.filter { mount in
      let point = LocalPaths.withoutSlash(mount.point)
      return mount.isDocumentPortal(of: account.user)
        || paths.contains { path in
          point.starts(with: path + [UInt8(ascii: "/")]) || path == point
            || path.starts(with: point + [UInt8(ascii: "/")])
        }
    }
    .map { "\($0.number) \($0.device) \($0.type) \($0.point)" }
  }

  /// Each worker, for the status.
  var states: [WorkerState] {
    workers.map { worker in
      WorkerState(
        user: account.user, mount: worker.mount, process: worker.program.identifier,
        state: worker.isDeaf
          ? .ending : worker.isRetiring ? .retiring : worker.isReady ? .ready : .starting,
        queued: worker === first ? queue.count : 0, held: worker.held, dropped: dropped,
        lost: lostCount)
    }
  }
}

/// The processes that have written lately.
private struct RecentWriters {
  private struct One {
    /// Negative if there is none.
    var writer: Int32 = -1
    var count: Int32 = 0
    /// When it wrote the first file, in milliseconds.
    var start = 0
  }

  /// Processes whose numbers leave the same rest take each other's place: to hash a number takes longer
  /// than all else, and this is asked for each event.
  private static let size = 1024
  /// How long a writer is known, in milliseconds.
  private static let age = 60_000
  /// A writer is new for so long and so many files: a program may write another file first, and end
  /// soon. A worker that has once looked at it may know it then.
  private static let youth = 500
  private static let newFiles: Int32 = KnownProcesses.areKnownAfterTheirEnd ? 4 : 32

  private var writers: [One] = []

  mutating func isNew(_ writer: Int32, _ now: Int) -> Bool {
    if writers.isEmpty { writers = Array(repeating: One(), count: Self.size) }
    let place = Self.place(of: writer)
    let one = writers[place]
    guard one.writer == writer, now - one.start < Self.age else {
      writers[place] = One(writer: writer, count: 1, start: now)
      return true
    }
    guard now - one.start < Self.youth, one.count < Self.newFiles else { return false }
    writers[place].count += 1
    return true
  }

  /// Notes that a writer need not be looked at any more.
  mutating func noteKnown(_ writer: Int32) {
    let place = Self.place(of: writer)
    guard !writers.isEmpty, writers[place].writer == writer else { return }
    writers[place].count = Self.newFiles
  }

  private static func place(of writer: Int32) -> Int { Int(UInt32(bitPattern: writer)) % size }
}

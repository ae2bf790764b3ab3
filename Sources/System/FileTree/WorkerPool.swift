internal import CLinux
internal import Glibc
internal import LinuxSystem
internal import Synchronization
internal import Xattr

/// The threads of one walk, or of other work that can be divided: the shares that wait for a worker,
/// and the number of idle workers.
///
/// A worker gives a part of its work away only while another is idle, so there are never more
/// shares than workers.
///
/// `@unchecked`: the monitor's lock is held wherever one of the variables below it is read or written.
final class WorkerPool<Share: Sendable>: @unchecked Sendable {
  private let limit: Int
  private let body: @Sendable (WorkerPool) -> Void
  /// The number of workers that are free, or could be started, minus the shares that wait.
  private let idle: Atomic<Int>

  private let monitor = Monitor()
  private var threads = ThreadGroup()
  private var mayStart = true
  private var waiting = 0
  private var busy = 0
  private var shares: [Share] = []

  /// - Parameter body: run by each thread: takes shares and walks them until `take` returns `nil`.
  init(workers: Int, body: @escaping @Sendable (WorkerPool) -> Void) {
    limit = workers
    self.body = body
    idle = Atomic(0)
  }

  /// Whether a share would find a worker at once.
  var wantsShares: Bool { idle.load(ordering: .relaxed) > 0 }

  /// Runs the whole work: the calling thread is the first worker, others start as work is offered.
  func run(_ first: Share) {
    monitor.withLock {
      shares.append(first)
      updateIdle()
    }
    body(self)
    // `body` returns at the end of the work, after which no thread is started.
    threads.join()
  }

  /// Offers a part of the caller's work to the other workers.
  func offer(_ share: Share) {
    monitor.withLock {
      shares.append(share)
      if waiting == 0, threads.count + 1 < limit, mayStart {
        // If the system grants no more threads, those that run do the work.
        mayStart = threads.start { self.body(self) }
      }
      updateIdle()
      monitor.signal()
    }
  }

  /// Waits for a share; `nil` when the work is done.
  ///
  /// - Parameter isFirst: whether the worker has finished no share before.
  func take(isFirst: Bool) -> Share? {
    monitor.withLock {
      if !isFirst { busy -= 1 }
      waiting += 1
      defer {
        waiting -= 1
        updateIdle()
      }
      updateIdle()
      monitor.wait { !shares.isEmpty || busy == 0 }
      if let share = shares.popLast() {
        busy += 1
        return share
      }
      monitor.broadcast()
      return nil
    }
  }

  private func updateIdle() {
    let unstarted = mayStart ? limit - 1 - threads.count : 0
    idle.store(unstarted + waiting - shares.count, ordering: .relaxed)
  }
}

/// Threads that are started one after the other and waited for together.
struct ThreadGroup {
  private var threads: [pthread_t] = []

  var count: Int { threads.count }

  /// - Returns: whether the system grants one more thread.
  ///
  /// The corresponding C function is pthread_create(3).
  mutating func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(ThreadStart(body))
    let result = unsafe clinux_thread_start(
      &thread,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, argument.toOpaque())
    guard result == 0 else {
      unsafe argument.release()
      return false
    }
    threads.append(thread)
    return true
  }

  /// Waits until all threads have ended.
  ///
  /// The corresponding C function is pthread_join(3).
  func join() { for thread in threads { pthread_join(thread, nil) } }
}

/// What a thread runs; a class, so that a C function can be given it.
private final class ThreadStart: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// A part of a walk for any free worker: entries of a directory and the trees below them.
struct Share: Sendable {
  let handle: DirectoryHandle
  let listing: Listing
  let way: Way
  let path: FilePath
  /// Those of the listed directory.
  let rules: IgnoreRules
}

/// The settings of all workers of a walk.
struct WalkPlan: Sendable {
  let options: WalkOptions
  /// The mount that the walk stays in; `nil` if it walks all mounts.
  let mount: MountIdentity?
  /// How many directories each worker keeps open besides the first of its share.
  let openDirectories: Int
  /// Whether entries may be left out, and whether their paths have to be known for it.
  let leavesOut: Bool
  let choosesByPath: Bool
  /// Where the rules of .gitignore files begin, the path from there to the root, with a slash.
  let lead: [UInt8]
  /// The length in bytes of the root's path.
  let rootCount: Int

  init(
    _ options: WalkOptions, root: DirectoryHandle, _ path: FilePath, lead: [UInt8], workers: Int
  ) throws(Errno) {
    self.options = options
    self.lead = lead
    rootCount = path.bytes.count
    choosesByPath = options.ignoreFiles == .heeded || !options.excluded.isEmpty
    leavesOut =
      choosesByPath || options.hidden == .leftOut || options.versionControl != .walked
    mount = try options.mounts == .leftOut ? root.place().mount : nil
    // The walk uses half of the descriptors that the process may open. Each worker needs two more:
    // for the first directory of its share, and for the one that is being opened.
    var limit = rlimit()
    let isKnown = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    let half = Int(min(limit.rlim_cur, 1 << 20)) / 2
    openDirectories =
      isKnown ? max(Self.least, min(Self.most, half / max(1, workers) - 2)) : Self.most
  }

  /// Deeper trees than this are rare; reopening a directory costs about as much as opening it.
  private static let most = 16
  /// A directory, and the next one, which is opened relative to it.
  private static let least = 2

  /// Whether something is mounted on an entry, so that it does not belong to the walk.
  ///
  /// Only the number tells this of what is no directory: an overlay shows files with other devices
  /// than its own.
  func isMountPoint(_ name: FilePath, _ kind: TreeEntry.Kind, in directory: CInt) -> Bool {
    guard let mount, let found = try? DirectoryHandle.mount(of: name, in: directory) else {
      return false
    }
    return kind == .directory ? found != mount : found.number != mount.number
  }

  /// The identity of a directory, in one system call; `nil` if its entries do not belong to the
  /// walk.
  func identity(of directory: DirectoryHandle) throws(Errno) -> FileIdentity? {
    guard let mount else { return try directory.identity() }
    let place = try directory.place()
    return place.mount == mount ? place.identity : nil
  }
}

internal import Glibc
internal import LinuxSystem
internal import Synchronization
internal import Xattr

/// What the workers of one walk share: the parts that wait for a worker, and who is idle.
///
/// A worker gives a part of its work away only while another is idle, so there are never more
/// parts than workers.
///
/// `@unchecked`: the mutex is held wherever one of the variables below it is read or written.
@safe
final class WorkerPool: @unchecked Sendable {
  private let limit: Int
  private let body: @Sendable (WorkerPool) -> Void
  /// How many workers could begin at once beyond the parts that already wait.
  private let idle: Atomic<Int>

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var threads: [pthread_t] = []
  private var mayStart = true
  private var waiting = 0
  private var busy = 0
  private var shares: [Share] = []
  private var isFinished = false

  /// - Parameter body: what a thread does: `take` and work until there is no more.
  init(workers: Int, body: @escaping @Sendable (WorkerPool) -> Void) {
    limit = workers
    self.body = body
    idle = Atomic(0)
    unsafe mutex = .allocate(capacity: 1)
    unsafe changed = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  /// Whether a share would be taken at once.
  var wantsShares: Bool { idle.load(ordering: .relaxed) > 0 }

  /// Does all of a walk: the calling thread is the first worker, others start as there is work.
  func run(_ first: Share) {
    withLock {
      shares.append(first)
      updateIdle()
    }
    body(self)
    // Whoever returns from `body` has seen the end, after which no thread is started.
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Hands over a part of the caller's work.
  func offer(_ share: Share) {
    withLock {
      shares.append(share)
      if waiting == 0, threads.count + 1 < limit, mayStart { startThread() }
      updateIdle()
      unsafe pthread_cond_signal(changed)
    }
  }

  /// Waits for a part to work on; `nil` when all is done.
  ///
  /// - Parameter isFirst: whether the worker comes with nothing done before.
  func take(isFirst: Bool) -> Share? {
    withLock {
      if !isFirst { busy -= 1 }
      waiting += 1
      defer {
        waiting -= 1
        updateIdle()
      }
      updateIdle()
      while shares.isEmpty, busy > 0 { unsafe pthread_cond_wait(changed, mutex) }
      if let share = shares.popLast() {
        busy += 1
        return share
      }
      unsafe pthread_cond_broadcast(changed)
      return nil
    }
  }

  private func updateIdle() {
    let unstarted = mayStart ? limit - 1 - threads.count : 0
    idle.store(unstarted + waiting - shares.count, ordering: .relaxed)
  }

  private func startThread() {
    var thread = pthread_t()
    let argument = unsafe Unmanaged.passRetained(self)
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let pool = unsafe Unmanaged<WorkerPool>.fromOpaque(argument).takeRetainedValue()
        pool.body(pool)
        return nil
      }, argument.toOpaque())
    if result == 0 {
      threads.append(thread)
    } else {
      // No more threads are to be had; those that run do the work.
      unsafe argument.release()
      mayStart = false
    }
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }
}

/// A part of a walk, for whichever worker is free: a directory's listing and all below it.
struct Share: Sendable {
  let handle: DirectoryHandle
  let listing: Listing
  let way: Way
  let path: FilePath
}

/// What all workers of a walk go by.
struct WalkPlan: Sendable {
  let options: WalkOptions
  /// The root's file system.
  let device: UInt64
  /// How many directories a worker keeps open besides the first of its share.
  let openDirectories: Int

  init(_ options: WalkOptions, device: UInt64, workers: Int) {
    self.options = options
    self.device = device
    openDirectories = Self.openDirectories(workers: workers)
  }

  /// Half of what the process may open goes to the walk. A worker needs two more: the first of its
  /// share, and one that is just being opened.
  private static func openDirectories(workers: Int) -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return most
    }
    let half = Int(min(limit.rlim_cur, 1 << 20)) / 2
    return max(least, min(most, half / max(1, workers) - 2))
  }

  /// Deeper trees than this are rare; reopening a directory costs about as much as opening it.
  private static let most = 16
  /// A directory and the one that is opened relative to it.
  private static let least = 2

  /// Whether what is in a directory is part of the walk.
  func walks(_ identity: FileIdentity) -> Bool {
    options.mounts == .walked || identity.device == device
  }
}

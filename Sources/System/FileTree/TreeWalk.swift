internal import CLinux
internal import Glibc
package import LinuxSystem
internal import Synchronization
package import Xattr

/// A walk over everything below a directory.
///
/// A directory is visited before its entries, which come in the file system's order. Links are
/// visited, never followed. Every entry is reached relative to its directory's open descriptor, so
/// that swapping a component of the path for a link cannot redirect the walk. Memory does not grow
/// with the number of entries, nor the number of open descriptors with the depth.
///
/// A file may have been removed by the time it is visited.
///
/// The corresponding C functions are openat(2) with `O_NOFOLLOW`, getdents64(2), and fstat(2), or
/// statx(2), of each entry too, where the walk stays in one mount.
package enum TreeWalk {
  /// Walks the tree below a directory on the calling thread, depth first; the directory itself is
  /// not visited.
  ///
  /// - Parameters:
  ///   - links: whether `root` itself may be a link to a directory.
  ///   - visit: called with each entry.
  ///   - failed: called with each directory that cannot be walked; the walk goes on.
  /// - Throws: `TreeFailure` where `root` cannot be opened.
  package static func walk(
    below root: FilePath, links: Links, options: WalkOptions = WalkOptions(),
    visit: (borrowing TreeEntry) -> Void, failed: (TreeFailure) -> Void
  ) throws(TreeFailure) {
    let (share, plan) = try start(root, links, options, workers: 1)
    var worker = Worker(share, plan, nil)
    worker.run(visit, failed)
  }

  /// Walks the tree below a directory on several threads; the directory itself is not visited.
  ///
  /// Each thread fills a block of its own, so that no entry takes a lock. A caller that streams
  /// writes a block out whenever it is full, under a lock of its own, and gets the rest as the
  /// result.
  ///
  /// ```swift
  /// let blocks = try TreeWalk.walk(below: root, links: .follow, block: { Lines(standardOutput) }) {
  ///   lines, entry in lines.append(entry.path)  // writes when there are 64 KiB
  /// } failed: { lines, failure in lines.failures.append(failure) }
  /// for lines in blocks { lines.write() }
  /// ```
  ///
  /// - Parameters:
  ///   - links: whether `root` itself may be a link to a directory.
  ///   - workers: the greatest number of threads. The calling thread is the first; others start
  ///     when there is enough work. One thread walks in the order of the walk without blocks.
  ///   - block: makes a thread's block.
  ///   - visit: called with each entry on the thread that met it, while its directory is open.
  ///   - failed: called with each directory that cannot be walked; the walk goes on.
  /// - Returns: the blocks of the threads that took part.
  /// - Throws: `TreeFailure` where `root` cannot be opened.
  package static func walk<Block: Sendable>(
    below root: FilePath, links: Links, options: WalkOptions = WalkOptions(), workers: Int = 2,
    block: @escaping @Sendable () -> Block,
    visit: @escaping @Sendable (inout Block, borrowing TreeEntry) -> Void,
    failed: @escaping @Sendable (inout Block, TreeFailure) -> Void
  ) throws(TreeFailure) -> [Block] {
    precondition(workers > 0, "somebody must do the work")
    let (first, plan) = try start(root, links, options, workers: workers)
    let blocks = Mutex<[Block]>([])
    let pool = WorkerPool<Share>(workers: workers) { pool in
      var filled: Block?
      while let share = pool.take(isFirst: filled == nil) {
        var worker = Worker(share, plan, workers == 1 ? nil : pool)
        // A variable of its own, so that changing the block does not copy it.
        var current = filled.take() ?? block()
        worker.run({ visit(&current, $0) }, { failed(&current, $0) })
        filled = current
      }
      if let filled { blocks.withLock { $0.append(filled) } }
    }
    pool.run(first)
    return blocks.withLock { $0 }
  }

  /// The number of threads that serves a walk best: one a processor, up to four. More would wait
  /// for one another in the kernel.
  ///
  /// The corresponding C function is sched_getaffinity(2).
  package static var usualWorkers: Int { min(4, Int(clinux_processors())) }

  /// Opens the root of a walk.
  private static func start(
    _ root: FilePath, _ links: Links, _ options: WalkOptions, workers: Int
  ) throws(TreeFailure) -> (first: Share, plan: WalkPlan) {
    do throws(Errno) {
      let handle = try DirectoryHandle(
        AT_FDCWD, root, flags: links == .follow ? 0 : O_NOFOLLOW)
      var way = Way()
      way.append(Level(identity: try handle.identity(), pathCount: root.bytes.count))
      let (rules, lead) =
        options.ignoreFiles == .heeded
        ? IgnoreRules.above(root, handle.descriptor) : (IgnoreRules(), [])
      let share = Share(
        handle: handle, listing: Listing(buffer: nil), way: way, path: root, rules: rules)
      return (share, try WalkPlan(options, root: handle, root, lead: lead, workers: workers))
    } catch {
      throw TreeFailure(path: root, errno: error)
    }
  }
}

/// What a walk visits, and what ends it.
package struct WalkOptions: Sendable {
  package struct Kinds: OptionSet, Sendable {
    package let rawValue: UInt8

    package static let files = Kinds(rawValue: 1)
    package static let directories = Kinds(rawValue: 2)
    /// Links, FIFOs, sockets and devices.
    package static let others = Kinds(rawValue: 4)
    // No lists of the others: in another module, these are made by generic code, which looks up
    // metadata at the start of the program.
    package static let filesAndDirectories = Kinds(rawValue: 3)
    package static let all = Kinds(rawValue: 7)

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package func contains(_ kind: TreeEntry.Kind) -> Bool {
      switch kind {
      case .file: contains(.files)
      case .directory: contains(.directories)
      case .other: contains(.others)
      }
    }
  }

  /// Entries whose name begins with a period.
  package enum Hidden: Sendable {
    case visited
    /// Neither visited nor walked.
    case leftOut
  }

  /// What programs for version control keep beside the files: .git and the like.
  package enum VersionControl: Sendable {
    case walked
    /// Walked, but for Git's objects and index. In these no file is a document, and some are shared
    /// by several repositories.
    case walkedWithoutObjects
    /// Neither visited nor walked, as by `--exclude-vcs` of tar.
    case leftOut
  }

  /// The files called .gitignore.
  package enum IgnoreFiles: Sendable {
    case passedOver
    /// What Git would ignore is neither visited nor walked, by these files at the root, below it
    /// and above it up to the top of its repository, and by .git/info/exclude.
    case heeded
  }

  /// What is mounted below the root: directories and files on another file system, or in another
  /// mount of the same, as `mount --bind` makes one.
  package enum Mounts: Sendable {
    case walked
    /// Neither visited nor walked. It costs a system call for each entry.
    case leftOut
  }

  /// The depth down to which entries are visited; those of the root itself have depth 1.
  package var maximumDepth: Int?
  package var hidden: Hidden
  package var versionControl: VersionControl
  /// What is neither visited nor walked; paths begin at the root.
  package var excluded: [IgnorePattern]
  package var ignoreFiles: IgnoreFiles
  package var mounts: Mounts
  package var cancellation: WalkCancellation?
  /// The kinds that are visited; directories are walked in any case.
  package var kinds: Kinds
  /// An attribute that is read of each entry before the visit, which is the fastest place for it.
  package var attribute: Attribute?

  package struct Attribute: Sendable {
    /// What becomes of entries without the attribute.
    package enum Absent: Sendable {
      case visited
      case leftOut
    }

    package let name: AttributeName
    package let absent: Absent

    package init(_ name: AttributeName, absent: Absent) {
      self.name = name
      self.absent = absent
    }
  }

  package init(
    maximumDepth: Int? = nil, hidden: Hidden = .visited, versionControl: VersionControl = .walked,
    excluded: [IgnorePattern] = [], ignoreFiles: IgnoreFiles = .passedOver,
    mounts: Mounts = .walked, cancellation: WalkCancellation? = nil, kinds: Kinds = .all
  ) {
    self.maximumDepth = maximumDepth
    self.hidden = hidden
    self.versionControl = versionControl
    self.excluded = excluded
    self.ignoreFiles = ignoreFiles
    self.mounts = mounts
    self.cancellation = cancellation
    self.kinds = kinds
  }
}

/// A flag that ends a walk before its next entry; a signal handler may set it.
package final class WalkCancellation: Sendable {
  private let flag = Atomic(false)

  package init() {}

  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  package func cancel() { flag.store(true, ordering: .relaxed) }
}

/// SIGHUP, SIGINT and SIGTERM, handled so that work on a tree ends between two files.
///
/// The file in hand is finished and the work done so far is summed up; then the process ends by the
/// signal, so that the shell or script that called it sees the signal. A second signal ends the
/// process at once.
package enum Interruption {
  // A process has one, and a signal handler can reach nothing but globals.
  private static let cancellation = WalkCancellation()
  private static let pending = Atomic<CInt>(0)

  /// From now on the first signal cancels the returned cancellation. A signal that is ignored, as
  /// in the background of a shell or under nohup(1), stays ignored.
  ///
  /// The corresponding C function is sigaction(2).
  package static func install() -> WalkCancellation {
    // Initialised before a handler uses it, since initialising is not async-signal-safe.
    let cancellation = cancellation
    for number in [SIGHUP, SIGINT, SIGTERM] {
      var action = sigaction()
      guard unsafe sigaction(number, nil, &action) == 0,
        unsafe !isIgnored(action.__sigaction_handler.sa_handler)
      else { continue }
      action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { Interruption.receive($0) }
      // The second signal of a kind has its default action again.
      action.sa_flags = SA_RESTART | CInt(bitPattern: UInt32(SA_RESETHAND))
      _ = unsafe sigaction(number, &action, nil)
    }
    return cancellation
  }

  package static var isPending: Bool { pending.load(ordering: .relaxed) != 0 }

  /// Ends the process by the signal that has come; returns if none has.
  ///
  /// The corresponding C function is raise(3).
  package static func reraise() {
    let number = pending.load(ordering: .relaxed)
    guard number != 0 else { return }
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Runs in a signal handler: atomic operations and raise(3) only.
  private static func receive(_ number: CInt) {
    let former = pending.exchange(number, ordering: .relaxed)
    cancellation.cancel()
    // The first of its kind, but the second signal. It comes again when the handler returns, and
    // has its default action then.
    if former != 0 { raise(number) }
  }

  private static func isIgnored(_ handler: (@convention(c) (CInt) -> Void)?) -> Bool {
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

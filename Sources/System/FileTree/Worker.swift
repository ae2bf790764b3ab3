internal import Glibc
internal import LinuxSystem

/// Walks a share of a tree on one thread, depth first.
struct Worker {
  /// A directory on the way down that this worker lists.
  private struct Frame {
    /// `nil` while the directory is closed to save a descriptor.
    var handle: DirectoryHandle?
    var listing: Listing
    let rules: IgnoreRules
  }

  typealias Failed = (TreeFailure) -> Void

  private let plan: WalkPlan
  /// `nil` if one worker walks alone.
  private let pool: WorkerPool<Share>?
  private let attribute: AskedAttribute?
  /// The directories from the root of the tree down to the top frame's.
  private var way: Way
  /// The last directories of the way: from the share's first directory, which is never closed, to
  /// the top, which is being read.
  private var frames: [Frame]
  /// An index of `frames`: all frames between the first and this one are closed.
  private var firstOpen = 1
  /// An index of `frames`: no frame before this one has enough left to share.
  private var firstShareable = 0
  /// How many entries to visit before looking for work to share again.
  private var pause = 0
  /// Begins with the path of the top.
  private var path: FilePath
  private var spareBuffers: [[UInt8]] = []
  /// A path as rules have it; begins with that of the top where `leadCount` is known.
  private var spelled: [UInt8] = []
  private var leadCount: Int?
  /// Memory for matching.
  private var row: [Bool] = []

  init(_ share: Share, _ plan: WalkPlan, _ pool: WorkerPool<Share>?) {
    self.plan = plan
    self.pool = pool
    attribute = plan.options.attribute.map(AskedAttribute.init)
    way = share.way
    frames = [Frame(handle: share.handle, listing: share.listing, rules: share.rules)]
    path = share.path
    pause = way.count > 1 ? Self.entriesForLevel * way.count : 0
  }

  mutating func run(_ visit: (borrowing TreeEntry) -> Void, _ failed: Failed) {
    let deepest = plan.options.maximumDepth ?? .max
    guard way.count <= deepest else { return }
    while !frames.isEmpty {
      guard let handle = frames[frames.count - 1].handle else {
        leave(failed)
        continue
      }
      // A variable of its own, so that the path's bytes stay in place while the worker changes.
      let path = path
      let step = unsafe path.withBytes(way.last.pathCount) { path in
        unsafe visitTop(handle.descriptor, path, deepest, visit, failed)
      }
      switch step {
      case .cancelled: return
      case .down(let record): enter(record, failed)
      case .up: leave(failed)
      }
    }
  }

  /// Where a worker goes after visiting entries of the top.
  private enum Step {
    case up
    /// Into the directory of this record, which was visited last.
    case down(Listing.Record)
    case cancelled
  }

  /// Visits the entries of the top up to the next directory that is to be entered.
  @inline(__always)
  private mutating func visitTop(
    _ directory: CInt, _ path: UnsafeBufferPointer<UInt8>, _ deepest: Int,
    _ visit: (borrowing TreeEntry) -> Void, _ failed: Failed
  ) -> Step {
    let top = frames.count - 1
    let mayEnter = way.count < deepest
    let (cancellation, pool) = (plan.options.cancellation, pool)
    let (kinds, attribute) = (plan.options.kinds, attribute)
    let isBound = plan.mount != nil
    while true {
      if let cancellation, cancellation.isCancelled { return .cancelled }
      if let pool, pool.wantsShares { share(pool) }
      guard let record = nextRecord(directory, failed) else { return .up }
      let kind = frames[top].listing.kind(of: record, in: directory)
      if isBound, plan.isMountPoint(frames[top].listing.name(of: record), kind, in: directory) {
        continue
      }
      if kinds.contains(kind) {
        unsafe frames[top].listing.withEntry(
          record, kind, in: directory, at: path, attribute, visit)
      }
      if kind == .directory, mayEnter { return .down(record) }
    }
  }

  /// Reads the next entry of the top that is not left out.
  @inline(__always)
  private mutating func nextRecord(_ directory: CInt, _ failed: Failed) -> Listing.Record? {
    let top = frames.count - 1
    do throws(Errno) {
      while let record = try frames[top].listing.nextRecord(directory) {
        if plan.leavesOut, plan.choosesByPath || record.mayBeVersionControl,
          isLeftOut(record, directory)
        {
          continue
        }
        return record
      }
    } catch {
      failed(TreeFailure(path: path.prefix(way.last.pathCount), errno: error))
    }
    return nil
  }

  @inline(never)
  private mutating func isLeftOut(_ record: Listing.Record, _ directory: CInt) -> Bool {
    if record.isHidden, plan.options.hidden == .leftOut { return true }
    if record.mayBeVersionControl, plan.options.versionControl != .walked,
      isVersionControl(record, directory)
    {
      return true
    }
    guard plan.choosesByPath else { return false }
    let top = frames.count - 1
    if let leadCount {
      spelled.removeLast(spelled.count - leadCount)
    } else {
      spell(way.last.pathCount)
      leadCount = spelled.count
    }
    spelled.append(contentsOf: frames[top].listing.nameBytes(of: record))
    let isDirectory = frames[top].listing.kind(of: record, in: directory) == .directory
    let below = spelled[plan.lead.count...]
    return plan.options.excluded.contains { $0.matches(below, isDirectory: isDirectory, &row) }
      || frames[top].rules.ignore(spelled, isDirectory: isDirectory, &row)
  }

  /// Spells the path of a directory as rules have it, with a slash after it unless it is empty.
  ///
  /// - Parameter count: the length of its path.
  private mutating func spell(_ count: Int) {
    let slash = UInt8(ascii: "/")
    leadCount = nil
    spelled.removeAll(keepingCapacity: true)
    spelled.append(contentsOf: plan.lead)
    spelled.append(contentsOf: path.bytes[plan.rootCount..<count].drop { $0 == slash })
    FilePath.addSlash(to: &spelled)
  }

  /// Whether an entry of the top belongs to version control, as far as the walk leaves that out.
  private func isVersionControl(_ record: Listing.Record, _ directory: CInt) -> Bool {
    let listing = frames[frames.count - 1].listing
    let name = listing.nameBytes(of: record)
    let isDirectory = listing.kind(of: record, in: directory) == .directory
    if GitStore.mayBeCalled(name, isDirectory: isDirectory) {
      let path = path.prefix(way.last.pathCount)
      return GitStore.isRepository(path) {
        TreeEntry.Kind(directory, FilePath($0), .noFollow) != nil
      }
    }
    guard plan.options.versionControl == .leftOut else { return false }
    // In a worktree and a submodule of Git, a file leads to the repository.
    if name.elementsEqual(".git".utf8) { return true }
    return isDirectory && Self.versionControl.contains { name.elementsEqual($0.utf8) }
  }

  /// As tar's `--exclude-vcs` has them, and .jj.
  private static let versionControl = [".hg", ".svn", ".bzr", ".jj", "_darcs", "CVS"]

  /// Opens a directory in the top and makes it the new top.
  private mutating func enter(_ record: Listing.Record, _ failed: Failed) {
    guard let parent = frames[frames.count - 1].handle else { return }
    let name = frames[frames.count - 1].listing.name(of: record)
    path.replace(after: way.last.pathCount, with: name)
    do throws(Errno) {
      let handle = try open(parent, name)
      guard let identity = try plan.identity(of: handle) else { return }
      guard !way.contains(identity) else {
        failed(TreeFailure(path: path, errno: .tooManySymbolicLinks, cause: .ancestor))
        return
      }
      var listing = Listing(buffer: spareBuffers.popLast())
      if plan.options.versionControl == .leftOut,
        try listing.beginsRepository(handle.descriptor)
      {
        if let buffer = listing.takeBuffer() { spareBuffers.append(buffer) }
        return
      }
      way.append(Level(identity: identity, pathCount: path.bytes.count))
      frames.append(Frame(handle: handle, listing: listing, rules: rules(handle)))
      leadCount = nil
      if frames.count - firstOpen > plan.openDirectories { closeOne() }
      pause -= Self.entriesForDirectory
    } catch {
      let isReplaced = error == .notDirectory || error == .tooManySymbolicLinks
      failed(TreeFailure(path: path, errno: error, cause: isReplaced ? .replaced : .errno))
    }
  }

  /// The rules in a directory of the top, whose path the worker's path is.
  private mutating func rules(_ directory: DirectoryHandle) -> IgnoreRules {
    let above = frames[frames.count - 1].rules
    guard plan.options.ignoreFiles == .heeded else { return above }
    spell(path.bytes.count)
    return above.entering(directory.descriptor, leadCount: spelled.count)
  }

  /// Makes the directory above the top the new top.
  private mutating func leave(_ failed: Failed) {
    let left = frames.removeLast()
    way.removeLast()
    leadCount = nil
    if let buffer = left.listing.takeBuffer() { spareBuffers.append(buffer) }
    firstShareable = min(firstShareable, max(0, frames.count - 1))
    if let top = frames.last, top.handle == nil { reopen(from: left.handle, failed) }
  }

  /// Reopens the top, which the worker closed when it was deeper in the tree.
  ///
  /// The top is `..` of the directory just left. If that directory was moved meanwhile or may not be
  /// searched, the worker goes down from the first directory of the share. A directory that turns
  /// out to be another one than before is not used.
  private mutating func reopen(from child: DirectoryHandle?, _ failed: Failed) {
    if let child, let handle = try? open(child, Self.parent, expecting: way.last) {
      resume(handle, failed)
      return
    }
    guard var handle = frames[0].handle else { return }
    let first = way.count - frames.count
    var reached = first
    do throws(Errno) {
      while reached + 1 < way.count {
        let (above, below) = (way.levels[reached].pathCount, way.levels[reached + 1].pathCount)
        handle = try open(
          handle, path.component(after: above, upTo: below), expecting: way.levels[reached + 1])
        reached += 1
      }
    } catch {
      let isElsewhere: Set = [Errno.noSuchFile, .notDirectory, .tooManySymbolicLinks, .staleHandle]
      failed(
        TreeFailure(
          path: path.prefix(way.levels[reached + 1].pathCount), errno: error,
          cause: isElsewhere.contains(error) ? .moved : .errno))
      frames.removeLast(way.count - 1 - reached)
      while way.count > reached + 1 { way.removeLast() }
      firstShareable = min(firstShareable, frames.count - 1)
    }
    if reached > first { resume(handle, failed) } else { firstOpen = 1 }
  }

  private static let parent = FilePath("..")

  private mutating func resume(_ handle: DirectoryHandle, _ failed: Failed) {
    let top = frames.count - 1
    frames[top].handle = handle
    firstOpen = top
    do throws(Errno) {
      try frames[top].listing.resume(handle, buffer: spareBuffers.popLast())
    } catch {
      failed(TreeFailure(path: path.prefix(way.last.pathCount), errno: error))
    }
  }

  /// - Throws: `Errno.staleHandle` where the name leads to another directory.
  private mutating func open(
    _ parent: DirectoryHandle, _ name: FilePath, expecting level: Level
  ) throws(Errno) -> DirectoryHandle {
    let handle = try open(parent, name)
    guard try handle.identity() == level.identity else { throw .staleHandle }
    return handle
  }

  /// Opens a directory without following a link; closes others if too many files are open.
  private mutating func open(
    _ parent: DirectoryHandle, _ name: FilePath
  ) throws(Errno) -> DirectoryHandle {
    while true {
      do throws(Errno) {
        return try DirectoryHandle(parent.descriptor, name, flags: O_NOFOLLOW)
      } catch .tooManyOpenFiles where frames.count - firstOpen > 1 {
        closeOne()
      }
    }
  }

  /// Closes the highest open directory except the first of the share.
  private mutating func closeOne() {
    frames[firstOpen].handle = nil
    if let buffer = frames[firstOpen].listing.suspend() { spareBuffers.append(buffer) }
    firstOpen += 1
  }

  /// Gives another worker a part of the highest directory that has enough left.
  private mutating func share(_ pool: WorkerPool<Share>) {
    pause -= 1
    guard pause <= 0 else { return }
    pause = Self.entriesBetweenShares
    while true {
      if let handle = frames[firstShareable].handle,
        let listing = frames[firstShareable].listing.split()
      {
        let there = way.prefix(way.count - frames.count + firstShareable + 1)
        pool.offer(
          Share(
            handle: handle, listing: listing, way: there, path: path.prefix(there.last.pathCount),
            rules: frames[firstShareable].rules))
        pause += Self.entriesForLevel * there.count
        return
      }
      // The top may get more entries when it is read further.
      guard firstShareable < frames.count - 1 else { return }
      firstShareable += 1
    }
  }

  private static let entriesBetweenShares = 64
  /// By how many entries a directory shortens the pause.
  private static let entriesForDirectory = 8
  /// By how many entries each level lengthens the pause: sharing copies the way, which must not
  /// outweigh the walking deep in a tree.
  private static let entriesForLevel = 4
}

/// The directories from the root of a tree to where a worker is.
struct Way: Sendable {
  private(set) var levels: [Level] = []
  /// Levels from this one on are looked up in a set; those above are searched one by one.
  private static let firstLookedUp = 32
  private var lookedUp: Set<FileIdentity> = []

  var count: Int { levels.count }

  var last: Level { levels[levels.count - 1] }

  func contains(_ identity: FileIdentity) -> Bool {
    levels.prefix(Self.firstLookedUp).contains { $0.identity == identity }
      || (count > Self.firstLookedUp && lookedUp.contains(identity))
  }

  mutating func append(_ level: Level) {
    if count >= Self.firstLookedUp { lookedUp.insert(level.identity) }
    levels.append(level)
  }

  mutating func removeLast() {
    let level = levels.removeLast()
    if count >= Self.firstLookedUp { lookedUp.remove(level.identity) }
  }

  /// The first levels of the way.
  func prefix(_ count: Int) -> Way {
    var way = Way()
    way.levels = Array(levels.prefix(count))
    if count > Self.firstLookedUp {
      way.lookedUp = Set(way.levels[Self.firstLookedUp...].lazy.map(\.identity))
    }
    return way
  }
}

/// A directory on the way to where a worker is.
struct Level: Sendable {
  let identity: FileIdentity
  /// The length in bytes of its path, with which the worker's path begins.
  let pathCount: Int
}

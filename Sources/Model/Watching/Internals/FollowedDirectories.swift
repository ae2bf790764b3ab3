internal import DocumentSource
internal import FileTree
internal import Glibc
internal import LinuxSystem
internal import Xattr

/// Notices what happens to files with a source in directories of documents: a source may be set, and
/// a file renamed or deleted, without the file being written.
///
/// To be used on one thread.
final class FollowedDirectories {
  /// The directories that were not used for longest are followed no more beyond this number: a user
  /// may follow some ten thousand, with all programs.
  static let limit = 1000
  /// No more entries of a directory are looked at.
  static let entryLimit = 8192
  /// How many directories, and how many files, may wait to be looked at.
  private static let queueLimit = 4096
  private static let fileLimit = 16_384
  /// How many renamed files may wait to be asked for.
  private static let renamedLimit = 4096
  /// How many changes may be expected, and among how many a change is looked for.
  private static let expectedLimit = 1024
  private static let expectedFirst = 16
  /// No more files are looked at since the start that nobody has written: on a disk that has to seek,
  /// each may take milliseconds.
  private static let unaskedLimit = 20_000
  /// How long files are looked at in one turn before the written ones are handled, in milliseconds.
  private static let patience = 20
  /// How long after events were lost the sources are not read again if more are lost.
  private static let lossPause = 60_000
  /// How long changes may gather if there were many, in milliseconds: a source is read too late if
  /// its file has been replaced by then.
  private static let longestPause = 100
  private static let pauseForEach = 4
  private static let bufferSize = 1 << 16
  private static let readLimit = 16
  private static let mask = UInt32(
    IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_ONLYDIR
      | IN_DONT_FOLLOW | IN_EXCL_UNLINK)
  private static let slash = UInt8(ascii: "/")

  private struct Followed {
    let watch: CInt
    let use: Int
    /// The turn in which it was last found at its path, and need not be asked for again.
    let turn: Int
  }

  /// Negative if the user has too many.
  let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
  private let probe = SourceProbe()
  /// By their paths.
  private var followed: [PathKey: Followed] = [:]
  private var paths: [CInt: [UInt8]] = [:]
  private var useCount = 0
  private var turn = 0
  /// The paths whose attributes we have changed, in that order, until that is read here.
  private var expected = FileQueue<[UInt8]>()
  private let barrier: (_ path: [UInt8]) -> Bool
  /// A file that was renamed, until its new name is read.
  private var moved: (cookie: UInt32, path: HashedPath, former: FormerSources.Former)?
  /// Files with a source that have got these names.
  private var renamed: [(file: FileIdentity, path: [UInt8])] = []
  private var queue: [[UInt8]] = []
  /// The files that are to be looked at, the first one last.
  private var files: [[UInt8]] = []
  private var unaskedCount = 0
  /// Until when files may be looked at in this turn, in milliseconds.
  private var end = 0
  private var lossTime: Int?
  /// When changes may be read again, in milliseconds.
  private var time = 0

  /// - Parameter barrier: whether a path must not be followed, since nobody may answer there.
  init(barrier: @escaping (_ path: [UInt8]) -> Bool = { _ in false }) { self.barrier = barrier }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether what happens in the directory of a path is noticed.
  func follows(_ path: HashedPath) -> Bool { followed[path.directory] != nil }

  // MARK: Directories

  /// Begins a turn of work on written files.
  func beginTurn() {
    turn += 1
    extendTurn()
  }

  /// Allows as much time again.
  func extendTurn() { end = Clock.milliseconds + Self.patience }

  /// Begins to follow the directory of a path, and reads the sources in it: at once, until the turn
  /// has taken long enough.
  func meet(_ path: HashedPath, _ formers: inout FormerSources) {
    let known = followed[path.directory]
    guard known?.turn != turn else { return }
    let directory = Array(path.directory.bytes)
    useCount += 1
    // With a directory above it, it may have become another one.
    guard let watch = follow(directory, &formers), watch != known?.watch else { return }
    if files.count + Self.entryLimit > Self.fileLimit {
      if queue.count < Self.queueLimit { queue.append(directory) }
      return
    }
    list(directory) { _ in }
    takeFiles(&formers, until: end)
  }

  /// - Returns: the kernel's number of the directory; `nil` if it is not followed, since the user must
  ///   be able to read it.
  private func follow(_ directory: [UInt8], _ formers: inout FormerSources) -> CInt? {
    let key = PathKey(directory[...])
    let known = followed[key]?.watch
    var watch: CInt = -1
    if descriptor >= 0, !barrier(directory), let path = Self.filePath(directory) {
      if known == nil, followed.count >= Self.limit { forgetOldest(&formers) }
      watch = unsafe path.withCString { unsafe inotify_add_watch(descriptor, $0, Self.mask) }
    }
    if let known, known != watch {
      unfollow(known)
      formers.forget(in: [key])
    }
    guard watch >= 0 else { return nil }
    // It has been renamed, with a directory above it.
    if let before = paths[watch], before != directory {
      let former = PathKey(before[...])
      followed[former] = nil
      formers.forget(in: [former])
    }
    paths[watch] = directory
    followed[key] = Followed(watch: watch, use: useCount, turn: turn)
    return watch
  }

  private func forgetOldest(_ formers: inout FormerSources) {
    let first = followed.values.map(\.use).sorted()[followed.count / 8]
    let oldest = followed.filter { $0.value.use <= first }
    for one in oldest.values { unfollow(one.watch) }
    formers.forget(in: Set(oldest.keys))
  }

  private func unfollow(_ watch: CInt) {
    inotify_rm_watch(descriptor, watch)
    if let path = paths.removeValue(forKey: watch) { followed[PathKey(path[...])] = nil }
    // The others may be at other paths, too.
    turn += 1
  }

  /// Anything may have happened: all sources are forgotten, and read again, but not over and over.
  private func noteLoss(_ formers: inout FormerSources) {
    let directories = Array(paths.values)
    for watch in Array(paths.keys) { unfollow(watch) }
    formers.forgetAll()
    moved = nil
    expected = FileQueue()
    let now = Clock.milliseconds
    if let lossTime, now - lossTime < Self.lossPause { return }
    lossTime = now
    unaskedCount = 0
    queue = Array((directories + queue).prefix(Self.queueLimit))
  }

  private static func filePath(_ directory: [UInt8]) -> FilePath? {
    FilePath(bytes: directory.isEmpty ? [slash] : directory)
  }

  /// Has the files in a directory looked at before all others.
  ///
  /// - Returns: how many they are.
  @discardableResult
  private func list(_ directory: [UInt8], found: (_ directory: [UInt8]) -> Void) -> Int {
    guard let path = Self.filePath(directory) else { return 0 }
    let count = files.count
    do throws(TreeFailure) {
      let listing = try OpenDirectory(AT_FDCWD, path, path: path, flags: 0)
      defer { listing.close() }
      for _ in 0..<Self.entryLimit {
        guard let entry = try listing.next() else { break }
        let name = entry.name.bytes
        guard name.first != UInt8(ascii: ".") else { continue }
        let path = directory + [Self.slash] + name
        switch entry.kind {
        case .file: files.append(path)
        case .directory: found(path)
        default: break
        }
      }
    } catch {
      // The rest of what cannot be listed is not looked at.
    }
    return files.count - count
  }

  private func takeFiles(_ formers: inout FormerSources, until end: Int) {
    while Clock.milliseconds < end, let file = files.popLast().map(HashedPath.init) {
      // Its directory may have been given up meanwhile.
      if follows(file) { look(at: file, &formers) }
    }
  }

  // MARK: The first look

  /// Has the directories below others looked at when there is time.
  func queue(_ directories: [[UInt8]]) { queue += directories }

  var hasQueue: Bool { !queue.isEmpty || !files.isEmpty }

  /// Follows the queued directories and those below them, until a point in time.
  func takeQueue(
    _ formers: inout FormerSources, until end: Int, isWanted: (_ directory: [UInt8]) -> Bool
  ) {
    takeFiles(&formers, until: end)
    var count = 0
    while files.isEmpty, count < queue.count, Clock.milliseconds < end {
      guard followed.count < Self.limit / 2, !formers.isHalfFull,
        unaskedCount < Self.unaskedLimit
      else {
        queue = []
        return
      }
      let directory = queue[count]
      count += 1
      guard follow(directory, &formers) != nil else { continue }
      var more: [[UInt8]] = []
      unaskedCount += list(directory) { more.append($0) }
      for path in more where queue.count < Self.queueLimit && isWanted(path) { queue.append(path) }
      takeFiles(&formers, until: end)
    }
    queue.removeFirst(count)
  }

  // MARK: Changes

  /// When changes are to be waited for, in milliseconds: they gather for a moment.
  var nextTime: Int { time }

  /// The files with a source that were renamed, and their names now, since this was asked last.
  func takeRenamed() -> [(file: FileIdentity, path: [UInt8])] {
    defer { renamed = [] }
    return renamed
  }

  /// Notes that the source of a file in a followed directory has just been set here, so that it need
  /// not be read again.
  func expectChange(at path: [UInt8]) {
    if expected.count >= Self.expectedLimit { expected.removeFirst(expected.count) }
    expected.append(path)
  }

  /// Whether a change of the file with a name in a directory is such a one.
  private func isExpected(_ directory: [UInt8], _ name: UnsafeRawBufferPointer) -> Bool {
    // Others may never have been reported.
    let index = expected.waiting.prefix(Self.expectedFirst).firstIndex { path in
      unsafe Self.isPath(path, directory, name)
    }
    guard let index else { return false }
    expected.removeFirst(index + 1 - expected.waiting.startIndex)
    return true
  }

  /// Whether a path consists of that of a directory and a name.
  private static func isPath(
    _ path: [UInt8], _ directory: [UInt8], _ name: UnsafeRawBufferPointer
  ) -> Bool {
    guard path.count == directory.count + 1 + name.count, path[directory.count] == slash else {
      return false
    }
    // The names differ more often.
    let isNamed = unsafe path.withUnsafeBytes { path in
      guard let start = path.baseAddress, let other = name.baseAddress else { return false }
      return unsafe memcmp(start + directory.count + 1, other, name.count) == 0
    }
    return isNamed && PathBytes(path[..<directory.count]) == PathBytes(directory)
  }

  /// Takes the changes since the last time.
  func takeChanges(_ formers: inout FormerSources) {
    guard descriptor >= 0 else { return }
    var number = 0
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 8) { buffer in
      for _ in 0..<Self.readLimit {
        let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { break }
        number += unsafe take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &formers)
      }
    }
    if number > 0 {
      time = max(
        time, Clock.milliseconds + min(number * Self.pauseForEach, Self.longestPause))
    }
  }

  /// The name in an event, which zeros follow.
  private static func name(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let start = bytes.baseAddress else { return unsafe bytes }
    let count = unsafe strnlen(start, bytes.count)
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// - Returns: the number of events.
  private func take(_ events: UnsafeRawBufferPointer, _ formers: inout FormerSources) -> Int {
    var number = 0
    let size = MemoryLayout<inotify_event>.size
    var start = 0
    while start + size <= events.count {
      let event = unsafe events.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
      let end = start + size + Int(event.len)
      guard end <= events.count else { break }
      number += 1
      let name = unsafe Self.name(UnsafeRawBufferPointer(rebasing: events[(start + size)..<end]))
      start = end
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        noteLoss(&formers)
      } else if event.mask & UInt32(IN_IGNORED) != 0 {
        // It was deleted, or its file system was unmounted.
        guard let path = paths[event.wd] else { continue }
        unfollow(event.wd)
        formers.forget(in: [PathKey(path[...])])
      } else if event.mask & UInt32(IN_MOVE_SELF) != 0 {
        if let directory = paths[event.wd] { forget(below: directory, &formers) }
      } else if unsafe name.first != UInt8(ascii: "."),
        event.mask & UInt32(IN_CREATE) == 0 || formers.awaitsNew,
        let directory = paths[event.wd]
      {
        // The kernel takes equal events for one, but only the last that nobody has read.
        let isOurs = unsafe event.mask & UInt32(IN_ATTRIB) != 0 && isExpected(directory, name)
        guard !isOurs || start == events.count else { continue }
        take(event, HashedPath(unsafe directory + [Self.slash] + name), &formers)
      }
    }
    return number
  }

  private func take(_ event: inotify_event, _ path: HashedPath, _ formers: inout FormerSources) {
    func has(_ kind: CInt) -> Bool { event.mask & UInt32(kind) != 0 }
    if has(IN_ISDIR) {
      if has(IN_MOVED_FROM) { forget(below: path.bytes, &formers) }
    } else if has(IN_ATTRIB) {
      look(at: path, &formers)
    } else if has(IN_CREATE) {
      formers.noteNew(at: path)
    } else if has(IN_DELETE) {
      formers.noteDeletion(at: path)
    } else if has(IN_MOVED_FROM) {
      moved = formers.remove(at: path).map { (event.cookie, path, $0) }
    } else if has(IN_MOVED_TO) {
      if let moved, moved.cookie == event.cookie, path.bytes.starts(with: moved.path.bytes) {
        // A backup: the document is written anew.
        formers.restore(moved.former, at: moved.path)
      }
      moved = nil
      formers.noteReplacement(at: path)
      if let file = look(at: path, &formers), renamed.count < Self.renamedLimit {
        renamed.append((file, path.bytes))
      }
    }
  }

  private func forget(below path: [UInt8], _ formers: inout FormerSources) {
    let lead = path + [Self.slash]
    let gone = paths.filter { $0.value == path || $0.value.starts(with: lead) }
    for watch in gone.keys { unfollow(watch) }
    formers.forget(in: Set(gone.values.lazy.map { PathKey($0[...]) }))
  }

  /// Reads the source of the file at a path.
  ///
  /// - Returns: the file, if it has a source that was not known.
  @discardableResult
  private func look(at path: HashedPath, _ formers: inout FormerSources) -> FileIdentity? {
    guard let place = FilePath(bytes: path.bytes) else { return nil }
    let former = formers.last(at: path)
    var value: [UInt8]?
    var isKnown = false
    _ = try? ExtendedAttributes(of: .path(place, links: .noFollow)).withValue(of: probe.name) {
      bytes in
      isKnown = former.map { $0.isPresent && Self.isEqual(bytes, $0.value) } ?? false
      if !isKnown, probe.hasSource(bytes) != false {
        value = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
      }
    }
    // It was we who have set it.
    if isKnown { return nil }
    guard let value else {
      // Most files have never had one.
      if former != nil, let file = Self.file(at: place) { formers.noteMissing(file, at: path) }
      return nil
    }
    guard let file = Self.file(at: place) else { return nil }
    formers.noteFound(value, of: file, at: path)
    return file
  }

  private static func isEqual(_ bytes: Span<UInt8>, _ others: [UInt8]) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe others.withUnsafeBytes { unsafe bytes.hasSameBytes(as: $0) }
    }
  }

  private static func file(at path: FilePath) -> FileIdentity? {
    OpenFilePaths.status(at: path).map(FileIdentity.init)
  }
}

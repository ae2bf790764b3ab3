internal import FileTree
internal import LinuxSystem

/// The sources that were seen at paths, for files that replace those there: to save a document, most
/// editors write a new file and rename it.
///
/// To be used on one thread.
struct FormerSources {
  struct Former {
    /// `nil` if it was deleted: another file may have its inode now.
    fileprivate(set) var file: FileIdentity?
    /// The attribute's value.
    let value: [UInt8]
    /// Until when a file may replace that one.
    fileprivate var end: Int

    /// Whether that file was still there by what is known.
    var isPresent: Bool { end == .max }
  }

  private static let limit = 8192
  private static let byteLimit = 4 << 20
  /// How long a source is remembered after it was seen, in milliseconds, if the directory is not
  /// followed: who writes a file of that name later may have deleted the former one. Also how long a
  /// new file may be written.
  private static let age = 3_600_000
  /// The same for a file that another one has replaced, or that has become a backup: the new one is
  /// closed at once, but looked at later if many files are written.
  private static let replacementAge = 10_000
  /// The same for a file that was deleted: some programs do so before they write the new one.
  private static let deletionAge = 1000

  private var formers: RecentTable<PathKey, Former> = RecentTable(limit: Self.limit)
  /// What was remembered since others were last forgotten for that, in bytes.
  private var recentBytes = 0
  /// The directories of what was remembered since then, and before.
  private var directories = (recent: DeferredSet<PathKey>(), former: DeferredSet<PathKey>())
  private var own = DeferredSet<FileIdentity>()
  /// Until when files may replace those that were deleted or renamed, in milliseconds; 0 once that is over.
  private var newTime = 0

  /// How long a source is remembered.
  enum Term {
    /// Until something happens to the file; its directory is followed.
    case followed
    case unfollowed
    /// The file has been replaced.
    case replaced
  }

  /// Remembers a source. If there are too many, the half is forgotten that was not seen for longest.
  mutating func note(
    _ value: [UInt8], of file: FileIdentity, at path: HashedPath, _ term: Term = .unfollowed
  ) {
    let end =
      switch term {
      case .followed: Int.max
      case .unfollowed: Clock.milliseconds + Self.age
      case .replaced: Clock.milliseconds + Self.replacementAge
      }
    set(Former(file: file, value: value, end: end), at: path)
  }

  private mutating func set(_ former: Former, at path: HashedPath) {
    directories.recent.insert(path.directory)
    let (replaced, hasForgotten) = formers.update(former, of: path.key)
    recentBytes += former.value.count - (replaced?.value.count ?? -path.bytes.count)
    if hasForgotten {
      hasForgottenUnused()
    } else if recentBytes > Self.byteLimit / 2 {
      formers.forgetUnused()
      hasForgottenUnused()
    }
  }

  private mutating func hasForgottenUnused() {
    recentBytes = 0
    directories = (DeferredSet(), directories.recent)
  }

  mutating func forgetAll() {
    formers.removeAll()
    hasForgottenUnused()
    hasForgottenUnused()
  }

  var isHalfFull: Bool { formers.count >= Self.limit / 2 || recentBytes > Self.byteLimit / 4 }

  /// Whether a source is remembered that was seen in the directory of a path, or was lately.
  mutating func areBeside(_ path: HashedPath) -> Bool { areIn(path.directory) }

  private mutating func areIn(_ directory: PathKey) -> Bool {
    directories.recent.contains(directory) || directories.former.contains(directory)
  }

  /// The source of the file that was seen last at a path, if that was another one.
  ///
  /// `mutating` although nothing changes: with exclusive access the tables are not copied for the call.
  mutating func former(of file: FileIdentity, at path: HashedPath) -> Former? {
    guard let former = formers.value(of: path.key), former.file != file,
      Clock.milliseconds < former.end
    else { return nil }
    return former
  }

  /// Remembers that a file had no source before it got ours.
  mutating func noteOwn(_ file: FileIdentity) {
    if own.count >= Self.limit { own = DeferredSet() }
    own.insert(file)
  }

  mutating func isOwn(_ file: FileIdentity) -> Bool { own.contains(file) }

  // MARK: What happens in directories that are followed

  /// Whether ``noteNew(at:)`` may make a difference: most new files have names of their own.
  var awaitsNew: Bool {
    mutating get {
      // Asked for each new file, of which none is awaited most of the time.
      if newTime > 0, Clock.milliseconds >= newTime { newTime = 0 }
      return newTime > 0
    }
  }

  /// Whether the source of a file is known that is still at its path by what is known.
  func has(_ file: FileIdentity, at path: HashedPath) -> Bool {
    formers.value(of: path.key).map { $0.isPresent && $0.file == file } ?? false
  }

  /// What was seen last at a path.
  func last(at path: HashedPath) -> Former? { formers.value(of: path.key) }

  /// Remembers a source that was found at a path, unless it is ours, which a passing name has given
  /// to a file that has replaced another one since.
  mutating func noteFound(_ value: [UInt8], of file: FileIdentity, at path: HashedPath) {
    if isOwn(file), former(of: file, at: path) != nil { return }
    note(value, of: file, at: path, .followed)
  }

  /// A file has no source now.
  mutating func noteMissing(_ file: FileIdentity, at path: HashedPath) {
    if formers.value(of: path.key)?.file == file { remove(at: path) }
  }

  /// A file has a name that may have been another one's.
  mutating func noteReplacement(at path: HashedPath) { limit(path, to: Self.replacementAge) }

  mutating func noteDeletion(at path: HashedPath) {
    limit(path, to: Self.deletionAge) { $0.file = nil }
  }

  /// A file is written by a name that may have been another one's.
  mutating func noteNew(at path: HashedPath) { limit(path, to: Self.age) }

  /// Puts a source back that was taken away.
  mutating func restore(_ former: Former, at path: HashedPath) {
    set(former, at: path)
    limit(path, to: Self.replacementAge)
  }

  private mutating func limit(
    _ path: HashedPath, to age: Int, _ change: (inout Former) -> Void = { _ in }
  ) {
    guard var former = formers.value(of: path.key) else { return }
    let now = Clock.milliseconds
    guard former.end > now else {
      formers.remove(path.key)
      return
    }
    former.end = now + age
    change(&former)
    formers.replace(path.key, with: former)
    if age < Self.age { newTime = max(newTime, now + age) }
  }

  @discardableResult mutating func remove(at path: HashedPath) -> Former? {
    formers.remove(path.key)
  }

  /// Forgets the sources in directories.
  mutating func forget(in directories: Set<PathKey>) {
    guard directories.contains(where: { areIn($0) }) else { return }
    self.directories.recent.subtract(directories)
    self.directories.former.subtract(directories)
    for path in formers.keys
    where directories.contains(PathKey(HashedPath.directory(of: path.bytes))) {
      formers.remove(path)
    }
  }
}

/// A set whose elements are hashed when it is first asked for one: each file adds some, and few files ask.
private struct DeferredSet<Element: Hashable> {
  /// How many elements wait at most; the same may be inserted again and again.
  private static var limit: Int { 4096 }

  private var elements: Set<Element> = []
  private var added: [Element] = []

  /// How many were inserted, those counted twice that were inserted twice since it was last asked for one.
  var count: Int { elements.count + added.count }

  mutating func insert(_ element: Element) {
    // Files come by directories.
    guard element != added.last else { return }
    if added.count >= Self.limit { settle() }
    added.append(element)
  }

  mutating func contains(_ element: Element) -> Bool {
    settle()
    return elements.contains(element)
  }

  mutating func subtract(_ others: Set<Element>) {
    settle()
    elements.subtract(others)
  }

  private mutating func settle() {
    guard !added.isEmpty else { return }
    elements.formUnion(added)
    added.removeAll(keepingCapacity: true)
  }
}

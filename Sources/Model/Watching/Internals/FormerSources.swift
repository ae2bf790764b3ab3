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
    /// When it was seen last, in milliseconds.
    fileprivate let time: Int
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

  private var formers: [[UInt8]: Former] = [:]
  private var byteCount = 0
  /// How many are remembered in each directory.
  private var directories: [ArraySlice<UInt8>: Int] = [:]
  private var own: Set<FileIdentity> = []
  /// Until when files may replace those that were deleted or renamed, in milliseconds.
  private var newTime = 0

  /// How long a source is remembered.
  enum Term {
    /// Until something happens to the file; its directory is followed.
    case followed
    case unfollowed
    /// The file has been replaced.
    case replaced
  }

  /// Remembers a source. If there are too many, those are forgotten that were not seen for longest.
  mutating func note(
    _ value: [UInt8], of file: FileIdentity, at path: [UInt8], _ term: Term = .unfollowed
  ) {
    let now = Clock.milliseconds
    let end =
      switch term {
      case .followed: Int.max
      case .unfollowed: now + Self.age
      case .replaced: now + Self.replacementAge
      }
    set(Former(file: file, value: value, time: now, end: end), at: path)
  }

  private mutating func set(_ former: Former, at path: [UInt8]) {
    if formers.count >= Self.limit || byteCount > Self.byteLimit { forgetHalf() }
    let replaced = formers.updateValue(former, forKey: path)
    byteCount += former.value.count - (replaced?.value.count ?? -path.count)
    if replaced == nil { directories[Self.directory(of: path), default: 0] += 1 }
  }

  private mutating func forgetHalf() {
    let oldest = formers.map { ($0.value.time, $0.key) }.sorted { $0.0 < $1.0 }
    for (_, path) in oldest.prefix((oldest.count + 1) / 2) { remove(at: path) }
  }

  mutating func forgetAll() {
    formers.removeAll(keepingCapacity: true)
    directories.removeAll(keepingCapacity: true)
    byteCount = 0
  }

  var isHalfFull: Bool { formers.count >= Self.limit / 2 || byteCount > Self.byteLimit / 2 }

  /// Whether a source is remembered that was seen in the directory of a path.
  func areBeside(_ path: [UInt8]) -> Bool { directories[Self.directory(of: path)] != nil }

  static func directory(of path: [UInt8]) -> ArraySlice<UInt8> {
    path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
  }

  /// The source of the file that was seen last at a path, if that was another one.
  func former(of file: FileIdentity, at path: [UInt8]) -> Former? {
    guard let former = formers[path], former.file != file,
      Clock.milliseconds < former.end
    else { return nil }
    return former
  }

  /// Remembers that a file had no source before it got ours.
  mutating func noteOwn(_ file: FileIdentity) {
    if own.count >= Self.limit { own.removeAll(keepingCapacity: true) }
    own.insert(file)
  }

  func isOwn(_ file: FileIdentity) -> Bool { own.contains(file) }

  // MARK: What happens in directories that are followed

  /// Whether ``noteNew(at:)`` may make a difference: most new files have names of their own.
  var awaitsNew: Bool { Clock.milliseconds < newTime }

  /// Whether the source of a file is known that is still at its path by what is known.
  func has(_ file: FileIdentity, at path: [UInt8]) -> Bool {
    formers[path].map { $0.isPresent && $0.file == file } ?? false
  }

  /// What was seen last at a path.
  func last(at path: [UInt8]) -> Former? { formers[path] }

  /// Remembers a source that was found at a path, unless it is ours, which a passing name has given
  /// to a file that has replaced another one since.
  mutating func noteFound(_ value: [UInt8], of file: FileIdentity, at path: [UInt8]) {
    if isOwn(file), former(of: file, at: path) != nil { return }
    note(value, of: file, at: path, .followed)
  }

  /// A file has no source now.
  mutating func noteMissing(_ file: FileIdentity, at path: [UInt8]) {
    if formers[path]?.file == file { remove(at: path) }
  }

  /// A file has a name that may have been another one's.
  mutating func noteReplacement(at path: [UInt8]) { limit(path, to: Self.replacementAge) }

  mutating func noteDeletion(at path: [UInt8]) {
    limit(path, to: Self.deletionAge)
    formers[path]?.file = nil
  }

  /// A file is written by a name that may have been another one's.
  mutating func noteNew(at path: [UInt8]) { limit(path, to: Self.age) }

  /// Puts a source back that was taken away.
  mutating func restore(_ former: Former, at path: [UInt8]) {
    set(former, at: path)
    limit(path, to: Self.replacementAge)
  }

  private mutating func limit(_ path: [UInt8], to age: Int) {
    guard let former = formers[path] else { return }
    let now = Clock.milliseconds
    if former.end > now {
      formers[path]?.end = now + age
      if age < Self.age { newTime = max(newTime, now + age) }
    } else {
      remove(at: path)
    }
  }

  @discardableResult mutating func remove(at path: [UInt8]) -> Former? {
    guard let former = formers.removeValue(forKey: path) else { return nil }
    byteCount -= former.value.count + path.count
    let directory = Self.directory(of: path)
    let count = directories[directory, default: 1] - 1
    directories[directory] = count > 0 ? count : nil
    return former
  }

  /// Forgets the sources in directories.
  mutating func forget(in directories: Set<ArraySlice<UInt8>>) {
    guard directories.contains(where: { self.directories[$0] != nil }) else { return }
    for path in formers.keys.filter({ directories.contains(Self.directory(of: $0)) }) {
      remove(at: path)
    }
  }
}

internal import CGit2
internal import ForeignFormats

/// The name of an object.
struct ObjectName: Hashable {
  private let words: (UInt64, UInt64, UInt32)

  init(_ name: git_oid) {
    words = unsafe withUnsafeBytes(of: name.id) { bytes in
      unsafe (
        bytes.loadUnaligned(as: UInt64.self),
        bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
        bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self)
      )
    }
  }

  var value: git_oid {
    var name = git_oid()
    unsafe withUnsafeMutableBytes(of: &name.id) { bytes in
      unsafe bytes.storeBytes(of: words.0, as: UInt64.self)
      unsafe bytes.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
      unsafe bytes.storeBytes(of: words.2, toByteOffset: 16, as: UInt32.self)
    }
    return name
  }

  static func == (one: ObjectName, other: ObjectName) -> Bool { one.words == other.words }

  /// Names are spread evenly.
  func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}

/// A tree in memory.
@safe final class Tree {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe git_tree_free(pointer) }
}

/// A commit's place in the history.
struct CommitNode {
  let name: ObjectName
  let tree: ObjectName
  let parents: [ObjectName]
  /// When it was made, in seconds since 1970-01-01T00:00:00Z.
  let seconds: Int64
}

/// A repository with a work tree, opened for reading.
@safe final class OpenRepository {
  let pointer: OpaquePointer
  private let isShallow: Bool

  /// Opens the repository whose work tree is a directory.
  ///
  /// - Returns: `nil` if it has its work tree elsewhere or none, or if it belongs to another user and is not in
  ///   git's setting safe.directory.
  /// - Throws: `.missing` if there is none.
  init?(root: [UInt8]) throws(RepositoryFlaw) {
    var opened: OpaquePointer?
    let flags = GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue
    let result = unsafe (root + [0]).withUnsafeBytes { path in
      unsafe git_repository_open_ext(
        &opened, path.baseAddress?.assumingMemoryBound(to: CChar.self), flags, nil)
    }
    if result == GIT_ENOTFOUND.rawValue { throw .missing }
    if result == GIT_EOWNER.rawValue { return nil }
    try RepositoryFlaw.check(result)
    guard let opened = unsafe opened else { return nil }
    unsafe pointer = opened
    try RepositoryFlaw.check(unsafe cgit2_guard_objects(opened))
    isShallow = unsafe git_repository_is_shallow(opened) == 1
    guard unsafe git_repository_is_bare(opened) == 0,
      let directory = unsafe git_repository_workdir(opened),
      unsafe Self.bytes(directory) == root + (root.last == 0x2f ? [] : [0x2f])
    else { return nil }
  }

  deinit { unsafe git_repository_free(pointer) }

  static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// The commit that is checked out; `nil` before the first one.
  func head() throws(RepositoryFlaw) -> ObjectName? {
    var name = git_oid()
    let result = unsafe git_reference_name_to_id(&name, pointer, "HEAD")
    // Also of a branch that is not there yet.
    if result == GIT_ENOTFOUND.rawValue { return nil }
    try RepositoryFlaw.check(result)
    return ObjectName(name)
  }

  /// Reads a commit; `nil` if it has been left out of a shallow repository.
  func node(_ name: ObjectName) throws(RepositoryFlaw) -> CommitNode? {
    var id = name.value
    var found: OpaquePointer?
    let result = unsafe git_commit_lookup(&found, pointer, &id)
    if result == GIT_ENOTFOUND.rawValue, isShallow { return nil }
    try RepositoryFlaw.check(result)
    defer { unsafe git_commit_free(found) }
    guard let tree = unsafe git_commit_tree_id(found) else { return nil }
    var parents: [ObjectName] = []
    for number in 0..<(unsafe git_commit_parentcount(found)) {
      if let parent = unsafe git_commit_parent_id(found, number) {
        parents.append(ObjectName(unsafe parent.pointee))
      }
    }
    return CommitNode(
      name: name, tree: ObjectName(unsafe tree.pointee), parents: parents,
      seconds: unsafe git_commit_time(found))
  }

  func tree(_ name: ObjectName) throws(RepositoryFlaw) -> Tree? { try tree(name.value) }

  private func tree(_ name: git_oid) throws(RepositoryFlaw) -> Tree? {
    var name = name
    var found: OpaquePointer?
    try RepositoryFlaw.check(unsafe git_tree_lookup(&found, pointer, &name))
    return unsafe found.map { unsafe Tree($0) }
  }

  /// The tree that an entry is; `nil` if it is none, or there is no entry.
  func tree(of entry: OpaquePointer?) throws(RepositoryFlaw) -> Tree? {
    guard let entry = unsafe entry,
      unsafe git_tree_entry_filemode(entry) == GIT_FILEMODE_TREE,
      let name = unsafe git_tree_entry_id(entry)
    else { return nil }
    return try tree(unsafe name.pointee)
  }

  /// The most bytes of a name and of the first line of a message.
  private static let textLimit = 1000

  private static func text(_ words: UnsafePointer<CChar>?) -> String {
    guard let words = unsafe words else { return "" }
    return String(decoding: unsafe bytes(words).prefix(textLimit), as: UTF8.self)
  }

  /// What people know of a commit.
  func commit(_ name: ObjectName) throws(RepositoryFlaw) -> RepositoryRecord.Commit {
    var id = name.value
    var found: OpaquePointer?
    try RepositoryFlaw.check(unsafe git_commit_lookup(&found, pointer, &id))
    defer { unsafe git_commit_free(found) }
    let author = unsafe git_commit_author(found)
    return RepositoryRecord.Commit(
      identifier: ObjectName.digits(id),
      seconds: unsafe author.map { unsafe $0.pointee.when.time } ?? 0,
      author: unsafe Self.text(author.flatMap { unsafe UnsafePointer($0.pointee.name) }),
      subject: unsafe Self.text(git_commit_summary(found)))
  }
}

extension ObjectName {
  fileprivate static func digits(_ name: git_oid) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = unsafe withUnsafeBytes(of: name.id) { unsafe Array($0) }
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

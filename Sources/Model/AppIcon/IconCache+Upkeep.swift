internal import FileTree
internal import Glibc
internal import LinuxSystem

extension IconCache {
  /// In seconds. A fetch takes 15 seconds at most: the process that made an older temporary
  /// file has ended.
  static let temporaryLifetime: Int64 = 300

  /// Counts the files of the cache.
  ///
  /// - Throws: `IconCacheError` where a directory is not ours alone or cannot be read.
  package func statistics() throws(IconCacheError) -> CacheStatistics {
    var statistics = CacheStatistics()
    try visit { statistics.count($0) }
    return statistics
  }

  /// Removes the least recently used files until the cache is below its limits, and the temporary
  /// files that killed processes left.
  ///
  /// - Parameter now: in seconds since 1970-01-01T00:00:00Z.
  /// - Returns: a count of the removed files.
  @discardableResult
  package func prune(
    now: Int64, bytes: Int64 = byteLimit, entries: Int = entryLimit
  ) throws(IconCacheError) -> CacheStatistics {
    var kept: [CachedFile] = []
    var removed = CacheStatistics()
    try visit { file in
      if file.kind != .temporary {
        kept.append(file)
      } else if file.seconds + Self.temporaryLifetime < now, file.remove() {
        removed.count(file)
      }
    }
    kept.sort { ($0.seconds, $0.nanoseconds) < ($1.seconds, $1.nanoseconds) }
    var (count, size) = (kept.count, kept.reduce(0) { $0 + $1.size })
    for file in kept {
      guard count > entries || size > bytes else { break }
      count -= 1
      size -= file.size
      if file.remove() { removed.count(file) }
    }
    return removed
  }

  /// Removes every answer, icon and temporary file. Locks stay, as somebody may hold one.
  ///
  /// - Returns: a count of the removed files.
  @discardableResult
  package func clear() throws(IconCacheError) -> CacheStatistics {
    var removed = CacheStatistics()
    try visit { if $0.remove() { removed.count($0) } }
    return removed
  }

  /// Calls `body` with every file of the cache but locks and the tag.
  private func visit(_ body: (CachedFile) -> Void) throws(IconCacheError) {
    try visit(root, .temporary, body)
    if let icons = try icons(.reading) { try visit(icons, .icon, body) }
    guard let responses = try root.directory("http", .reading) else { return }
    let digits = "0123456789abcdef"
    for name in digits.flatMap({ first in digits.map { "\(first)\($0)" } }) {
      guard let directory = try responses.directory(name, .reading) else { continue }
      try visit(directory, .response, body)
    }
  }

  /// - Parameter kind: the kind of all regular files but those with a temporary file's name.
  private func visit(
    _ directory: PrivateDirectory, _ kind: CachedFile.Kind, _ body: (CachedFile) -> Void
  ) throws(IconCacheError) {
    do throws(TreeFailure) {
      let listing = try OpenDirectory(
        directory.descriptor, FilePath("."), path: directory.path, flags: O_NOFOLLOW)
      defer { listing.close() }
      while let entry = try listing.next() {
        let name = entry.name.bytes
        let isTemporary = TemporaryName.matches(name)
        guard entry.kind == .file, isTemporary || kind != .temporary,
          let file = CachedFile(isTemporary ? .temporary : kind, name, in: directory)
        else { continue }
        body(file)
      }
    } catch {
      throw IconCacheError(error.path, .errno(error.errno))
    }
  }
}

/// The number and size of the cache's files.
package struct CacheStatistics: Hashable, Sendable {
  /// Answers of servers, failures included.
  package internal(set) var responses = 0
  /// Finished icons.
  package internal(set) var icons = 0
  /// Files that were being written when their process ended, or are being written.
  package internal(set) var temporaryFiles = 0
  /// The length of all files together.
  package internal(set) var bytes: Int64 = 0

  package init() {}

  fileprivate mutating func count(_ file: CachedFile) {
    switch file.kind {
    case .response: responses += 1
    case .icon: icons += 1
    case .temporary: temporaryFiles += 1
    }
    bytes += file.size
  }

  package var entries: Int { responses + icons }
}

/// A file that the cache holds, as seen when its directory was read.
private struct CachedFile {
  enum Kind {
    case response
    case icon
    case temporary
  }

  let kind: Kind
  let size: Int64
  /// When it was last used or changed.
  let seconds: Int64
  let nanoseconds: Int64
  private let name: FilePath
  private let directory: PrivateDirectory

  /// - Returns: `nil` if the file has been removed meanwhile.
  init?(_ kind: Kind, _ name: ArraySlice<UInt8>, in directory: PrivateDirectory) {
    guard let name = FilePath(bytes: name) else { return nil }
    var status = stat()
    let result = unsafe name.withCString {
      unsafe fstatat(directory.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    guard result == 0 else { return nil }
    self.kind = kind
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
    self.name = name
    self.directory = directory
  }

  /// Whether it was there to be removed.
  func remove() -> Bool {
    unsafe name.withCString { unsafe unlinkat(directory.descriptor, $0, 0) } == 0
  }
}

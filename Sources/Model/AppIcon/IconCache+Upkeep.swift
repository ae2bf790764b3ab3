internal import Applications
internal import FileTree
internal import Glibc
internal import LinuxSystem

extension IconCache {
  /// A fetch takes 15 seconds at the most: an older temporary file has lost its process. In seconds.
  static let temporaryLifetime: Int64 = 300

  /// Counts what there is.
  ///
  /// - Throws: `IconCacheError` where a directory is not ours alone or cannot be read.
  public func statistics() throws(IconCacheError) -> CacheStatistics {
    var statistics = CacheStatistics()
    try visit { file in
      switch file.kind {
      case .response: statistics.responses += 1
      case .icon: statistics.icons += 1
      case .temporary: statistics.temporaryFiles += 1
      }
      statistics.bytes += file.size
    }
    return statistics
  }

  /// Brings the cache below its limits, the least recently used first, and removes what killed
  /// processes left.
  ///
  /// - Parameter now: in seconds since 1970-01-01T00:00:00Z.
  /// - Returns: what was removed.
  @discardableResult
  public func prune(
    now: Int64, bytes: Int64 = byteLimit, entries: Int = entryLimit
  ) throws(IconCacheError) -> CacheStatistics {
    var kept: [CachedFile] = []
    var removed = CacheStatistics()
    try visit { file in
      if file.kind != .temporary {
        kept.append(file)
      } else if file.seconds + Self.temporaryLifetime < now, file.remove() {
        removed.temporaryFiles += 1
        removed.bytes += file.size
      }
    }
    kept.sort { ($0.seconds, $0.nanoseconds) < ($1.seconds, $1.nanoseconds) }
    var (count, size) = (kept.count, kept.reduce(0) { $0 + $1.size })
    for file in kept {
      guard count > entries || size > bytes else { break }
      count -= 1
      size -= file.size
      guard file.remove() else { continue }
      if file.kind == .icon { removed.icons += 1 } else { removed.responses += 1 }
      removed.bytes += file.size
    }
    return removed
  }

  /// Removes every answer, icon and temporary file. Locks stay, as somebody may hold one.
  ///
  /// - Returns: what was removed.
  @discardableResult
  public func clear() throws(IconCacheError) -> CacheStatistics {
    var removed = CacheStatistics()
    try visit { file in
      guard file.remove() else { return }
      switch file.kind {
      case .response: removed.responses += 1
      case .icon: removed.icons += 1
      case .temporary: removed.temporaryFiles += 1
      }
      removed.bytes += file.size
    }
    return removed
  }

  /// Shows every file of the cache but locks and the tag.
  private func visit(_ body: (CachedFile) -> Void) throws(IconCacheError) {
    try visit(root, .temporary, body)
    if let icons = try icons(.reading) { try visit(icons, .icon, body) }
    guard let responses = try root.directory("http", .reading) else { return }
    let digits = Array("0123456789abcdef")
    for first in digits {
      for second in digits {
        guard let directory = try responses.directory("\(first)\(second)", .reading) else {
          continue
        }
        try visit(directory, .response, body)
      }
    }
  }

  /// - Parameter kind: what regular files are unless their names say that they are temporary.
  private func visit(
    _ directory: PrivateDirectory, _ kind: CachedFile.Kind, _ body: (CachedFile) -> Void
  ) throws(IconCacheError) {
    do throws(TreeFailure) {
      let listing = try OpenDirectory(
        directory.descriptor, FilePath("."), path: directory.path, flags: O_NOFOLLOW)
      defer { listing.close() }
      while let entry = try listing.next() {
        guard entry.kind == .file else { continue }
        let name = entry.name.bytes
        let isTemporary = TemporaryName.matches(name)
        guard isTemporary || kind != .temporary else { continue }
        if let file = CachedFile(isTemporary ? .temporary : kind, name, in: directory) {
          body(file)
        }
      }
    } catch {
      throw IconCacheError(error.path, .errno(error.errno))
    }
  }
}

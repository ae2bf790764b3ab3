internal import CGit2
internal import GitIndex
internal import Glibc
internal import LinuxSystem

/// Finds out of paths, as mostly is so, that they are tracked, and files as in the commit that is checked out,
/// without libgit2's index: of 11,000 files that takes 11 ms to read. libgit2 computes its checksum, which git
/// itself does not look at, either. What is said here holds with damage in other parts of the index: the
/// file has the status that was noted when its object was in the work tree, and the commit has that object.
enum CommittedPaths {
  /// The most bytes of an index: a million files have 100 MB.
  private static let limit = 256 << 20
  /// The object of an empty file.
  private static let empty: [UInt8] = [
    0xe6, 0x9d, 0xe2, 0x9b, 0xb2, 0xd1, 0xd6, 0x43, 0x4b, 0x8b,
    0x29, 0xae, 0x77, 0x5a, 0xd8, 0xc2, 0xe4, 0x8c, 0x53, 0x91,
  ]

  /// The paths, those of directories with a slash after them.
  ///
  /// - Returns: `nil` if something of a path is to be found out in another way.
  static func tracked(_ paths: [[UInt8]], in repository: OpenRepository) -> [[UInt8]]? {
    guard unsafe !cgit2_ignores_case(repository.pointer),
      let directory = unsafe git_repository_path(repository.pointer),
      let place = FilePath(bytes: unsafe OpenRepository.bytes(directory) + Array("index".utf8)),
      let descriptor = try? Descriptor.open(place)
    else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let matches = matches(of: paths, descriptor, Int(status.st_size))
    else { return nil }
    var tree: Tree?
    var tracked: [[UInt8]] = []
    for (path, match) in zip(paths, matches) {
      switch (match.entries.count, match.hasEntriesBelow) {
      case (0, true): tracked.append(path + [0x2f])
      case (1, false):
        if tree == nil { tree = try? repository.headTree() }
        guard let tree, isAsAdded(path, match.entries[0], before: status.st_mtim, repository),
          tree.has(match.entries[0], at: path)
        else { return nil }
        tracked.append(path)
      default: return nil
      }
    }
    return tracked
  }

  /// Finds paths in an index, which is mapped: to copy it takes twice as long as to look at it. Who cuts the file
  /// meanwhile ends this process, as with the packs that libgit2 maps.
  private static func matches(
    of paths: [[UInt8]], _ descriptor: CInt, _ size: Int
  ) -> [GitIndex.Match]? {
    guard 1...limit ~= size,
      let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0),
      unsafe start != MAP_FAILED
    else { return nil }
    defer { unsafe munmap(start, size) }
    let bytes = unsafe UnsafeBufferPointer(
      start: start.assumingMemoryBound(to: UInt8.self), count: size)
    return try? GitIndex.find(paths, in: unsafe bytes.span)
  }

  /// Whether a file has the status of its entry, so that git would not read its content.
  ///
  /// - Parameter written: when the index was: what has changed since, in the same moment, may have the same
  ///   status.
  private static func isAsAdded(
    _ path: [UInt8], _ entry: GitIndex.Entry, before written: timespec, _ repository: OpenRepository
  ) -> Bool {
    guard entry.stage == 0, !entry.isAssumedUnchanged, !entry.isNotInWorkTree, !entry.isIntended,
      let status = status(path, repository)
    else { return false }
    let (changed, modified) = (status.st_ctim, status.st_mtim)
    return mode(status) == entry.mode && status.st_size <= UInt32.max
      && UInt32(status.st_size) == entry.size && (entry.size > 0 || entry.object == empty)
      && GitIndex.Entry.Moment(modified) == entry.modified
      && GitIndex.Entry.Moment(changed) == entry.changed
      && UInt32(truncatingIfNeeded: status.st_ino) == entry.inode
      && status.st_uid == entry.user && status.st_gid == entry.group
      && (modified.tv_sec, modified.tv_nsec) < (written.tv_sec, written.tv_nsec)
  }

  /// The status of a file, unless the way to it leads over a link or into another repository.
  private static func status(_ path: [UInt8], _ repository: OpenRepository) -> stat? {
    guard let root = unsafe git_repository_workdir(repository.pointer) else { return nil }
    // With a slash at its end.
    let place = unsafe OpenRepository.bytes(root)
    var end = path.firstIndex(of: 0x2f)
    while let slash = end {
      let directory = place + path[..<slash]
      guard status(directory).map({ $0.st_mode & S_IFMT }) == S_IFDIR,
        status(directory + Array("/.git".utf8)) == nil
      else { return nil }
      end = path[(slash + 1)...].firstIndex(of: 0x2f)
    }
    return status(place + path)
  }

  private static func status(_ path: [UInt8]) -> stat? {
    guard let path = FilePath(bytes: path) else { return nil }
    var status = stat()
    return unsafe path.withCString { unsafe lstat($0, &status) } == 0 ? status : nil
  }

  /// As trees have it; `nil` of what is in no tree.
  private static func mode(_ status: stat) -> UInt32? {
    switch status.st_mode & S_IFMT {
    case S_IFREG: S_IFREG | (status.st_mode & S_IXUSR != 0 ? 0o755 : 0o644)
    case S_IFLNK: S_IFLNK
    default: nil
    }
  }
}

extension GitIndex.Entry.Moment {
  fileprivate init(_ time: timespec) {
    self.init(
      seconds: UInt32(truncatingIfNeeded: time.tv_sec),
      nanoseconds: UInt32(truncatingIfNeeded: time.tv_nsec))
  }
}

extension OpenRepository {
  /// The tree of the commit that is checked out; `nil` before the first one.
  func headTree() throws(RepositoryFlaw) -> Tree? {
    guard let head = try head(), let node = try node(head) else { return nil }
    return try tree(node.tree)
  }
}

extension Tree {
  /// Whether a file is in the tree as it is in the index.
  fileprivate func has(_ entry: GitIndex.Entry, at path: [UInt8]) -> Bool {
    var found: OpaquePointer?
    let result = unsafe (path + [0]).withUnsafeBytes { path in
      unsafe git_tree_entry_bypath(
        &found, pointer, path.baseAddress?.assumingMemoryBound(to: CChar.self))
    }
    guard result == 0, let name = unsafe git_tree_entry_id(found) else { return false }
    defer { unsafe git_tree_entry_free(found) }
    let object = unsafe withUnsafeBytes(of: name.pointee.id) { unsafe Array($0) }
    let mode = unsafe git_tree_entry_filemode_raw(found).rawValue
    return object == entry.object && mode == entry.mode
  }
}

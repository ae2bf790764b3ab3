internal import CGit2
internal import ForeignFormats
internal import Glibc

/// The index of a repository, compared with the commit that is checked out and with the files.
@safe struct WorkTree {
  /// No path on Linux is longer; in an index it may be.
  private static let pathLimit = Int(PATH_MAX)
  /// The most paths of an answer.
  private static let limit = 1_000_000

  private let repository: OpenRepository
  private let index: OpaquePointer
  private let deadline: Int

  init(of repository: OpenRepository, deadline: Int) throws(RepositoryFlaw) {
    self.repository = repository
    self.deadline = deadline
    var opened: OpaquePointer?
    try RepositoryFlaw.check(unsafe git_repository_index(&opened, repository.pointer))
    guard let opened = unsafe opened else { throw RepositoryFlaw(reason: "no index") }
    unsafe index = opened
  }

  /// Frees the index.
  func close() { unsafe git_index_free(index) }

  /// The tracked paths that are asked for, those of directories with a slash after them.
  func tracked(_ extent: RepositoryQuestion.Extent) throws(RepositoryFlaw) -> [[UInt8]] {
    switch extent {
    case .files(let files): return files.compactMap(tracked)
    case .entries(let directory):
      let prefix = directory.isEmpty ? [] : directory + [0x2f]
      var found: [[UInt8]] = []
      try forEachEntry(below: prefix) { path in
        let rest = path.dropFirst(prefix.count)
        let name = rest.prefix { $0 != 0x2f }
        let entry = prefix + name + (name.count < rest.count ? [0x2f] : [])
        if found.last != entry { found.append(entry) }
      }
      return found
    case .trees(let directories):
      var found: Set<[UInt8]> = []
      for directory in directories {
        let prefix = directory.isEmpty ? [] : directory + [0x2f]
        if let own = tracked(directory) { found.insert(own) }
        var last: [UInt8] = []
        try forEachEntry(below: prefix) { path in
          if path == last { return }
          found.insert(path)
          // The directories below the prefix that the path before has not had.
          var end = path.lastIndex(of: 0x2f)
          while let slash = end, slash >= prefix.count, !last.starts(with: path[...slash]) {
            found.insert(Array(path[...slash]))
            end = path[..<slash].lastIndex(of: 0x2f)
          }
          last = path
        }
      }
      return Array(found)
    }
  }

  /// A path as it is tracked, a file's or, with a slash after it, a directory's.
  private func tracked(_ path: [UInt8]) -> [UInt8]? {
    if path.isEmpty { return unsafe git_index_entrycount(index) > 0 ? [0x2f] : nil }
    var position = 0
    let isFile = unsafe Self.withText(path) { text in
      unsafe git_index_find(&position, index, text) == 0
    }
    if isFile || isConflicting(path) { return path }
    let directory = path + [0x2f]
    let isDirectory = unsafe Self.withText(directory) { text in
      unsafe git_index_find_prefix(&position, index, text) == 0
    }
    return isDirectory ? directory : nil
  }

  /// Whether the index has several versions of a file, of a merge that is not finished.
  private func isConflicting(_ path: [UInt8]) -> Bool {
    unsafe Self.withText(path) { text in
      (1...3).contains { unsafe git_index_get_bypath(index, text, $0) != nil }
    }
  }

  private func forEachEntry(
    below prefix: [UInt8], _ body: ([UInt8]) -> Void
  ) throws(RepositoryFlaw) {
    var position = 0
    if !prefix.isEmpty {
      let result = unsafe Self.withText(prefix) { text in
        unsafe git_index_find_prefix(&position, index, text)
      }
      if result == GIT_ENOTFOUND.rawValue { return }
      try RepositoryFlaw.check(result)
    }
    let start = position
    while let entry = unsafe git_index_get_byindex(index, position) {
      let path = unsafe OpenRepository.bytes(entry.pointee.path)
      guard path.starts(with: prefix) else { return }
      guard position - start < Self.limit else {
        throw RepositoryFlaw(reason: "more than \(Self.limit) files")
      }
      if path.count < Self.pathLimit, path.first != 0x2f, path.last != 0x2f { body(path) }
      position += 1
    }
  }

  /// Files that are not as in the commit that is checked out; with a slash after it, all that is below a
  /// directory.
  ///
  /// - Parameter paths: all that is below of directories, without slashes; none for all.
  func differences(
    _ paths: [[UInt8]], includesUntracked: Bool
  ) throws(RepositoryFlaw) -> [[UInt8]: RepositoryRecord.State] {
    var states: [[UInt8]: RepositoryRecord.State] = [:]
    let tree = try repository.headTree()
    let (pointer, index, end) = unsafe (repository.pointer, self.index, Int64(deadline))
    var staged: OpaquePointer?
    var changed: OpaquePointer?
    defer {
      unsafe git_diff_free(staged)
      unsafe git_diff_free(changed)
    }
    let result = unsafe Self.withList(paths) { list in
      var extent = unsafe cgit2_extent(paths: list, has_untracked: false, end: end)
      let result = unsafe cgit2_staged(&staged, pointer, tree?.pointer, index, &extent)
      unsafe extent.has_untracked = includesUntracked
      return unsafe result < 0 ? result : cgit2_changed(&changed, pointer, index, &extent)
    }
    try RepositoryFlaw.check(result)
    unsafe Self.collect(staged, as: .staged, &states)
    unsafe Self.collect(changed, as: .changed, &states)
    return states
  }

  private static func collect(
    _ diff: OpaquePointer?, as state: RepositoryRecord.State,
    _ states: inout [[UInt8]: RepositoryRecord.State]
  ) {
    for number in 0..<(unsafe git_diff_num_deltas(diff)) {
      guard let delta = unsafe git_diff_get_delta(diff, number) else { continue }
      let (status, old, new) = unsafe (
        delta.pointee.status, delta.pointee.old_file.path, delta.pointee.new_file.path
      )
      guard let path = unsafe new ?? old else { continue }
      states[unsafe OpenRepository.bytes(path)] =
        switch status {
        case GIT_DELTA_UNTRACKED: .untracked
        case GIT_DELTA_IGNORED: .ignored
        default: state
        }
    }
  }

  /// Whether a path that is not in the index is to be left out of it.
  func isIgnored(_ path: [UInt8]) throws(RepositoryFlaw) -> Bool {
    var isIgnored: CInt = 0
    try RepositoryFlaw.check(
      unsafe Self.withText(path) { text in
        unsafe git_ignore_path_is_ignored(&isIgnored, repository.pointer, text)
      })
    return isIgnored != 0
  }

  private static func withText<Result>(
    _ path: [UInt8], _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    unsafe (path + [0]).withUnsafeBytes { bytes in
      unsafe body(bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
    }
  }

  private static func withList<Result>(
    _ paths: [[UInt8]], _ body: (git_strarray) -> Result
  ) -> Result {
    var texts = unsafe paths.map { path in
      unsafe withText(path) { text in unsafe text.flatMap { unsafe strdup($0) } }
    }
    defer { for number in unsafe texts.indices { unsafe free(texts[number]) } }
    return unsafe texts.withUnsafeMutableBufferPointer { buffer in
      unsafe body(git_strarray(strings: buffer.baseAddress, count: buffer.count))
    }
  }
}

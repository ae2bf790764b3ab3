internal import Glibc
package import LinuxSystem

/// What .gitignore files say of the entries of a directory: those of the directory and of the
/// directories above it, up to the top of the repository.
///
/// What cannot be read says nothing, as in Git. A link is not followed.
struct IgnoreRules: Sendable {
  private struct List {
    let patterns: [IgnorePattern]
    /// How many bytes of a path lead to the directory of the patterns, with the slash.
    let leadCount: Int
  }

  /// The last counts first.
  private var lists: [List] = []

  /// The rules of a walk, and the path to its root from where they begin, with a slash after it
  /// unless it is empty.
  ///
  /// - Parameter directory: the descriptor of the root.
  static func above(_ root: FilePath, _ directory: CInt) -> (rules: IgnoreRules, lead: [UInt8]) {
    let none = IgnoreRules()
    let slash = UInt8(ascii: "/")
    let names = root.realPath?.bytes.split(separator: slash) ?? []
    var count = names.count
    func path(_ count: Int) -> FilePath? {
      FilePath(bytes: [slash] + names[..<count].joined(separator: [slash]))
    }
    func hasRepository(_ count: Int) -> Bool {
      path(count).map { TreeEntry.Kind(of: $0.appending(git), links: .noFollow) != nil } ?? false
    }
    guard !isRepository(directory) else { return (none.entering(directory, leadCount: 0), []) }
    while count >= 0, !hasRepository(count) { count -= 1 }
    guard count >= 0, count < names.count else {
      return (none.entering(directory, leadCount: 0), [])
    }
    var rules = none
    var lead: [UInt8] = []
    for end in count..<names.count {
      if let path = path(end), let handle = try? DirectoryHandle(AT_FDCWD, path, flags: 0) {
        rules = rules.entering(handle.descriptor, leadCount: lead.count)
      }
      lead += names[end] + [slash]
    }
    return (rules.entering(directory, leadCount: lead.count), lead)
  }

  /// The rules in a directory whose parent has these rules.
  ///
  /// Those of the directories above a repository do not count in the repository.
  func entering(_ directory: CInt, leadCount: Int) -> IgnoreRules {
    var rules = self
    if Self.isRepository(directory) {
      rules = IgnoreRules()
      rules.append(Self.exclude(directory), directory, leadCount)
    }
    rules.append(Self.file, directory, leadCount)
    return rules
  }

  /// Whether an entry is ignored, by the last pattern that it matches.
  ///
  /// - Parameters:
  ///   - path: from the directory where the rules begin.
  ///   - row: memory for matching, which the caller keeps.
  func ignore(_ path: [UInt8], isDirectory: Bool, _ row: inout [Bool]) -> Bool {
    for list in lists.reversed() {
      for pattern in list.patterns.reversed()
      where pattern.matches(path[list.leadCount...], isDirectory: isDirectory, &row) {
        return !pattern.isNegated
      }
    }
    return false
  }

  private mutating func append(_ file: FilePath, _ directory: CInt, _ leadCount: Int) {
    guard let text = Self.content(of: file, in: directory) else { return }
    let patterns = Self.patterns(in: text)
    if !patterns.isEmpty { lists.append(List(patterns: patterns, leadCount: leadCount)) }
  }

  private static func patterns(in text: [UInt8]) -> [IgnorePattern] {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let lines = (text.starts(with: mark) ? text.dropFirst(mark.count) : text[...])
      .split(separator: UInt8(ascii: "\n"))
    return lines.compactMap { line in
      IgnorePattern(line: line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }

  private static func content(of file: FilePath, in directory: CInt) -> [UInt8]? {
    guard let descriptor = try? Descriptor.open(file, in: directory, followsLink: false) else {
      return nil
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return try? Descriptor.read(descriptor, limit: limit)
  }

  private static func isRepository(_ directory: CInt) -> Bool {
    TreeEntry.Kind(directory, git, .noFollow) != nil
  }

  /// The file of rules that Git keeps for a repository. In a linked worktree, .git is a file that
  /// leads to the worktree's part of the repository, and `commondir` there to the rest; in a
  /// submodule, .git leads to the whole.
  private static func exclude(_ directory: CInt) -> FilePath {
    guard let place = place(in: git, directory, after: "gitdir: ") else {
      return git.appending(exclude)
    }
    guard let common = Self.place(in: place.appending(FilePath("commondir")), directory) else {
      return place.appending(exclude)
    }
    let isAbsolute = common.bytes.first == UInt8(ascii: "/")
    return (isAbsolute ? common : place.appending(common)).appending(exclude)
  }

  /// The path in a file of Git's that holds nothing else.
  private static func place(
    in file: FilePath, _ directory: CInt, after start: String = ""
  ) -> FilePath? {
    guard let text = content(of: file, in: directory), text.starts(with: start.utf8) else {
      return nil
    }
    let path = text.dropFirst(start.utf8.count).reversed().drop { $0 == 0x0a || $0 == 0x0d }
    return path.isEmpty ? nil : FilePath(bytes: path.reversed())
  }

  private static let git = FilePath(".git")
  private static let file = FilePath(".gitignore")
  private static let exclude = FilePath("info/exclude")
  /// The files are untrusted: a larger one is passed over.
  private static let limit = 16 << 20
}

/// Git's objects and index, where no walk goes that leaves version control out.
package enum GitStore {
  /// Whether a path leads to the objects or the index of a repository or worktree.
  package static func contains(_ path: FilePath) -> Bool {
    let name = path.lastComponent
    guard name.elementsEqual("objects".utf8) || name.elementsEqual("index".utf8),
      let kind = TreeEntry.Kind(of: path, links: .noFollow),
      mayBeCalled(name, isDirectory: kind == .directory)
    else { return false }
    let directory = path.prefix(name.startIndex > 1 ? name.startIndex - 1 : name.startIndex)
    return isRepository(directory) {
      TreeEntry.Kind(of: directory.appending(FilePath($0)), links: .noFollow) != nil
    }
  }

  static func mayBeCalled(_ name: ArraySlice<UInt8>, isDirectory: Bool) -> Bool {
    name.elementsEqual((isDirectory ? "objects" : "index").utf8)
  }

  /// Whether a directory is where Git keeps a repository or worktree: one called .git, one in
  /// .git/modules or .git/worktrees, or a bare repository.
  ///
  /// - Parameter has: whether the directory has an entry of a name.
  static func isRepository(_ directory: FilePath, has: (String) -> Bool) -> Bool {
    if directory.lastComponent.elementsEqual(".git".utf8) { return true }
    return has("HEAD") && (has("refs") || has("commondir"))
  }
}

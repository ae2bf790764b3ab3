internal import FileTree
internal import Glibc
internal import LinuxSystem
internal import Xattr

/// Where a user's documents are: below the watched directories, by names that patterns accept.
struct WatchedPlaces: Sendable {
  /// Where a written file is.
  enum Place {
    /// Not among the files that the user wants to have tagged.
    case elsewhere
    /// In a watched directory, but by a hidden name, as editors and archivers use until they rename
    /// the file, or by the name of a backup.
    case hidden
    /// A document, with its path for the attribute.
    case watched(path: [UInt8])
  }

  let directories: [WatchedDirectory]
  let globs: WatchGlobs

  private static let passedOver: [StaticString] = [
    "cache", "Cache", "caches", "Caches", "__pycache__", "node_modules", "CVS", "RCS", "SCCS",
    "_darcs",
  ]
  /// Archive managers (File Roller, Engrampa) have archives packed in a directory `.fr-XXXXXX` beside
  /// their last place.
  private static let workLead: StaticString = ".fr-"

  /// Where a file is, by its path without links.
  ///
  /// - Parameter isMarked: whether a directory or one above it is marked as a cache, up to the
  ///   directory whose path has `first` bytes.
  func place(
    of path: [UInt8], isMarked: (_ directory: ArraySlice<UInt8>, _ first: Int) -> Bool
  ) -> Place {
    directories: for directory in directories {
      guard let rest = directory.rest(of: path) else { continue }
      var start = rest.startIndex
      var isHidden = false
      while let slash = rest[start...].firstIndex(of: UInt8(ascii: "/")) {
        if rest[start..<slash].prefix(4).isText(Self.workLead) {
          isHidden = true
        } else if Self.isPassedOver(rest[start..<slash]) {
          // Another directory may be below.
          continue directories
        }
        start = slash + 1
      }
      if isMarked(path[..<(start - 1)], directory.path.count) { continue }
      if isHidden || Self.isHidden(rest[start...]) { return .hidden }
      let path = directory.documentPath(rest)
      return globs.accepts(path[...]) ? .watched(path: path) : .elsewhere
    }
    return .elsewhere
  }

  /// Whether documents may be in a directory below the watched ones, by its path without links.
  ///
  /// - Parameter isMarked: as for ``place(of:isMarked:)``.
  func mayHoldDocuments(
    _ directory: [UInt8], isMarked: (_ directory: ArraySlice<UInt8>, _ first: Int) -> Bool
  ) -> Bool {
    directories.contains { watched in
      watched.mayHoldDocuments(in: WatchedDirectory(realPath: directory, home: nil))
        && !isMarked(directory[...], watched.path.count)
    }
  }

  /// Whether a directory holds no documents, being hidden, a cache, or version control's.
  fileprivate static func isPassedOver(_ name: ArraySlice<UInt8>) -> Bool {
    name.first == UInt8(ascii: ".") || name.suffix(4).isText(".git")
      || passedOver.contains { name.isText($0) }
  }

  /// Whether a file is hidden, or an editor's backup: `letter.txt~`, `#letter.txt#`.
  private static func isHidden(_ name: ArraySlice<UInt8>) -> Bool {
    let mark = UInt8(ascii: "#")
    return name.first == UInt8(ascii: ".") || name.last == UInt8(ascii: "~")
      || name.first == mark && name.last == mark
  }
}

extension ArraySlice<UInt8> {
  fileprivate func isText(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe elementsEqual($0) }
  }
}

/// A directory whose new files are tagged.
struct WatchedDirectory: Hashable, Sendable {
  /// The path without links and without a slash at its end, so that `/` is empty.
  let path: [UInt8]
  /// What the path of a file in the attribute begins with: the directory's path below the home
  /// directory, or the user's name for a directory that really lies elsewhere.
  private let lead: [UInt8]

  private static let slash = UInt8(ascii: "/")

  /// - Parameters:
  ///   - home: the home directory without links; `nil` if there is none.
  ///   - name: the user's name for the directory, below the home directory.
  /// - Returns: `nil` if there is no such directory.
  init?(_ directory: FilePath, home: [UInt8]?, name: FilePath? = nil) {
    guard let path = Self.realPath(directory) else { return nil }
    self.init(realPath: path, home: home, name: name)
  }

  /// - Parameter path: the directory's path without links, and without a slash at its end.
  init(realPath path: [UInt8], home: [UInt8]?, name: FilePath? = nil) {
    self.path = path
    if let home, path == home {
      lead = []
    } else if let home, Self.isPath(path, below: home) {
      lead = path.dropFirst(home.count + 1) + [Self.slash]
    } else if let name, name.bytes.first != Self.slash {
      lead = name.bytes + [Self.slash]
    } else {
      lead = []
    }
  }

  /// Whether a path without links is below another one.
  static func isPath(_ path: [UInt8], below other: [UInt8]) -> Bool {
    path.starts(with: other + [slash])
  }

  var filePath: FilePath { Self.filePath(path) }

  /// The path of a directory from its form without a slash at the end.
  static func filePath(_ path: [UInt8]) -> FilePath {
    FilePath(bytes: path.isEmpty ? [slash] : path) ?? FilePath("/")
  }

  /// The path without links, and without a slash at its end.
  static func realPath(_ path: FilePath) -> [UInt8]? { path.realPath.map(LocalPaths.withoutSlash) }

  /// Whether documents in another directory are this one's, too.
  func mayHoldDocuments(in other: WatchedDirectory) -> Bool {
    rest(of: other.path).map { rest in
      !rest.split(separator: Self.slash).contains(where: WatchedPlaces.isPassedOver)
    } ?? false
  }

  /// The part of a file's path below the directory; `nil` for a file that is not below it.
  func rest(of path: [UInt8]) -> ArraySlice<UInt8>? {
    let count = self.path.count
    guard path.count > count + 1, path[count] == Self.slash,
      PathBytes(path[..<count]) == PathBytes(self.path)
    else { return nil }
    return path[(count + 1)...]
  }

  /// The path for the attribute of a file whose path below the directory is `rest`.
  func documentPath(_ rest: ArraySlice<UInt8>) -> [UInt8] {
    lead.isEmpty ? Array(rest) : lead + rest
  }
}

/// Directories that programs have marked as caches by a file `CACHEDIR.TAG`, which backup programs
/// heed; see <https://bford.info/cachedir/>.
///
/// To be used on one thread.
final class MarkedCaches {
  private static let name = "/CACHEDIR.TAG"
  private static let signature = Array("Signature: 8a477f597d28d172789f06886806bc55".utf8)
  /// How long answers are kept, in milliseconds: a program may write the first file before the
  /// mark.
  private static let age = 5000
  private static let limit = 4096

  private let account: UserAccount
  private var known: [PathKey: Bool] = [:]
  private var end = 0
  private var last: (directory: PathKey, isMarked: Bool)?

  /// - Parameter account: the user with whose rights the marks are read.
  init(_ account: UserAccount) { self.account = account }

  /// Whether a directory or one above it is marked.
  ///
  /// - Parameters:
  ///   - directory: its path, without links.
  ///   - first: the length of the path of the outermost directory that counts.
  func contain(_ directory: PathKey, _ first: Int) -> Bool {
    let now = Clock.milliseconds
    if now >= end || known.count >= Self.limit {
      known.removeAll(keepingCapacity: true)
      last = nil
      end = now + Self.age
    }
    // Files are often written one after the other into the same directory.
    if let last, last.directory == directory { return last.isMarked }
    let answer =
      known[directory]
      ?? FileRights.ofUser(account.user, group: account.group) { isMarked(directory, first) }
    last = (directory, answer)
    return answer
  }

  private func isMarked(_ directory: PathKey, _ first: Int) -> Bool {
    if let answer = known[directory] { return answer }
    let path = directory.bytes
    var answer = Self.hasMark(path)
    if !answer, path.count > first, let slash = path.lastIndex(of: UInt8(ascii: "/")),
      slash >= first
    {
      answer = isMarked(PathKey(path[..<slash]), first)
    }
    known[directory] = answer
    return answer
  }

  /// Whether a directory has a mark, which must not be a link; a FIFO of that name does not block.
  private static func hasMark(_ directory: ArraySlice<UInt8>) -> Bool {
    guard let path = FilePath(bytes: directory + Array(name.utf8)),
      let file = try? Descriptor.open(path, followsLink: false)
    else { return false }
    defer { close(file) }
    return unsafe withUnsafeTemporaryAllocation(byteCount: signature.count, alignment: 1) {
      let count = unsafe pread(file, $0.baseAddress, $0.count, 0)
      return unsafe count == signature.count && signature.elementsEqual($0)
    }
  }
}

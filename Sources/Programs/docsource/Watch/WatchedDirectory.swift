import LinuxSystem

/// A directory whose new files are tagged.
struct WatchedDirectory: Hashable, Sendable {
  /// Without links; no slash at its end, so that `/` is empty.
  let path: [UInt8]
  /// What stands before the rest of a file's path in the attribute: the directory's path below the
  /// home directory, as the user names it where it really lies elsewhere.
  private let lead: [UInt8]

  private static let slash = UInt8(ascii: "/")

  /// - Parameters:
  ///   - home: the home directory without links; `nil` where there is none.
  ///   - name: what the directory is called below the home directory, if anything.
  /// - Returns: `nil` where there is no such directory.
  init?(_ directory: FilePath, home: [UInt8]?, name: FilePath? = nil) {
    guard let path = Self.realPath(directory) else { return nil }
    self.path = path
    if let home, path == home {
      lead = []
    } else if let home, path.starts(with: home + [Self.slash]) {
      lead = path.dropFirst(home.count + 1) + [Self.slash]
    } else if let name, name.bytes.first != Self.slash {
      lead = name.bytes + [Self.slash]
    } else {
      lead = []
    }
  }

  var filePath: FilePath { Self.filePath(path) }

  /// The path of a directory that is written without a slash at its end.
  static func filePath(_ path: [UInt8]) -> FilePath {
    FilePath(bytes: path.isEmpty ? [slash] : path) ?? FilePath("/")
  }

  static func realPath(_ path: FilePath) -> [UInt8]? {
    NamedPath.realComponents(path).map { components in
      components.reduce(into: []) { $0 += [slash] + $1 }
    }
  }

  /// What follows the directory in the path of a file below it; `nil` for others.
  func rest(of path: [UInt8]) -> ArraySlice<UInt8>? {
    let count = self.path.count
    guard path.count > count + 1, path[count] == Self.slash, path.starts(with: self.path) else {
      return nil
    }
    return path[(count + 1)...]
  }

  /// The path for the attribute.
  func documentPath(_ rest: ArraySlice<UInt8>) -> [UInt8] { lead + rest }
}

internal import LinuxSystem

/// The path of a file, with keys for tables: many tables are asked for each file, and both its path
/// and that of its directory are hashed once.
struct HashedPath {
  let bytes: [UInt8]
  let key: PathKey
  let directory: PathKey

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    directory = PathKey(Self.directory(of: bytes[...]))
    key = PathKey(bytes, in: directory)
  }

  /// The path of the directory, without a slash at its end.
  static func directory(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)]
  }
}

/// A path as the key of a table.
///
/// Those of different paths nearly always have different hashes, which stand in the table itself.
struct PathKey: Hashable {
  private let path: PathBytes
  private let hash: Int

  /// The key of a directory.
  init(_ directory: ArraySlice<UInt8>) {
    path = PathBytes(directory)
    hash = path.hashValue
  }

  /// The key of a file in a directory.
  fileprivate init(_ file: [UInt8], in directory: PathKey) {
    path = PathBytes(file)
    var hasher = Hasher()
    hasher.combine(directory.hash)
    hasher.combine(PathBytes(file[directory.bytes.count...]))
    hash = hasher.finalize()
  }

  var bytes: ArraySlice<UInt8> { path.bytes }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  static func == (one: PathKey, other: PathKey) -> Bool {
    one.hash == other.hash && one.path == other.path
  }
}

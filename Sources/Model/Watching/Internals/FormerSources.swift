internal import FileTree
internal import LinuxSystem

/// The sources that were seen at paths, for files that replace those there: to save a document, most
/// editors write a new file and rename it.
///
/// To be used on one thread.
struct FormerSources {
  struct Former {
    let file: FileIdentity
    /// The attribute's value.
    let value: [UInt8]
    fileprivate let time: Int
  }

  private static let limit = 8192
  private static let byteLimit = 4 << 20
  /// How long a source is remembered after it was seen, in milliseconds: who writes a file of that
  /// name later may have deleted the former one.
  private static let age = 3_600_000

  private var formers: [[UInt8]: Former] = [:]
  private var byteCount = 0
  private var directories: Set<ArraySlice<UInt8>> = []
  private var own: Set<FileIdentity> = []

  /// Remembers a source. All are forgotten where there are too many.
  mutating func note(_ value: [UInt8], of file: FileIdentity, at path: [UInt8]) {
    if formers.count >= Self.limit || byteCount > Self.byteLimit {
      formers.removeAll(keepingCapacity: true)
      directories.removeAll(keepingCapacity: true)
      byteCount = 0
    }
    let former = Former(file: file, value: value, time: Clock.milliseconds)
    let replaced = formers.updateValue(former, forKey: path)
    byteCount += value.count - (replaced?.value.count ?? -path.count)
    if replaced == nil { directories.insert(Self.directory(of: path)) }
  }

  /// Whether a source is remembered that was seen in the directory of a path.
  func areBeside(_ path: [UInt8]) -> Bool { directories.contains(Self.directory(of: path)) }

  private static func directory(of path: [UInt8]) -> ArraySlice<UInt8> {
    path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
  }

  /// The source of the file that was seen last at a path, if that was another one.
  func former(of file: FileIdentity, at path: [UInt8]) -> Former? {
    guard let former = formers[path], former.file != file,
      Clock.milliseconds - former.time < Self.age
    else { return nil }
    return former
  }

  /// Remembers that a file had no source before it got ours.
  mutating func noteOwn(_ file: FileIdentity) {
    if own.count >= Self.limit { own.removeAll(keepingCapacity: true) }
    own.insert(file)
  }

  func isOwn(_ file: FileIdentity) -> Bool { own.contains(file) }
}

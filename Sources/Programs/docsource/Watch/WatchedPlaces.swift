import LinuxSystem
import Xattr

/// Where a user's documents are: below some directories, by names that patterns choose.
struct WatchedPlaces: Sendable {
  /// Where a file stands that was written.
  enum Place {
    /// Not where the user wants it to be looked at.
    case elsewhere
    /// There, but by a name that hides it, as editors use until they rename it.
    case hidden
    /// The path for the attribute.
    case watched(path: [UInt8])
  }

  let directories: [WatchedDirectory]
  private let globs: WatchGlobs

  private static let passedOver: [StaticString] = [
    "cache", "Cache", "caches", "Caches", "__pycache__", "node_modules", "CVS", "RCS", "SCCS",
    "_darcs",
  ]

  init(_ directories: [WatchedDirectory], _ globs: WatchGlobs) {
    self.directories = directories
    self.globs = globs
  }

  /// Where a file stands, by the path that the kernel has for it.
  ///
  /// - Parameter isMarked: whether a directory is marked as a cache, or one that it is in, but for
  ///   the first bytes of its path.
  func place(
    of path: [UInt8], isMarked: (_ directory: ArraySlice<UInt8>, _ first: Int) -> Bool
  ) -> Place {
    for directory in directories {
      guard let rest = directory.rest(of: path) else { continue }
      var start = rest.startIndex
      while let slash = rest[start...].firstIndex(of: UInt8(ascii: "/")) {
        if Self.isPassedOver(rest[start..<slash]) { return .elsewhere }
        start = slash + 1
      }
      if isMarked(path[..<(start - 1)], directory.path.count) { return .elsewhere }
      if rest[start] == UInt8(ascii: ".") { return .hidden }
      let path = directory.documentPath(rest)
      return globs.accepts(path[...]) ? .watched(path: path) : .elsewhere
    }
    return .elsewhere
  }

  /// Whether nothing below a directory is a document: it is hidden, a cache's or version control's.
  private static func isPassedOver(_ name: ArraySlice<UInt8>) -> Bool {
    name.first == UInt8(ascii: ".") || name.suffix(4).isText(".git")
      || passedOver.contains { name.isText($0) }
  }
}

extension ArraySlice<UInt8> {
  fileprivate func isText(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { unsafe elementsEqual($0) }
  }
}

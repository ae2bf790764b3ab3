import FileTree
import LinuxSystem
import Xattr

/// Which files a user wants to have tagged: by their names or, where a pattern has a slash, by
/// their paths below the home directory.
struct WatchGlobs: Sendable {
  private let included: [(glob: Glob, isOfPath: Bool)]
  private let excluded: [(glob: Glob, isOfPath: Bool)]

  /// - Throws: `GlobFlaw` of the first pattern that means nothing.
  init(include: [String], exclude: [String]) throws(GlobFlaw) {
    included = try Self.globs(include)
    excluded = try Self.globs(exclude)
  }

  private static func globs(
    _ patterns: [String]
  ) throws(GlobFlaw) -> [(glob: Glob, isOfPath: Bool)] {
    var globs: [(glob: Glob, isOfPath: Bool)] = []
    for pattern in patterns {
      globs.append((try Glob(Array(pattern.utf8)), pattern.contains("/")))
    }
    return globs
  }

  /// - Parameter path: below the home directory.
  func accepts(_ path: ArraySlice<UInt8>) -> Bool {
    if included.isEmpty && excluded.isEmpty { return true }
    let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)...]
    func matches(_ globs: [(glob: Glob, isOfPath: Bool)]) -> Bool {
      globs.contains { $0.glob.matches($0.isOfPath ? path : name) }
    }
    return (included.isEmpty || matches(included)) && !matches(excluded)
  }
}

/// Directories that are links to others, as `/bin` is to `/usr/bin`: packages have paths over either.
package struct PathAliases: Sendable {
  package typealias Alias = (link: [UInt8], target: [UInt8])

  private let aliases: [Alias]

  /// - Parameter aliases: absolute paths; those of the targets without links.
  package init(_ aliases: [Alias] = []) {
    self.aliases = aliases.filter { $0.link != $0.target }
  }

  /// A path without these links.
  package func canonical(_ path: [UInt8]) -> [UInt8] {
    for alias in aliases {
      if let rest = Self.rest(of: path, after: alias.link) { return alias.target + rest }
    }
    return path
  }

  /// All paths over these links that lead to a path without any, and that path.
  package func spellings(of path: [UInt8]) -> [[UInt8]] {
    var spellings = [path]
    for alias in aliases {
      guard let rest = Self.rest(of: path, after: alias.target) else { continue }
      let spelling = alias.link + rest
      if !spellings.contains(spelling) { spellings.append(spelling) }
    }
    return spellings
  }

  /// With what paths over these links may begin that lead to a directory without any, or below it.
  package func prefixes(of directory: [UInt8]) -> [[UInt8]] {
    spellings(of: directory)
      + aliases.filter { Self.rest(of: $0.target, after: directory)?.isEmpty == false }.map(\.link)
  }

  /// What follows a directory in a path, with the slash; `nil` if the path is not below.
  private static func rest(of path: [UInt8], after directory: [UInt8]) -> ArraySlice<UInt8>? {
    guard path.starts(with: directory) else { return nil }
    let rest = path[directory.count...]
    return rest.isEmpty || rest.first == UInt8(ascii: "/") ? rest : nil
  }
}

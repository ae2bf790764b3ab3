/// The files that packages have moved out of the way of their own: `diversions` of dpkg, three lines each.
package struct DpkgDiversions: Sendable {
  private struct Diversion {
    let from: [UInt8]
    let to: [UInt8]
    /// Whose files stay; `:` for the administrator, who has none.
    let package: [UInt8]
  }

  private var diversions: [Diversion] = []
  private var byPath: [[UInt8]: Int] = [:]

  package init(_ content: [UInt8] = []) {
    var lines: [[UInt8]] = []
    ByteSearch.forEachLine(in: content[...]) { line in
      lines.append(Array(line))
      if lines.count == 3 {
        byPath[lines[0]] = diversions.count
        diversions.append(Diversion(from: lines[0], to: lines[1], package: lines[2]))
        lines = []
      }
      return true
    }
  }

  /// Where the file is that a package has at a path.
  ///
  /// - Parameter package: its name, without the architecture.
  package func place(of path: [UInt8], in package: [UInt8]) -> [UInt8] {
    guard let position = byPath[path], diversions[position].package != package else { return path }
    return diversions[position].to
  }

  /// The paths at which packages may have what is at a path.
  package func sources(of path: [UInt8]) -> [[UInt8]] { sources { $0 == path } }

  func sources(_ isWanted: ([UInt8]) -> Bool) -> [[UInt8]] {
    diversions.filter { isWanted($0.to) }.map(\.from)
  }
}

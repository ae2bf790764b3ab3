internal import FileTree
internal import Glibc
package import LinuxSystem

/// A directory that a package may have installed.
package struct InstalledDirectory {
  /// More entries than any real directory of icons or applications has.
  private static let limit = 20_000

  package let path: FilePath

  package init(path: FilePath) { self.path = path }

  package var exists: Bool { TreeEntry.Kind(of: path, links: .follow) == .directory }

  /// The names in it by their bytes, those that are not UTF-8 left out; none where it cannot be read.
  package var names: [String] {
    var names: [String] = []
    do throws(TreeFailure) {
      let listing = try OpenDirectory(AT_FDCWD, path, path: path, flags: 0)
      defer { listing.close() }
      for _ in 0..<Self.limit {
        guard let entry = try listing.next() else { break }
        if let name = String(validating: entry.name.bytes, as: UTF8.self) {
          names.append(name)
        }
      }
    } catch {
      return []
    }
    return names.sorted()
  }
}

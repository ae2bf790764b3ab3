internal import FileTree
internal import Glibc
internal import Xattr

/// A directory that a package may have installed.
struct InstalledDirectory {
  /// More entries than any real directory of icons or applications has.
  private static let limit = 20_000

  let path: FilePath

  var exists: Bool { TreeEntry.Kind(of: path, links: .follow) == .directory }

  /// The names in it by their bytes, those that are not UTF-8 left out; none where it cannot be read.
  var names: [String] {
    var names: [String] = []
    do throws(TreeFailure) {
      let listing = try OpenDirectory(AT_FDCWD, path, path: path, flags: 0)
      defer { listing.close() }
      while names.count < Self.limit, let entry = try listing.next() {
        if let name = String(validating: entry.path.lastComponent, as: UTF8.self) {
          names.append(name)
        }
      }
    } catch {
      return []
    }
    return names.sorted()
  }
}

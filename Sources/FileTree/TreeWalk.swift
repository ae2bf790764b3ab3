internal import Glibc
public import Xattr

/// A walk over everything below a directory.
///
/// A directory is visited before what is in it, entries in the file system's order. Links are
/// visited, never followed. Every entry is reached relative to its directory's open descriptor, so
/// that swapping a component of the path for a link cannot lead the walk elsewhere. Memory and open
/// files grow with the depth alone.
public struct TreeWalk {
  /// Called with each entry.
  public typealias Visit = (TreeEntry) -> Void
  /// Called with each directory that cannot be read; the walk goes on.
  public typealias Failed = (TreeFailure) -> Void

  private var open: [OpenDirectory] = []

  private init() {}

  /// Walks all below a directory, itself not included.
  ///
  /// - Parameter links: whether `root` itself may be a link to a directory.
  /// - Throws: `TreeFailure` where `root` cannot be opened.
  public static func walk(
    below root: FilePath, links: Links, visit: Visit, failed: Failed
  ) throws(TreeFailure) {
    var walk = TreeWalk()
    walk.open.append(
      try OpenDirectory(AT_FDCWD, root, path: root, flags: links == .follow ? 0 : O_NOFOLLOW))
    defer { for directory in walk.open { directory.close() } }
    walk.run(visit, failed)
  }

  private mutating func run(_ visit: Visit, _ failed: Failed) {
    while let directory = open.last {
      guard let entry = next(in: directory, failed) else {
        open.removeLast().close()
        continue
      }
      visit(entry)
      guard entry.kind == .directory, case .entry(_, let name, let path, _) = entry.file else {
        continue
      }
      do throws(TreeFailure) {
        open.append(try OpenDirectory(directory.descriptor, name, path: path, flags: O_NOFOLLOW))
      } catch {
        failed(error)
      }
    }
  }

  private func next(in directory: OpenDirectory, _ failed: Failed) -> TreeEntry? {
    do throws(TreeFailure) {
      return try directory.next()
    } catch {
      failed(error)
      return nil
    }
  }
}

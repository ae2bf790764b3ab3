internal import Glibc
package import LinuxSystem

/// A directory being read, from its opening until `close`.
package final class OpenDirectory {
  package let path: FilePath
  private var handle: DirectoryHandle?
  private var listing = Listing(buffer: nil)

  /// Opens a directory relative to another, as openat(2).
  package init(_ parent: CInt, _ name: FilePath, path: FilePath, flags: CInt) throws(TreeFailure) {
    self.path = path
    do throws(Errno) {
      handle = try DirectoryHandle(parent, name, flags: flags)
    } catch {
      throw TreeFailure(path: path, errno: error)
    }
  }

  /// What is in it counts as read.
  package func close() { handle = nil }

  /// Reads the next entry that is neither `.` nor `..`; `nil` at the end.
  ///
  /// A failure to read ends the directory. The C function is getdents64(2).
  package func next() throws(TreeFailure) -> DirectoryEntry? {
    guard let handle else { return nil }
    do throws(Errno) {
      guard let record = try listing.nextRecord(handle.descriptor) else { return nil }
      return DirectoryEntry(
        kind: listing.kind(of: record, in: handle.descriptor), name: listing.name(of: record),
        inode: listing.inode(of: record))
    } catch {
      throw TreeFailure(path: path, errno: error)
    }
  }
}

internal import CLinux
internal import Glibc
package import LinuxSystem

/// A directory whose entries are read one by one.
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

  /// Closes the directory; `next` then returns `nil`.
  package func close() { handle = nil }

  /// Reads the next entry that is neither `.` nor `..`; `nil` at the end.
  ///
  /// After a failure no more entries are read. The C function is getdents64(2).
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

/// An entry of a directory that was read.
package struct DirectoryEntry: Sendable {
  package let kind: TreeEntry.Kind
  package let name: FilePath
  /// For a mount point, the inode of the directory under the mount.
  package let inode: UInt64
}

/// The descriptor of an open directory, closed with the last reference to it.
final class DirectoryHandle: Sendable {
  let descriptor: CInt

  /// Opens a directory relative to another, as openat(2).
  convenience init(_ parent: CInt, _ name: FilePath, flags: CInt) throws(Errno) {
    try self.init(unsafe name.withCString { unsafe clinux_directory_open(parent, $0, flags) })
  }

  /// Takes ownership of an open descriptor; throws where `result` is a negated errno.
  init(_ result: CInt) throws(Errno) {
    descriptor = result
    if descriptor < 0 { throw Errno(rawValue: -descriptor) }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The corresponding C function is fstat(2).
  func identity() throws(Errno) -> FileIdentity {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .current }
    return FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// Moves to where another descriptor of the directory stopped, as lseek(2).
  func seek(to position: Int64) throws(Errno) {
    if lseek(descriptor, off_t(position), SEEK_SET) < 0 { throw .current }
  }
}

/// Identifies a directory while it exists, whatever paths lead to it.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}

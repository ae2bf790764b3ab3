internal import CLinux
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

/// An entry of a directory, by its name there.
package struct DirectoryEntry: Sendable {
  package let kind: TreeEntry.Kind
  package let name: FilePath
  /// The number of its inode. Of a mount point it is that of the directory below the mount.
  package let inode: UInt64
}

/// The descriptor of an open directory, closed with the last reference to it.
final class DirectoryHandle: Sendable {
  let descriptor: CInt

  /// Opens a directory relative to another, as openat(2).
  init(_ parent: CInt, _ name: FilePath, flags: CInt) throws(Errno) {
    descriptor = unsafe name.withCString { unsafe clinux_directory_open(parent, $0, flags) }
    if descriptor < 0 { throw Errno(rawValue: -descriptor) }
  }

  /// Takes over an open descriptor, or the negated errno of opening it.
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

  /// Goes on reading where another descriptor of the directory stopped, as lseek(2).
  func seek(to position: Int64) throws(Errno) {
    if lseek(descriptor, off_t(position), SEEK_SET) < 0 { throw .current }
  }
}

/// What tells a directory from all others while it is there, whatever paths lead to it.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}

internal import CLinux
internal import Glibc
internal import LinuxSystem

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

internal import Glibc
package import LinuxSystem

/// A file that the user or a package may have put somewhere.
package struct InstalledFile {
  package let path: FilePath

  package init(path: FilePath) { self.path = path }

  /// Whether it is a regular file that may be read, perhaps through a link.
  package var exists: Bool { size != nil }

  /// In bytes; `nil` where it does not exist so.
  package var size: Int? {
    var status = stat()
    let isThere = unsafe path.withCString {
      unsafe stat($0, &status) == 0 && access($0, R_OK) == 0
    }
    return isThere && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Its content; `nil` where it cannot be read, is no regular file, or has more than `limit` bytes.
  package func content(limit: Int) -> [UInt8]? {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = unsafe path.withCString { unsafe open($0, flags) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    do throws(Errno) {
      return try Descriptor.read(descriptor, limit: limit)
    } catch {
      return nil
    }
  }
}

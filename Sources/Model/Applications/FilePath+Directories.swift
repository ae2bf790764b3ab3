internal import Glibc
package import LinuxSystem

extension FilePath {
  /// Makes the directory and those above it that are missing, for the user alone.
  ///
  /// The corresponding C function is mkdir(2).
  package func makeDirectories() throws(Errno) {
    let slash = UInt8(ascii: "/")
    for end in bytes.indices.dropFirst() where bytes[end] == slash || end == bytes.endIndex - 1 {
      guard let ancestor = FilePath(bytes: bytes[...end]) else { continue }
      let result = unsafe ancestor.withCString { unsafe mkdir($0, 0o700) }
      guard result == 0 || errno == EEXIST || ancestor.isDirectory else { throw .current }
    }
  }

  /// What exists may not be made anew even where that says EACCES or EROFS, which stays in errno.
  private var isDirectory: Bool {
    let errno = Glibc.errno
    let isThere = InstalledDirectory(path: self).exists
    Glibc.errno = errno
    return isThere
  }
}

internal import CLinux
internal import Glibc

/// A file that the user or a package may have put somewhere.
package struct InstalledFile {
  package let path: FilePath

  package init(path: FilePath) { self.path = path }

  /// Whether it is a regular file that may be read, perhaps through a link.
  package var exists: Bool { size != nil }

  /// In bytes; `nil` if it does not exist so.
  package var size: Int? {
    var status = stat()
    let isThere = unsafe path.withCString {
      unsafe stat($0, &status) == 0 && access($0, R_OK) == 0
    }
    return isThere && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  /// Its content; `nil` if it cannot be read, is no regular file, or has more than `limit` bytes.
  package func content(limit: Int) -> [UInt8]? {
    guard let descriptor = try? Descriptor.open(path) else { return nil }
    defer { close(descriptor) }
    return Descriptor.content(of: descriptor, limit: limit)
  }
}

/// A directory that a package may have installed.
package struct InstalledDirectory {
  /// More entries than any real directory of icons or applications has.
  private static let limit = 20_000

  package let path: FilePath

  package init(path: FilePath) { self.path = path }

  /// Whether it is there, perhaps through a link.
  package var exists: Bool {
    var status = stat()
    let isThere = unsafe path.withCString { unsafe stat($0, &status) } == 0
    return isThere && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The names of its entries as `listed` gives them; none if the directory cannot be read.
  package var names: [String] { (try? listed()) ?? [] }

  /// The names of its entries in the order of their bytes, without those that are not UTF-8; none
  /// if there is no directory.
  ///
  /// The corresponding C function is readdir(3).
  ///
  /// - Throws: why a directory that is there cannot be read.
  package func listed() throws(Errno) -> [String] {
    let descriptor = unsafe path.withCString { unsafe clinux_directory_open(AT_FDCWD, $0, 0) }
    guard descriptor >= 0 else {
      let errno = Errno(rawValue: -descriptor)
      if errno == .noSuchFile || errno == .notDirectory { return [] }
      throw errno
    }
    guard let listing = unsafe fdopendir(descriptor) else {
      let errno = Errno.current
      close(descriptor)
      throw errno
    }
    defer { unsafe closedir(listing) }
    var names: [String] = []
    var count = 0
    while count < Self.limit {
      errno = 0
      guard let entry = unsafe readdir(listing) else {
        // An end without all entries is as if nothing could be read.
        if errno != 0 { throw .current }
        break
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe FilePath(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name == FilePath(".") || name == FilePath("..") { continue }
      count += 1
      if let name = String(validating: name.bytes, as: UTF8.self) { names.append(name) }
    }
    return names.sorted()
  }
}

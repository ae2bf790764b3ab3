internal import Glibc
internal import LinuxSystem

extension FilePlace {
  /// Finds out whether a file could be put beside this one, and changes nothing.
  ///
  /// - Throws: `Errno` as `write` does.
  func rehearseWriting(
    _ bytes: [UInt8], to path: [[UInt8]], replacing former: NeighbourFile?
  ) throws(Errno) {
    let isDone = try withDirectory(path.dropLast()) { (directory) throws(Errno) -> Bool? in
      guard let last = path.last, let name = FilePath(bytes: last) else {
        throw .invalidArgument
      }
      try FileReplacement(of: name, in: directory).rehearse(bytes)
      return true
    }
    guard isDone != nil else { throw .noSuchFile }
    if former != nil { try rehearseRemoval(of: path) }
  }

  /// Finds out whether a file beside this one could be removed, or replaced, and changes nothing.
  ///
  /// rmdir(2) of a file that is no directory fails with ENOTDIR, but only after the kernel has made
  /// the checks of unlink(2) and rename(2): the rights to the directory, its sticky bit, flags of
  /// both, and the mount.
  ///
  /// - Throws: `Errno` as `remove` and `write` do.
  func rehearseRemoval(of components: [[UInt8]]) throws(Errno) {
    let refusal = try withDirectory(components.dropLast()) { (directory) throws(Errno) -> Errno? in
      guard let name = components.last.flatMap({ FilePath(bytes: $0) }) else { return nil }
      let result = unsafe name.withCString { unsafe unlinkat(directory, $0, AT_REMOVEDIR) }
      let errno = Errno.current
      return result == 0 || errno == .notDirectory || errno == .noSuchFile ? nil : errno
    }
    if let refusal { throw refusal }
  }
}

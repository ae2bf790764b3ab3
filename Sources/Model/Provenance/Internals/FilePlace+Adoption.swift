internal import CLinux
internal import Glibc
internal import LinuxSystem

extension FilePlace {
  /// Waits until the file's attributes are on the disk.
  ///
  /// The corresponding C function is fsync(2).
  func synchronize() throws(Errno) {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let result = try withDirectory([]) { (directory) throws(Errno) -> CInt? in
      guard let name = FilePath(bytes: name) else { throw .noSuchFile }
      let file = unsafe name.withCString { unsafe openat(directory, $0, flags) }
      guard file >= 0 else { throw .current }
      defer { close(file) }
      var status = stat()
      guard unsafe fstat(file, &status) == 0 else { throw .current }
      guard isSame(status) else { throw .noSuchFile }
      guard fsync(file) == 0 else { throw .current }
      return 0
    }
    guard result != nil else { throw .noSuchFile }
  }

  /// Removes a file beside this one, unless it is another by now, and the directories that are
  /// empty then and have no other use.
  ///
  /// - Returns: whether it was removed.
  func remove(_ path: NeighbourPath) throws(Errno) -> Bool {
    guard try unlink(path.components[...], expecting: path.version) else { return false }
    guard let firstFolder = path.firstFolder else { return true }
    for end in (firstFolder + 1..<path.components.count).reversed() {
      guard try unlink(path.components[..<end], expecting: nil) else { break }
    }
    return true
  }

  /// - Parameter version: that of a file; `nil` for a directory, which stays where it is not empty.
  private func unlink(
    _ components: ArraySlice<[UInt8]>, expecting version: FileVersion?
  ) throws(Errno) -> Bool {
    let removed = try withDirectory(components.dropLast()) { (directory) throws(Errno) -> Bool? in
      guard let name = components.last.flatMap({ FilePath(bytes: $0) }) else { return false }
      if let version {
        guard FileVersion(of: name, in: directory) == version else { return false }
      }
      let flags = version == nil ? AT_REMOVEDIR : 0
      let result = unsafe name.withCString { unsafe unlinkat(directory, $0, flags) }
      guard result == 0 || version == nil else { throw .current }
      return result == 0
    }
    return removed ?? false
  }
}

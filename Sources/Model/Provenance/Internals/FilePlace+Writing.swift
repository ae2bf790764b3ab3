internal import Glibc
internal import LinuxSystem

extension FilePlace {
  /// Puts a file beside this one at once: others see what was there before, or all of it.
  ///
  /// The new file gets this file's permissions, and its owner where that can be.
  ///
  /// - Parameter version: what is replaced; `nil` where nothing is there.
  /// - Throws: EEXIST where something else is there by now.
  ///
  /// The corresponding C function is fsync(2), besides those of `FileReplacement`.
  func write(
    _ bytes: [UInt8], to path: [[UInt8]], replacing version: FileVersion?
  ) throws(Errno) {
    let isDone = try withDirectory(path.dropLast()) { (directory) throws(Errno) -> Bool? in
      guard let last = path.last, let name = FilePath(bytes: last) else {
        throw .invalidArgument
      }
      try FileReplacement(of: name, in: directory).put(
        bytes, expecting: version.map { .version($0) } ?? .nothing, isDurable: true
      ) { file, _ in
        _ = fchown(file, owner, group)
        fchmod(file, mode & 0o666)
      }
      return true
    }
    guard isDone != nil else { throw .noSuchFile }
  }
}

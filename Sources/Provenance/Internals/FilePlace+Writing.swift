internal import CDirectory
internal import Glibc
internal import Xattr

extension FilePlace {
  /// Puts a file beside this one at once: others see what was there before, or all of it.
  ///
  /// It gets this file's permissions, and its owner where that can be.
  ///
  /// - Parameter version: what is replaced; `nil` where nothing is there.
  /// - Throws: EEXIST where something else is there by now.
  ///
  /// The corresponding C functions are fsync(2) and renameat2(2).
  func write(
    _ bytes: [UInt8], to path: [[UInt8]], replacing version: FileVersion?
  ) throws(Errno) {
    let isDone = try withDirectory(path.dropLast()) { (directory) throws(Errno) -> Bool? in
      guard let last = path.last, let name = FilePath(bytes: last) else {
        throw .invalidArgument
      }
      let number = UInt64.random(in: .min ... .max)
      let temporary = FilePath(".docsource-\(String(number, radix: 36))")
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let file = unsafe temporary.withCString { unsafe openat(directory, $0, flags, 0o600) }
      guard file >= 0 else { throw .current }
      defer {
        close(file)
        _ = unsafe temporary.withCString { unsafe unlinkat(directory, $0, 0) }
      }
      try Descriptor.write(bytes, to: file)
      _ = fchown(file, owner, group)
      fchmod(file, mode & 0o666)
      guard fsync(file) == 0 else { throw .current }
      try Self.put(temporary, name, in: directory, replacing: version)
      return true
    }
    guard isDone != nil else { throw .noSuchFile }
  }

  private static func put(
    _ temporary: FilePath, _ name: FilePath, in directory: CInt, replacing version: FileVersion?
  ) throws(Errno) {
    if let version {
      var status = stat()
      let found = unsafe name.withCString {
        unsafe fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW)
      }
      guard found == 0, FileVersion(status) == version else { throw .fileExists }
      let result = unsafe temporary.withCString { temporary in
        unsafe name.withCString { unsafe renameat(directory, temporary, directory, $0) }
      }
      guard result == 0 else { throw .current }
    } else {
      let result = unsafe temporary.withCString { temporary in
        unsafe name.withCString { unsafe cdirectory_put(directory, temporary, $0) }
      }
      guard result == 0 else { throw Errno(rawValue: -result) }
    }
  }
}

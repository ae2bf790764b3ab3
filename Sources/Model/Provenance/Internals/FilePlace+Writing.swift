internal import CLinux
internal import Glibc
internal import LinuxSystem

extension FilePlace {
  /// Puts a file beside this one at once: others see what was there before, or all of it.
  ///
  /// It gets this file's permissions, and its owner where that can be.
  ///
  /// The file gets its name when it is complete. Where the file system has no files without names,
  /// and where one is replaced, it has another name before, which only SIGKILL can leave there.
  ///
  /// - Parameter version: what is replaced; `nil` where nothing is there.
  /// - Throws: EEXIST where something else is there by now.
  ///
  /// The corresponding C functions are open(2) with O_TMPFILE, fsync(2), linkat(2) and
  /// renameat2(2).
  func write(
    _ bytes: [UInt8], to path: [[UInt8]], replacing version: FileVersion?
  ) throws(Errno) {
    let isDone = try withDirectory(path.dropLast()) { (directory) throws(Errno) -> Bool? in
      guard let last = path.last, let name = FilePath(bytes: last) else {
        throw .invalidArgument
      }
      let unnamed = unsafe clinux_file_unnamed(directory, ".")
      if unnamed >= 0 {
        defer { close(unnamed) }
        try fill(unnamed, with: bytes)
        if try Self.link(unnamed, name, in: directory, replacing: version) { return true }
      }
      try HeldSignals.during { () throws(Errno) in
        try writeNamed(bytes, to: name, in: directory, replacing: version)
      }
      return true
    }
    guard isDone != nil else { throw .noSuchFile }
  }

  private func fill(_ file: CInt, with bytes: [UInt8]) throws(Errno) {
    try Descriptor.write(bytes, to: file)
    _ = fchown(file, owner, group)
    fchmod(file, mode & 0o666)
    guard fsync(file) == 0 else { throw .current }
  }

  private static func temporaryName() -> FilePath {
    FilePath(".docsource-\(String(UInt64.random(in: .min ... .max), radix: 36))")
  }

  private static func remove(_ name: FilePath, in directory: CInt) {
    _ = unsafe name.withCString { unsafe unlinkat(directory, $0, 0) }
  }

  /// - Returns: `false` where a file that had none cannot be given a name.
  private static func link(
    _ file: CInt, _ name: FilePath, in directory: CInt, replacing version: FileVersion?
  ) throws(Errno) -> Bool {
    guard let version else {
      let result = unsafe name.withCString { unsafe clinux_file_link(file, directory, $0) }
      if result == -EEXIST { throw .fileExists }
      return result == 0
    }
    let temporary = temporaryName()
    var result: CInt = 0
    try HeldSignals.during { () throws(Errno) in
      result = unsafe temporary.withCString { unsafe clinux_file_link(file, directory, $0) }
      guard result == 0 else { return }
      defer { remove(temporary, in: directory) }
      try put(temporary, name, in: directory, replacing: version)
    }
    return result == 0
  }

  private func writeNamed(
    _ bytes: [UInt8], to name: FilePath, in directory: CInt, replacing version: FileVersion?
  ) throws(Errno) {
    let temporary = Self.temporaryName()
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = unsafe temporary.withCString { unsafe openat(directory, $0, flags, 0o600) }
    guard file >= 0 else { throw .current }
    defer {
      close(file)
      Self.remove(temporary, in: directory)
    }
    try fill(file, with: bytes)
    try Self.put(temporary, name, in: directory, replacing: version)
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
        unsafe name.withCString { unsafe clinux_file_put(directory, temporary, $0) }
      }
      guard result == 0 else { throw Errno(rawValue: -result) }
    }
  }
}

internal import Glibc
internal import LinuxSystem

/// An open directory of the user's to which nobody else may write.
///
/// Its files are reached relative to its descriptor and never through a symbolic link.
final class PrivateDirectory: Sendable {
  let path: FilePath
  let descriptor: CInt

  /// Opens `name` below an open directory.
  ///
  /// The corresponding C functions are openat(2), mkdirat(2) and fstat(2).
  ///
  /// - Returns: `nil` if the directory is missing and `access` is `reading`.
  static func open(
    _ name: String, in parent: CInt, path: FilePath, _ access: IconCache.Access
  ) throws(IconCacheError) -> PrivateDirectory? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    var descriptor = unsafe openat(parent, name, flags)
    if descriptor < 0, errno == ENOENT {
      guard access == .writing else { return nil }
      guard unsafe mkdirat(parent, name, 0o700) == 0 || errno == EEXIST else {
        throw IconCacheError(path, .errno(.current))
      }
      descriptor = unsafe openat(parent, name, flags)
    }
    guard descriptor >= 0 else {
      let isLink = errno == ELOOP || errno == ENOTDIR
      throw IconCacheError(path, isLink ? .notDirectory : .errno(.current))
    }
    let directory = PrivateDirectory(descriptor, path)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw IconCacheError(path, .errno(.current))
    }
    guard status.st_uid == geteuid() else { throw IconCacheError(path, .notOurs) }
    guard status.st_mode & 0o022 == 0 else { throw IconCacheError(path, .notPrivate) }
    if access == .writing, status.st_mode & 0o777 != 0o700 { fchmod(descriptor, 0o700) }
    return directory
  }

  private init(_ descriptor: CInt, _ path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// Opens a directory in this one.
  func directory(
    _ name: String, _ access: IconCache.Access
  ) throws(IconCacheError) -> PrivateDirectory? {
    try Self.open(name, in: descriptor, path: path.appending(FilePath(name)), access)
  }

  /// Opens a regular file of ours and gives its status; `nil` if there is none.
  ///
  /// A FIFO in the file's place does not block.
  func file(_ name: String) -> (descriptor: CInt, status: stat)? {
    guard let file = try? Descriptor.open(FilePath(name), in: descriptor, followsLink: false) else {
      return nil
    }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid()
    else {
      close(file)
      return nil
    }
    return (file, status)
  }

  /// Marks an open file as used now, unless it was within the hour: that is near enough to tell
  /// what is not used, and spares most readers a write.
  ///
  /// The corresponding C function is futimens(3).
  func touch(_ file: CInt, _ status: stat) {
    if Int64(status.st_mtim.tv_sec) + 3600 < Int64(time(nil)) { futimens(file, nil) }
  }

  func remove(_ name: String) { unsafe unlinkat(descriptor, name, 0) }

  /// Puts a file there at once: readers see the old content, or the new, or none.
  func replace(_ name: String, with bytes: [UInt8]) throws(IconCacheError) {
    do throws(Errno) {
      try FileReplacement(of: FilePath(name), in: descriptor).put(bytes)
    } catch {
      throw IconCacheError(path.appending(FilePath(name)), .errno(error))
    }
  }
}

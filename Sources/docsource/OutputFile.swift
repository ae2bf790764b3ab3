import Glibc
import Xattr

/// A file to write a result to.
struct OutputFile {
  /// Why it could not be written.
  struct Failure: Error {
    let errno: Errno

    var reason: String { errno.description.lowercased() }
  }

  private let path: FilePath

  init(_ path: FilePath) { self.path = path }

  /// Writes the file anew, or over the one that is there, as a shell's `>` does: owner, mode, links
  /// and attributes of an existing file stay, and what is no regular file is written to.
  ///
  /// Room is reserved before anything is overwritten, so that a full disk leaves the old content. A
  /// new file that cannot be written whole is removed.
  ///
  /// The corresponding C functions are open(2), posix_fallocate(3) and ftruncate(2).
  func replace(with bytes: [UInt8]) throws(Failure) {
    let new = unsafe path.withCString {
      unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    if new >= 0 {
      defer { close(new) }
      do throws(Failure) {
        try write(bytes, to: new)
      } catch {
        _ = unsafe path.withCString { unsafe unlink($0) }
        throw error
      }
      return
    }
    guard Errno.current == .fileExists else { throw Failure(errno: .current) }
    let old = unsafe path.withCString { unsafe open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666) }
    guard old >= 0 else { throw Failure(errno: .current) }
    defer { close(old) }
    try overwrite(old, with: bytes)
  }

  private func overwrite(_ descriptor: CInt, with bytes: [UInt8]) throws(Failure) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Failure(errno: .current) }
    guard status.st_mode & S_IFMT == S_IFREG else { return try write(bytes, to: descriptor) }
    let reserved = posix_fallocate(descriptor, 0, off_t(bytes.count))
    guard reserved == 0 || reserved == EOPNOTSUPP || reserved == EINVAL else {
      ftruncate(descriptor, status.st_size)
      throw Failure(errno: Errno(rawValue: reserved))
    }
    try write(bytes, to: descriptor)
    guard ftruncate(descriptor, off_t(bytes.count)) == 0 else { throw Failure(errno: .current) }
  }

  private func write(_ bytes: [UInt8], to descriptor: CInt) throws(Failure) {
    do throws(Errno) {
      try Descriptor.write(bytes, to: descriptor)
    } catch {
      throw Failure(errno: error)
    }
  }
}

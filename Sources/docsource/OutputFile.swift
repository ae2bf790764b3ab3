import Glibc
import Xattr

/// A file that is written whole or not at all.
struct OutputFile {
  /// Why it could not be written; the file is as it was.
  struct Failure: Error {
    let errno: Errno

    var reason: String { errno.description.lowercased() }
  }

  private let path: FilePath

  init(_ path: FilePath) { self.path = path }

  /// Writes a temporary file beside it and renames that, so that a reader sees the old content or
  /// the new, and a full disk loses nothing. What exists and is no regular file is written to.
  ///
  /// The corresponding C functions are open(2), fsync(2) and rename(2).
  func replace(with bytes: [UInt8]) throws(Failure) {
    var status = stat()
    let exists = unsafe path.withCString { unsafe stat($0, &status) } == 0
    if exists && status.st_mode & S_IFMT != S_IFREG {
      return try write(bytes, to: path, O_WRONLY | O_CLOEXEC, 0)
    }
    guard let temporary = FilePath(bytes: path.bytes + Array(".\(getpid()).tmp".utf8)) else {
      throw Failure(errno: .invalidArgument)
    }
    do throws(Failure) {
      let mode = exists ? status.st_mode & 0o7777 : 0o666
      try write(bytes, to: temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      let renamed = unsafe temporary.withCString { from in
        unsafe path.withCString { unsafe rename(from, $0) }
      }
      guard renamed == 0 else { throw Failure(errno: .current) }
    } catch {
      if error.errno != .fileExists { _ = unsafe temporary.withCString { unsafe unlink($0) } }
      throw error
    }
  }

  private func write(
    _ bytes: [UInt8], to path: FilePath, _ flags: CInt, _ mode: mode_t
  ) throws(Failure) {
    let descriptor = unsafe path.withCString { unsafe open($0, flags, mode) }
    guard descriptor >= 0 else { throw Failure(errno: .current) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw Failure(errno: .current)
      }
    }
    // A pipe or terminal has nothing to be synchronised and says so.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
      throw Failure(errno: .current)
    }
  }
}

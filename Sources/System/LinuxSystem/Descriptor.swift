internal import CLinux
internal import Glibc

/// Opening, reading and writing files, whatever interrupts.
package enum Descriptor {
  /// Opens a file that somebody else may have put there, to read it: a FIFO does not block, and a
  /// terminal does not become this process's.
  ///
  /// The corresponding C function is openat(2).
  ///
  /// - Parameters:
  ///   - directory: where a path that is not absolute begins; `nil` for the working directory.
  ///   - followsLink: whether the path may be that of a symbolic link.
  ///   - keepsAccessTime: whether reading leaves no trace, for which the file must be this user's.
  package static func open(
    _ path: FilePath, in directory: CInt? = nil, followsLink: Bool = true,
    keepsAccessTime: Bool = false
  ) throws(Errno) -> CInt {
    let flags =
      O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLink ? 0 : O_NOFOLLOW)
      | (keepsAccessTime ? CInt(clinux_no_access_time) : 0)
    let descriptor = unsafe path.withCString { unsafe openat(directory ?? AT_FDCWD, $0, flags) }
    guard descriptor >= 0 else { throw .current }
    return descriptor
  }

  /// Whether a descriptor is that of a pipe with a name in a file system, a FIFO, of which the
  /// other end may never be opened. A pipe without a name, as shells make them, is in a file system
  /// of its own.
  ///
  /// The corresponding C functions are fstat(2) and fstatfs(2).
  package static func isNamedPipe(_ descriptor: CInt) -> Bool {
    var file = stat()
    guard unsafe fstat(descriptor, &file) == 0, file.st_mode & S_IFMT == S_IFIFO else {
      return false
    }
    var status = clinux_status()
    return unsafe clinux_file_status(descriptor, &status) != 0 || status.magic != pipeFileSystem
  }

  /// Whether a descriptor is that of a device that need not end, such as /dev/zero. Users end what
  /// they type on a terminal, and /dev/null has nothing.
  ///
  /// The corresponding C functions are fstat(2) and isatty(3).
  package static func isDevice(_ descriptor: CInt) -> Bool {
    var file = stat()
    guard unsafe fstat(descriptor, &file) == 0 else { return false }
    switch file.st_mode & S_IFMT {
    case S_IFBLK: return true
    case S_IFCHR: return file.st_rdev != nullDevice && isatty(descriptor) == 0
    default: return false
    }
  }

  /// Linux's number of /dev/null.
  private static let nullDevice: dev_t = 0x103

  /// Linux's PIPEFS_MAGIC.
  private static let pipeFileSystem: UInt64 = 0x5049_5045

  /// Calls the system until a call is not interrupted.
  ///
  /// - Parameter call: gives a negative number where it fails, with the reason in errno.
  package static func retrying(_ call: () -> Int) throws(Errno) -> Int {
    while true {
      let result = call()
      if result >= 0 { return result }
      let errno = Errno.current
      guard errno.rawValue == EINTR else { throw errno }
    }
  }

  /// Writes all bytes. Retries EINTR and short writes.
  ///
  /// The corresponding C function is write(2).
  package static func write(_ bytes: [UInt8], to descriptor: CInt) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(
        try retrying {
          unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        })
    }
  }

  /// Another descriptor of the same open file, which no program that is started gets.
  ///
  /// The corresponding C function is fcntl(2) with `F_DUPFD_CLOEXEC`.
  package static func copy(_ descriptor: CInt) throws(Errno) -> CInt {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .current }
    return copy
  }

  /// Waits until the disk has what was written. A file system that cannot tell is not waited for.
  ///
  /// The corresponding C function is fsync(2).
  package static func sync(_ descriptor: CInt) throws(Errno) {
    do throws(Errno) {
      _ = try retrying { Int(fsync(descriptor)) }
    } catch .invalidArgument {
      return
    }
  }

  /// Reserves room for the first bytes of a file, where the file system can.
  ///
  /// The corresponding C function is fallocate(2).
  package static func reserve(_ count: Int, in descriptor: CInt) throws(Errno) {
    guard count > 0 else { return }
    let result = clinux_file_reserve(descriptor, off_t(count))
    guard result == 0 || result == -EOPNOTSUPP else { throw Errno(rawValue: -result) }
  }

  /// Reads to the end; `nil` if there are more than `limit` bytes, of which a regular file's are not
  /// read.
  ///
  /// The corresponding C function is read(2).
  package static func read(_ descriptor: CInt, limit: Int) throws(Errno) -> [UInt8]? {
    let size = size(of: descriptor)
    if let size, size - max(0, Int(lseek(descriptor, 0, SEEK_CUR))) > limit { return nil }
    // One byte more than a file's size finds its end.
    var bytes = try readBlock(descriptor, most: min(limit, size ?? 1 << 16) + 1)
    while true {
      guard bytes.count <= limit else { return nil }
      let block = try readBlock(descriptor, most: 1 << 16)
      if block.isEmpty { return bytes }
      bytes += block
    }
  }

  /// What is left of a regular file; `nil` if it cannot be read, is no regular file, or has more
  /// than `limit` bytes.
  package static func content(of descriptor: CInt, limit: Int) -> [UInt8]? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return (try? read(descriptor, limit: limit)) ?? nil
  }

  /// The size of a regular file; `nil` if it is not known, or zero as in /proc.
  ///
  /// The corresponding C function is fstat(2).
  package static func size(of descriptor: CInt) -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size > 0
    else { return nil }
    return Int(status.st_size)
  }

  /// Reads what is there; nothing at the end. Retries EINTR.
  ///
  /// - Parameter most: the most bytes that are read.
  ///
  /// The corresponding C function is read(2).
  package static func readBlock(
    _ descriptor: CInt, most: Int = 1 << 16
  ) throws(Errno) -> [UInt8] {
    var outcome = Result<Int, Errno>.success(0)
    let block = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
      do throws(Errno) {
        filled = try retrying { unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
      } catch {
        outcome = .failure(error)
      }
    }
    _ = try outcome.get()
    return block
  }

  /// Closes several, a run of successive numbers in one call; negative ones are none.
  ///
  /// The corresponding C functions are close_range(2) and close(2).
  package static func close(_ descriptors: [CInt]) {
    unsafe clinux_file_close_all(descriptors, descriptors.count)
  }
}

/// A file without a name, gone when its descriptor is closed.
package enum TemporaryFile {
  /// Makes one on the file system of a directory, which does not change.
  ///
  /// The corresponding C function is open(2) with O_TMPFILE.
  package static func open(in directory: FilePath) throws(Errno) -> CInt {
    let descriptor = unsafe directory.withCString {
      unsafe clinux_file_unnamed(AT_FDCWD, $0, 0o600)
    }
    guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
    return descriptor
  }

  package static func close(_ descriptor: CInt) { Glibc.close(descriptor) }

  /// Gives its owner, who is this user, back the permissions that it was made with.
  ///
  /// The corresponding C function is fchmod(2).
  package static func makeWritable(_ descriptor: CInt) { fchmod(descriptor, 0o600) }

  /// There is no room for it, or no /tmp.
  package struct Failure: Error, CustomStringConvertible {
    package let errno: Errno

    package var description: String { "cannot create a temporary file in /tmp: \(errno)" }
  }

  /// Makes one in /tmp.
  ///
  /// The corresponding C functions are open(2) with O_TMPFILE, and mkstemp(3) where the file system
  /// has none of that.
  package static func open() throws(Failure) -> CInt {
    if let descriptor = try? open(in: FilePath("/tmp")) { return descriptor }
    var template = Array("/tmp/docsource-XXXXXX\0".utf8)
    let descriptor = unsafe template.withUnsafeMutableBytes { bytes in
      guard let path = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return CInt(-1)
      }
      let descriptor = unsafe mkstemp(path)
      if descriptor >= 0 {
        unsafe unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      }
      return descriptor
    }
    guard descriptor >= 0 else { throw Failure(errno: .current) }
    return descriptor
  }
}

/// A file in memory that a program reads or writes: neither side waits for the other, as at a pipe.
package final class MemoryFile: Sendable {
  package let descriptor: CInt

  /// The corresponding C function is memfd_create(2).
  ///
  /// - Parameter content: what the program reads.
  package init(_ content: [UInt8] = []) throws(Errno) {
    descriptor = unsafe clinux_file_memory("docsource")
    guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
    try Descriptor.write(content, to: descriptor)
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// All of it; `nil` if it has more than `limit` bytes.
  package func content(limit: Int) throws(Errno) -> [UInt8]? {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .current }
    return try Descriptor.read(descriptor, limit: limit)
  }

  /// Closes it to writing for all who have it, such as children of the program.
  ///
  /// The corresponding C function is fcntl(2) with `F_ADD_SEALS`.
  package func seal() { clinux_file_seal(descriptor) }
}

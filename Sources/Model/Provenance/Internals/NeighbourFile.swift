internal import Glibc
internal import LinuxSystem

/// An open regular file that may hold marks of another.
final class NeighbourFile {
  let length: Int
  let owner: uid_t
  let device: dev_t
  let inode: ino_t
  /// When the content was last changed, in seconds since 1970.
  let modified: Double
  let version: FileVersion
  private let descriptor: CInt

  /// Takes the descriptor over; `nil` where it is no regular file's.
  init?(_ descriptor: CInt) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    length = Int(status.st_size)
    owner = status.st_uid
    device = status.st_dev
    inode = status.st_ino
    modified = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    version = FileVersion(status)
  }

  deinit { close(descriptor) }

  /// The bytes of a range, fewer where the file ends before. Retries EINTR.
  ///
  /// The corresponding C function is pread(2).
  func bytes(_ range: Range<Int>) throws(Errno) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < range.count {
      var result = 0
      let block = unsafe [UInt8](
        unsafeUninitializedCapacity: min(1 << 16, range.count - bytes.count)
      ) { buffer, count in
        let offset = off_t(range.lowerBound + bytes.count)
        result = unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset)
        count = max(0, result)
      }
      if result < 0 {
        let errno = Errno.current
        guard errno.rawValue == EINTR else { throw errno }
      } else if result == 0 {
        break
      }
      bytes += block
    }
    return bytes
  }
}

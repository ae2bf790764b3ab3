import Glibc
import LinuxSystem

/// What tells whether a file is another than before, without reading it.
struct FileFingerprint: Hashable {
  let owner: UInt32
  private let device: UInt64
  private let inode: UInt64
  private var size: Int
  private var times: [Int]

  /// - Returns: `nil` where there is none.
  init?(_ path: FilePath) {
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else { return nil }
    owner = status.st_uid
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    times = [
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
      status.st_ctim.tv_nsec,
    ]
  }

  /// Of a directory whatever is in it.
  var withoutTimes: FileFingerprint {
    var copy = self
    copy.size = 0
    copy.times = []
    return copy
  }
}

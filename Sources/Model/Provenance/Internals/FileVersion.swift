internal import Glibc

/// Which file it is, and whether it is still the same.
struct FileVersion: Hashable, Sendable {
  private let device: dev_t
  private let inode: ino_t
  private let size: off_t
  private let modified: [Int]
  private let changed: [Int]

  init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }
}

internal import Glibc
internal import LinuxSystem

/// A file that the cache holds, as seen when its directory was read.
struct CachedFile {
  enum Kind {
    case response
    case icon
    case temporary
  }

  let kind: Kind
  let size: Int64
  /// When it was last used or changed.
  let seconds: Int64
  let nanoseconds: Int64
  private let name: FilePath
  private let directory: PrivateDirectory

  /// - Returns: `nil` where it is gone meanwhile.
  init?(_ kind: Kind, _ name: ArraySlice<UInt8>, in directory: PrivateDirectory) {
    guard let name = FilePath(bytes: name) else { return nil }
    var status = stat()
    let result = unsafe name.withCString {
      unsafe fstatat(directory.descriptor, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    guard result == 0 else { return nil }
    self.kind = kind
    size = Int64(status.st_size)
    seconds = Int64(status.st_mtim.tv_sec)
    nanoseconds = Int64(status.st_mtim.tv_nsec)
    self.name = name
    self.directory = directory
  }

  /// Whether it was there to be removed.
  func remove() -> Bool {
    unsafe name.withCString { unsafe unlinkat(directory.descriptor, $0, 0) } == 0
  }
}

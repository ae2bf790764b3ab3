internal import CLinux
package import Glibc

/// What a file is, who may write it and where it lies.
package struct FileStatus {
  package enum Kind: String {
    case file = "regular file"
    case directory
    case link = "symbolic link"
    case fifo = "FIFO"
    case socket
    case characterDevice = "character device"
    case blockDevice = "block device"

    fileprivate init(mode: UInt32) {
      self =
        switch mode & S_IFMT {
        case S_IFDIR: .directory
        case S_IFLNK: .link
        case S_IFIFO: .fifo
        case S_IFSOCK: .socket
        case S_IFCHR: .characterDevice
        case S_IFBLK: .blockDevice
        default: .file
        }
    }

    /// Linux stores no user attributes on other kinds.
    package var carriesAttributes: Bool { self == .file || self == .directory }
  }

  /// The numbers of a device.
  package struct Device: Hashable {
    package let major: UInt32
    package let minor: UInt32
  }

  package let kind: Kind
  /// The permissions, with the sticky bit and those beside it.
  package let mode: UInt32
  package let owner: UInt32
  package let group: UInt32
  package let isImmutable: Bool
  package let isAppendOnly: Bool
  package let isOnReadOnlyMount: Bool
  /// Whether its file system has no block left, or does not count blocks.
  package let isOnFullFileSystem: Bool
  /// The number of its mount; 0 where the kernel does not tell.
  package let mount: UInt64
  package let device: Device
  /// The number of its file system's type.
  package let magic: UInt64
  /// Where it really lies; `nil` without /proc.
  package let realPath: FilePath?

  /// The corresponding C functions are statx(2) and fstatfs(2). Nothing is opened for reading.
  package init(_ path: FilePath, links: Links) throws(Errno) {
    try self.init(of: .path(path, links: links))
  }

  package init(of file: FileReference) throws(Errno) {
    let file = try HeldFile(file)
    defer { extendLifetime(file) }
    let descriptor = file.descriptor
    var status = clinux_status()
    let result = unsafe clinux_file_status(descriptor, &status)
    guard result == 0 else { throw Errno(rawValue: -result) }
    kind = Kind(mode: status.mode)
    mode = status.mode & 0o7777
    owner = status.owner
    group = status.group
    isImmutable = status.immutable == 1
    isAppendOnly = status.append_only == 1
    isOnReadOnlyMount = status.read_only == 1
    isOnFullFileSystem = status.full == 1
    mount = status.mount
    device = Device(major: status.device_major, minor: status.device_minor)
    magic = status.magic
    realPath = FilePath("/proc/self/fd/\(descriptor)").linkTarget
  }

  /// A directory on the same mount: the file itself, or the one that it stands in. `nil` if that is
  /// another mount's, as a single file may be a mount.
  package var directory: FilePath? {
    guard kind != .directory else { return realPath }
    guard let realPath,
      let directory = FilePath(bytes: realPath.bytes[..<realPath.lastComponent.startIndex]),
      let status = try? FileStatus(directory, links: .follow), status.mount == mount,
      status.device == device
    else { return nil }
    return directory
  }

  /// Whether the permissions let a user write it, access control lists left out.
  package func permitsWriting(by user: UInt32, in groups: [UInt32]) -> Bool {
    if user == 0 { return true }
    if user == owner { return mode & S_IWUSR != 0 }
    return mode & (groups.contains(group) ? S_IWGRP : S_IWOTH) != 0
  }
}

extension stat {
  /// Whether both are of one file, under whatever names.
  package func isSameFile(as other: stat) -> Bool {
    st_dev == other.st_dev && st_ino == other.st_ino
  }
}

internal import Glibc
public import Xattr

/// A file or directory met on a walk.
public struct TreeEntry: Sendable {
  /// What an entry is; links, FIFOs, sockets and devices are `other`.
  public enum Kind: Sendable {
    case file, directory, other

    /// The kind of a file, or `nil` where it cannot be told. The C function is fstatat(2).
    public init?(of path: FilePath, links: Links) {
      self.init(AT_FDCWD, path, links)
    }

    /// The kind by a directory's record of type `DT_`, which some file systems leave to fstatat(2).
    init(_ type: CInt, _ directory: CInt, _ name: FilePath) {
      self =
        switch type {
        case CInt(DT_REG): .file
        case CInt(DT_DIR): .directory
        case CInt(DT_UNKNOWN): TreeEntry.Kind(directory, name, .noFollow) ?? .other
        default: .other
        }
    }

    init?(_ directory: CInt, _ name: FilePath, _ links: Links) {
      var status = stat()
      let flags = links == .follow ? 0 : AT_SYMLINK_NOFOLLOW
      let result = unsafe name.withCString { unsafe fstatat(directory, $0, &status, flags) }
      guard result == 0 else { return nil }
      switch status.st_mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .directory
      default: self = .other
      }
    }
  }

  public let kind: Kind
  /// The entry relative to its directory's descriptor, which is open during the visit only.
  public let file: FileReference

  /// The path from where the walk began, for messages.
  public var path: FilePath { file.path }
}

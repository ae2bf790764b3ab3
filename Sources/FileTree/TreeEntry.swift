public import Xattr

/// A file or directory met on a walk.
public struct TreeEntry: Sendable {
  /// What an entry is; links, FIFOs, sockets and devices are `other`.
  public enum Kind: Sendable {
    case file, directory, other
  }

  public let kind: Kind
  /// The entry relative to its directory's descriptor, which is open during the visit only.
  public let file: FileReference

  /// The path from where the walk began, for messages.
  public var path: FilePath { file.path }
}

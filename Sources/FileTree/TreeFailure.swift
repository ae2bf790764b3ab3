public import Xattr

/// A directory that could not be walked.
public struct TreeFailure: Error, Sendable {
  public let path: FilePath
  public let errno: Errno

  /// Why, in words that follow "cannot read the directory: ".
  public var reason: String {
    switch errno {
    case .tooManyOpenFiles: "too many open files; raise the limit with 'ulimit -n'"
    default: errno.description.lowercased()
    }
  }
}

public import LinuxSystem

/// A directory that could not be walked, or not to its end.
public struct TreeFailure: Error, Sendable {
  /// What stood in the way.
  public struct Cause: Hashable, Sendable {
    private enum Value { case errno, replaced, moved, ancestor }
    private let value: Value

    /// A system call failed.
    public static let errno = Cause(value: .errno)
    /// What was a directory when its name was read no longer was when it was opened.
    public static let replaced = Cause(value: .replaced)
    /// While its entries were read it, or a directory above it, was moved or removed or closed to
    /// us, and it could not be reached again; the rest of what is below it was passed over.
    public static let moved = Cause(value: .moved)
    /// It is one of the directories above it, by a bind mount; walking it would never end.
    public static let ancestor = Cause(value: .ancestor)
  }

  public let path: FilePath
  public let errno: Errno
  public let cause: Cause

  init(path: FilePath, errno: Errno, cause: Cause = .errno) {
    self.path = path
    self.errno = errno
    self.cause = cause
  }

  /// Why, in words that follow "cannot read the directory: ".
  public var reason: String {
    switch (cause, errno) {
    case (.replaced, _): "it was replaced by something else meanwhile"
    case (.moved, _): "it was moved while it was read, so the rest is left out"
    case (.ancestor, _): "it is mounted below itself"
    case (_, .tooManyOpenFiles): "too many open files; raise the limit with 'ulimit -n'"
    default: errno.description.lowercased()
    }
  }
}

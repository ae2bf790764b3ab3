public import LinuxSystem

/// Why the cache cannot be used.
public struct IconCacheError: Error, Hashable, Sendable {
  public enum Cause: Hashable, Sendable {
    /// Neither XDG_CACHE_HOME nor HOME names a place.
    case noPlace
    /// A system call failed.
    case errno(Errno)
    /// It is a symbolic link or no directory.
    case notDirectory
    /// It belongs to somebody else.
    case notOurs
    /// Others may write to it.
    case notPrivate
    /// The content is longer than 2 MiB.
    case tooLarge
    /// The response must not be kept.
    case notStorable
    /// Another process has been at work on the same URL for too long.
    case busy
  }

  /// What it is about; empty where there is no place.
  public let path: FilePath
  public let cause: Cause

  init(_ path: FilePath, _ cause: Cause) {
    self.path = path
    self.cause = cause
  }

  /// In words that follow the path.
  public var reason: String {
    switch cause {
    case .noPlace: "neither XDG_CACHE_HOME nor HOME is set to an absolute path"
    case .errno(let errno): errno.description.lowercased()
    case .notDirectory: "it is a symbolic link, or no directory"
    case .notOurs: "it belongs to another user"
    case .notPrivate: "other users may write to it"
    case .tooLarge: "the content is longer than \(CacheEntry.bodyLimit >> 20) MiB"
    case .notStorable: "the server forbids keeping it"
    case .busy: "another process has been fetching it for too long"
    }
  }
}

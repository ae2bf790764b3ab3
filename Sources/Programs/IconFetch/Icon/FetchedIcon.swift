public import LinuxSystem

/// A finished icon.
public enum FetchedIcon: Hashable, Sendable {
  /// In the cache.
  case cached(FilePath)
  /// A PNG that is not kept: the server forbids it, or the cache cannot be written to.
  case unkept([UInt8])
}

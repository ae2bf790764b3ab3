public import Xattr

/// A finished icon.
public enum FetchedIcon: Hashable, Sendable {
  /// In the cache.
  case cached(FilePath)
  /// A PNG whose picture the server forbids keeping.
  case unkept([UInt8])
}

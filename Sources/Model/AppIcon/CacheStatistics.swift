/// What the cache holds.
public struct CacheStatistics: Hashable, Sendable {
  /// Answers of servers, failures included.
  public internal(set) var responses = 0
  /// Finished icons.
  public internal(set) var icons = 0
  /// Files that were being written when their process ended, or are being written.
  public internal(set) var temporaryFiles = 0
  /// The length of all files together.
  public internal(set) var bytes: Int64 = 0

  /// Nothing.
  public init() {}

  public var entries: Int { responses + icons }
}

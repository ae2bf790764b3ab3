/// When the network is asked.
public enum FetchMode: Hashable, Sendable {
  /// Where the cache has nothing, or nothing fresh.
  case usual
  /// Even where the cache has something fresh, and where a failure is remembered.
  case refresh
  /// Never.
  case offline
}

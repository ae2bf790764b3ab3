/// A URL that may be fetched, as far as can be told before its host is looked up.
public struct FetchTarget: Hashable, Sendable {
  /// As given.
  public let url: String
  /// In lower case, without the dot of the root.
  public let host: String
  public let port: UInt16
}

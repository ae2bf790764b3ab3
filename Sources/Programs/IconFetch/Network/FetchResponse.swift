public import AppIcon

/// What a server answered: the whole body, or that it has not changed.
public struct FetchResponse: Hashable, Sendable {
  /// An answer that led to another URL.
  public struct Redirect: Hashable, Sendable {
    public let status: Int
    public let fields: HTTPHeaderFields
  }

  /// 200, or 304 where the request had validators.
  public let status: Int
  /// In their order.
  public let redirects: [Redirect]
  /// The URL behind all redirects. Relative references in the body are relative to it.
  public let url: String
  public let fields: HTTPHeaderFields
  /// Empty where the status is 304.
  public let body: [UInt8]
}

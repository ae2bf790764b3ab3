public import AppIcon

/// What a server answered: the whole body, or that it has not changed.
public struct FetchResponse: Hashable, Sendable {
  /// 200, or 304 where the request had validators.
  public let status: Int
  /// The URL behind all redirects. Relative references in the body are relative to it.
  public let url: String
  public let fields: HTTPHeaderFields
  /// Empty where the status is 304.
  public let body: [UInt8]
}

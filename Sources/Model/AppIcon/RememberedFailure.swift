/// A failure to get something that is remembered for a while, so that it is not tried all the time.
///
/// A refusal by our own policy is none: it costs nothing to find out again, and the policy may change.
public struct RememberedFailure: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// The server says that there is nothing: status 404 or 410.
    case gone
    /// No answer that is one: DNS, TLS, time out, any other status.
    case unreachable
    /// The answer is no JSON, or no image, that can be read.
    case undecodable
  }

  public let kind: Kind
  /// How often in a row, from 1.
  public let attempts: Int
  /// Before this time it is not tried again; in seconds since 1970-01-01T00:00:00Z.
  public let retryAt: Int64

  private static let longestDelay: Int64 = 24 * 3600

  /// A failure at `now`. Unreachable servers are asked again after 1, 2, 4, 8, 16 and then always
  /// 24 hours; what is gone after 24 hours; what cannot be decoded after 7 days.
  ///
  /// - Parameter previous: the failure that was remembered until now.
  public init(_ kind: Kind, after previous: RememberedFailure? = nil, now: Int64) {
    self.kind = kind
    let before = previous.flatMap { $0.kind == kind ? $0.attempts : nil } ?? 0
    attempts = min(before, 999) + 1
    retryAt = now + Self.delay(kind, attempts)
  }

  private static func delay(_ kind: Kind, _ attempts: Int) -> Int64 {
    switch kind {
    case .gone: longestDelay
    case .unreachable: min(longestDelay, 3600 << Int64(min(attempts - 1, 10)))
    case .undecodable: 7 * longestDelay
    }
  }

  /// Whether it is too early to try again. Where the clock was set back since, it never is.
  public func forbidsRetry(at now: Int64) -> Bool {
    let since = retryAt - Self.delay(kind, attempts)
    return now < retryAt && now >= since - CacheHead.clockTolerance
  }

  /// A failure as it was remembered.
  init(kind: Kind, attempts: Int, retryAt: Int64) {
    self.kind = kind
    self.attempts = attempts
    self.retryAt = retryAt
  }
}

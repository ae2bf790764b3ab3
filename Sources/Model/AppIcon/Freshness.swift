internal import TextFormats

/// How long a response may be used, by RFC 9111 for a private cache. Times are in seconds since
/// 1970-01-01T00:00:00Z, of this machine's clock.
public struct Freshness: Hashable, Sendable {
  /// Whether the response may be kept at all.
  public var isStorable: Bool
  /// Until when it needs no asking.
  public var freshUntil: Int64
  /// Until when it may serve where the server cannot be asked (RFC 5861, section 4); never before
  /// `freshUntil`.
  public var usableUntil: Int64

  /// Without a word from the server: a tenth of what the content has been unchanged, so long at most.
  static let longestHeuristic: Int64 = 7 * 86400
  static let staleIfError: Int64 = 30 * 86400

  /// Works out the freshness of a response.
  ///
  /// - Parameters:
  ///   - requested: when the request was sent.
  ///   - received: when its answer came.
  ///   - unsaid: how long it is fresh where the server gives neither that nor `Last-Modified`, in
  ///     seconds.
  public init(
    of fields: HTTPHeaderFields, requested: Int64, received: Int64, unsaid: Int64 = 0
  ) {
    let control = CacheControl(fields)
    isStorable = !control.forbidsStoring
    let date = Self.date("date", fields, received)
    let lifetime: Int64
    if control.requiresValidation || fields.values("vary").contains(where: { $0.contains("*") }) {
      lifetime = 0
    } else {
      let date = date ?? received
      lifetime = Self.lifetime(fields, control, date: date, received: received) ?? unsaid
    }
    // RFC 9111, section 4.2.3.
    let apparentAge = max(0, date.map { received - $0 } ?? 0)
    let age = max(apparentAge, Self.age(fields) + max(0, received - requested))
    freshUntil = received + max(0, lifetime - age)
    let mayBeStale = !control.requiresValidation && !control.forbidsStale
    usableUntil = mayBeStale ? freshUntil + Self.staleIfError : freshUntil
  }

  /// Works out the freshness of a redirect, which limits that of what it leads to.
  ///
  /// RFC 9110, section 15.4: one that is for good may be kept without a word (status 301 and 308),
  /// any other only where the server says so.
  public init(
    ofRedirect fields: HTTPHeaderFields, status: Int, requested: Int64, received: Int64
  ) {
    let isPermanent = status == 301 || status == 308
    self.init(
      of: fields, requested: requested, received: received,
      unsaid: isPermanent ? Self.longestHeuristic : 0)
  }

  /// The shorter of both, for content that was reached through a redirect.
  public func limited(to other: Freshness) -> Freshness {
    var both = self
    both.isStorable = isStorable && other.isStorable
    both.freshUntil = min(freshUntil, other.freshUntil)
    both.usableUntil = max(both.freshUntil, min(usableUntil, other.usableUntil))
    return both
  }

  /// RFC 9111, sections 4.2.1 and 4.2.2; `nil` where there is nothing to go by.
  private static func lifetime(
    _ fields: HTTPHeaderFields, _ control: CacheControl, date: Int64, received: Int64
  ) -> Int64? {
    if let age = control.maximumAge { return age }
    let expirations = fields.values("expires")
    if !expirations.isEmpty {
      // Section 5.3: what is no date, the common "0" above all, is past.
      let times = expirations.map { HTTPDate.seconds(of: $0, now: received) ?? date }
      return max(0, (times.min() ?? date) - date)
    }
    guard let modified = self.date("last-modified", fields, received) else { return nil }
    return min(longestHeuristic, max(0, date - modified) / 10)
  }

  private static func date(
    _ name: String, _ fields: HTTPHeaderFields, _ now: Int64
  ) -> Int64? {
    fields.single(name).flatMap { HTTPDate.seconds(of: $0, now: now) }
  }

  /// Section 5.1: of a list the first; what is no number does not count.
  private static func age(_ fields: HTTPHeaderFields) -> Int64 {
    let first = fields.values("age").first?.utf8.prefix { $0 != UInt8(ascii: ",") }
    return first.flatMap(CacheControl.seconds) ?? 0
  }
}

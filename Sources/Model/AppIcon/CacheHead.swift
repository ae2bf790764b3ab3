/// What the cache knows of a URL besides the content. Times are in seconds since
/// 1970-01-01T00:00:00Z.
public struct CacheHead: Hashable, Sendable {
  /// What may be said at a time about an entry.
  public enum State: Hashable, Sendable {
    /// It is used without asking.
    case fresh
    /// The server is to be asked first; if it cannot be, the content is used.
    case stale
    /// It is not used, except to ask whether it has changed.
    case expired
    /// There is no content, and it is too early to try again.
    case failed(RememberedFailure)
    /// There is no content, and time to try again.
    case retry(RememberedFailure)
  }

  /// What was asked for, without fragment.
  public let url: ResolvedURL
  /// Where the answer came from in the end.
  public let finalURL: ResolvedURL
  /// The HTTP status; 0 where there was no answer.
  public let status: Int
  public internal(set) var stored: Int64
  public internal(set) var freshUntil: Int64
  public internal(set) var usableUntil: Int64
  /// The `ETag` field as it came, quotes and all.
  public internal(set) var entityTag: String?
  /// The `Last-Modified` field as it came.
  public internal(set) var lastModified: String?
  /// Of an image: its size in pixels by its own header.
  public internal(set) var pixels: PixelSize?
  /// The last failure, where nothing has come since.
  public internal(set) var failure: RememberedFailure?
  /// The content's length in bytes.
  public let bodyLength: Int
  public let bodyDigest: SHA256Digest

  /// Longer validators are not kept; in bytes.
  static let validatorLimit = 1024
  /// A clock that was set back by more makes an entry stale and ends the wait after a failure; in
  /// seconds.
  static let clockTolerance: Int64 = 60

  /// The head of a successful answer.
  ///
  /// - Parameter pixels: of an image, its size by its own header.
  public init(
    url: ResolvedURL, finalURL: ResolvedURL, status: Int, fields: HTTPHeaderFields,
    freshness: Freshness, stored: Int64, body: [UInt8], pixels: PixelSize? = nil
  ) {
    self.init(url: url, finalURL: finalURL, status: status, stored: stored, body: body)
    freshUntil = freshness.freshUntil
    usableUntil = freshness.usableUntil
    self.pixels = pixels
    setValidators(fields)
  }

  /// The head of a failure without content.
  init(url: ResolvedURL, status: Int, failure: RememberedFailure, stored: Int64) {
    self.init(url: url, finalURL: url, status: status, stored: stored, body: [])
    self.failure = failure
  }

  private init(
    url: ResolvedURL, finalURL: ResolvedURL, status: Int, stored: Int64, body: [UInt8]
  ) {
    self.url = url
    self.finalURL = finalURL
    self.status = status
    self.stored = stored
    freshUntil = stored
    usableUntil = stored
    bodyLength = body.count
    bodyDigest = SHA256Digest(of: body)
  }

  /// A head as it was written.
  init(
    url: ResolvedURL, finalURL: ResolvedURL, status: Int, times: (Int64, Int64, Int64),
    bodyLength: Int, bodyDigest: SHA256Digest
  ) {
    self.url = url
    self.finalURL = finalURL
    self.status = status
    (stored, freshUntil, usableUntil) = times
    self.bodyLength = bodyLength
    self.bodyDigest = bodyDigest
  }

  /// Whether there is content, however old.
  public var hasContent: Bool { (200...299).contains(status) }

  public func state(at now: Int64) -> State {
    guard hasContent else {
      let failure = failure ?? RememberedFailure(kind: .unreachable, attempts: 1, retryAt: stored)
      return failure.forbidsRetry(at: now) ? .failed(failure) : .retry(failure)
    }
    let clockWasSetBack = now < stored - Self.clockTolerance
    if now < freshUntil, !clockWasSetBack { return .fresh }
    return now < usableUntil ? .stale : .expired
  }

  /// Whether the server may be asked at a time.
  public func mayAsk(at now: Int64) -> Bool { failure?.forbidsRetry(at: now) != true }

  /// RFC 9111, section 3.2: what a 304 says anew replaces what is stored.
  mutating func setValidators(_ fields: HTTPHeaderFields) {
    entityTag = Self.validator("etag", fields) ?? entityTag
    lastModified = Self.validator("last-modified", fields) ?? lastModified
  }

  /// A value to be sent back later: visible ASCII and spaces, so that it cannot carry a field more.
  private static func validator(_ name: String, _ fields: HTTPHeaderFields) -> String? {
    fields.single(name).flatMap { isValidator($0) ? $0 : nil }
  }

  static func isValidator(_ text: String) -> Bool {
    (1...validatorLimit).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
      && text.utf8.first != 0x20 && text.utf8.last != 0x20
  }
}

internal import CLibMD

/// A URL's entry in the cache: the head with all that is known of the URL, and the content.
///
/// In a file, the head is lines of text and the content follows it:
///
/// ```
/// docsource-http 1
/// url https://example.com/icon.png
/// final-url https://example.com/icon.png
/// status 200
/// times 1700000000 1700000600 1702592600       stored, fresh until, usable until
/// etag "5f3"                                   this and the next three where there are any
/// last-modified Sun, 06 Nov 1994 08:49:37 GMT
/// pixels 58 58
/// failure unreachable 1 1700003600             kind, attempts, not to be tried before
/// body 1234 …                                  bytes, SHA-256
/// head …                                       SHA-256 of all lines above
///
/// ```
package struct CacheEntry: Hashable, Sendable {
  /// Longer content is not kept; in bytes.
  package static let bodyLimit = 2 << 20
  /// Longer than any head that is written, in bytes.
  static let headLimit = 16 << 10

  /// The bytes are no entry: cut short, changed, of another version, or for another URL.
  package struct Damage: Error, Hashable, Sendable {
    package let reason: String
  }

  package internal(set) var head: CacheHead
  package let body: [UInt8]

  package init(head: CacheHead, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// Reads what `bytes` gives.
  ///
  /// - Throws: `Damage` unless every byte is as it was written.
  package init(parsing bytes: [UInt8]) throws(Damage) {
    let (head, length) = try CacheHeadText.read(bytes)
    let body = Array(bytes[length...])
    guard body.count == head.bodyLength else {
      throw Damage(reason: "\(body.count) bytes of content instead of \(head.bodyLength)")
    }
    guard SHA256Digest(of: body) == head.bodyDigest else {
      throw Damage(reason: "the content is not what was stored")
    }
    self.init(head: head, body: body)
  }

  /// As a file has it.
  package var bytes: [UInt8] { CacheHeadText.text(of: head) + body }
}

/// What the cache knows of a URL besides the content. Times are in seconds since
/// 1970-01-01T00:00:00Z.
package struct CacheHead: Hashable, Sendable {
  /// The state of an entry at a given time.
  package enum State: Hashable, Sendable {
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

  /// The URL that was asked for, without fragment.
  package let url: ResolvedURL
  /// Where the answer came from in the end.
  package let finalURL: ResolvedURL
  /// The HTTP status; 0 where there was no answer.
  package let status: Int
  package internal(set) var stored: Int64
  package internal(set) var freshUntil: Int64
  package internal(set) var usableUntil: Int64
  /// The `ETag` field as it came, quotes and all.
  package internal(set) var entityTag: String?
  /// The `Last-Modified` field as it came.
  package internal(set) var lastModified: String?
  /// The size in pixels by the image's own header; `nil` if the content is no image.
  package internal(set) var pixels: PixelSize?
  /// The last failure, where nothing has come since.
  package internal(set) var failure: RememberedFailure?
  /// The content's length in bytes.
  package let bodyLength: Int
  package let bodyDigest: SHA256Digest

  /// Longer validators are not kept; in bytes.
  static let validatorLimit = 1024
  /// A clock that was set back by more makes an entry stale and ends the wait after a failure; in
  /// seconds.
  static let clockTolerance: Int64 = 60
}

extension CacheHead {
  /// The head of a successful answer.
  ///
  /// - Parameter pixels: of an image, its size by its own header.
  package init(
    url: ResolvedURL, finalURL: ResolvedURL, status: Int, fields: HTTPHeaderFields,
    freshness: Freshness, stored: Int64, body: [UInt8], pixels: PixelSize? = nil
  ) {
    self.init(
      url: url, finalURL: finalURL, status: status, stored: stored,
      freshUntil: freshness.freshUntil, usableUntil: freshness.usableUntil, pixels: pixels,
      bodyLength: body.count, bodyDigest: SHA256Digest(of: body))
    setValidators(fields)
  }

  /// The head of a failure without content.
  init(url: ResolvedURL, status: Int, failure: RememberedFailure, stored: Int64) {
    self.init(
      url: url, finalURL: url, status: status, stored: stored, freshUntil: stored,
      usableUntil: stored, failure: failure, bodyLength: 0, bodyDigest: SHA256Digest(of: []))
  }

  /// Whether the entry has content, however old.
  package var hasContent: Bool { (200...299).contains(status) }

  package func state(at now: Int64) -> State {
    guard hasContent else {
      let failure = failure ?? RememberedFailure(kind: .unreachable, attempts: 1, retryAt: stored)
      return failure.forbidsRetry(at: now) ? .failed(failure) : .retry(failure)
    }
    let clockWasSetBack = now < stored - Self.clockTolerance
    if now < freshUntil, !clockWasSetBack { return .fresh }
    return now < usableUntil ? .stale : .expired
  }

  /// Whether the server may be asked at a time.
  package func mayAsk(at now: Int64) -> Bool { failure?.forbidsRetry(at: now) != true }

  /// RFC 9111, section 3.2: the fields of a 304 replace the stored ones.
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

/// A failed fetch that is remembered for a while, so that it is not repeated all the time.
///
/// A refusal by our own policy is not remembered: it costs nothing to find out again, and may
/// change.
package struct RememberedFailure: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The server has nothing at the URL: status 404 or 410.
    case gone
    /// No answer that is one: DNS, TLS, time out, any other status.
    case unreachable
    /// The answer is no JSON, or no image, that can be read.
    case undecodable
  }

  package let kind: Kind
  /// How often in a row, from 1.
  package let attempts: Int
  /// The time of the next attempt, in seconds since 1970-01-01T00:00:00Z.
  package let retryAt: Int64

  private static let longestDelay: Int64 = 24 * 3600
}

extension RememberedFailure {
  /// A failure at `now`. Unreachable servers are asked again after 1, 2, 4, 8, 16 and then always
  /// 24 hours; what is gone after 24 hours; what cannot be decoded after 7 days.
  ///
  /// - Parameter previous: the failure that was remembered until now.
  package init(_ kind: Kind, after previous: RememberedFailure? = nil, now: Int64) {
    let before = previous.flatMap { $0.kind == kind ? $0.attempts : nil } ?? 0
    let attempts = min(before, 999) + 1
    self.init(kind: kind, attempts: attempts, retryAt: now + Self.delay(kind, attempts))
  }

  private static func delay(_ kind: Kind, _ attempts: Int) -> Int64 {
    switch kind {
    case .gone: longestDelay
    case .unreachable: min(longestDelay, 3600 << Int64(min(attempts - 1, 10)))
    case .undecodable: 7 * longestDelay
    }
  }

  /// Whether it is too early to try again; never where the clock has been set back since.
  package func forbidsRetry(at now: Int64) -> Bool {
    let since = retryAt - Self.delay(kind, attempts)
    return now < retryAt && now >= since - CacheHead.clockTolerance
  }
}

/// An image's width and height in pixels.
package struct PixelSize: Hashable, Sendable {
  package let width: Int
  package let height: Int

  /// - Returns: `nil` unless both are from 1 to 65535.
  package init?(width: Int, height: Int) {
    guard 1...65535 ~= width, 1...65535 ~= height else { return nil }
    self.width = width
    self.height = height
  }

  /// The shorter side.
  package var side: Int { min(width, height) }
}

/// The SHA-256 of some bytes, by FIPS 180-4.
package struct SHA256Digest: Hashable, Sendable {
  /// 32 bytes.
  package let bytes: [UInt8]

  /// The corresponding C functions are SHA256Init and its kin of sha2(3).
  package init(of content: some Collection<UInt8>) {
    var state = SHA2_CTX()
    unsafe SHA256Init(&state)
    unsafe Array(content).withUnsafeBufferPointer { bytes in
      unsafe SHA256Update(&state, bytes.baseAddress, bytes.count)
    }
    let length = Int(SHA256_DIGEST_LENGTH)
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      unsafe SHA256Final(buffer.baseAddress, &state)
      count = length
    }
  }

  /// Reads what `hexadecimal` gives; `nil` for anything else.
  package init?(hexadecimal text: some StringProtocol) {
    let digits = Array(text.utf8)
    bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
    // The way back finds signs, capitals and an odd digit at the end.
    guard bytes.count == Int(SHA256_DIGEST_LENGTH), hexadecimal.utf8.elementsEqual(digits) else {
      return nil
    }
  }

  /// 64 digits in lower case.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

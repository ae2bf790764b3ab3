/// A URL's entry in the cache: what is known of it, and the content.
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
public struct CacheEntry: Hashable, Sendable {
  /// Longer content is not kept; in bytes.
  public static let bodyLimit = 2 << 20
  /// Longer than any head that is written.
  static let headLimit = 16 << 10

  /// The bytes are no entry: cut short, changed, of another version, or for another URL.
  public struct Damage: Error, Hashable, Sendable {
    public let reason: String
  }

  public internal(set) var head: CacheHead
  public let body: [UInt8]

  public init(head: CacheHead, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// Reads what `bytes` gives.
  ///
  /// - Throws: `Damage` unless every byte is as it was written.
  public init(parsing bytes: [UInt8]) throws(Damage) {
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
  public var bytes: [UInt8] { CacheHeadText.text(of: head) + body }
}

internal import DocumentSource
internal import TextFormats

/// An absolute URL with a host, of which nothing is left to resolve and no fragment kept.
///
/// It is well formed; whether it may be fetched is not asked here.
public struct ResolvedURL: Hashable, Sendable {
  /// Longer URLs are refused.
  public static let limit = 2048

  /// Why there is no such URL, in words that stand alone.
  public struct Refusal: Error, Hashable, Sendable {
    public let reason: String
  }

  public let text: String

  /// - Throws: `Refusal` where the text is no absolute URL by RFC 3986, or longer than 2048 bytes.
  public init(_ text: String) throws(Refusal) {
    try self.init(URLReference(Self.bounded(text)))
  }

  /// Resolves a reference by RFC 3986, section 5.
  ///
  /// - Throws: `Refusal` where the result is no absolute URL, or one of the texts is longer than
  ///   2048 bytes.
  public init(_ reference: String, against base: ResolvedURL) throws(Refusal) {
    let reference = URLReference(try Self.bounded(reference))
    try self.init(reference.resolved(against: URLReference(base.text)))
  }

  private init(_ reference: URLReference) throws(Refusal) {
    let whole = try Self.bounded(reference.text)
    do throws(AbsoluteURL.Flaw) {
      _ = try AbsoluteURL(whole)
    } catch {
      throw Refusal(reason: error.reason)
    }
    text = reference.withoutFragment.text
  }

  private static func bounded(_ text: String) throws(Refusal) -> String {
    guard text.utf8.count <= limit else {
      throw Refusal(reason: "the URL is longer than \(limit) bytes")
    }
    return text
  }
}

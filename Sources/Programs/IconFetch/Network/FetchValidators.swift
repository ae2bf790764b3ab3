/// What an earlier response gave for asking whether it is still current (RFC 9110, section 8.8).
public struct FetchValidators: Hashable, Sendable {
  /// The URL that gave it. They are sent nowhere else: a server could know its visitors by them.
  public let url: String
  /// The value of `ETag`.
  public let entityTag: String?
  /// The value of `Last-Modified`.
  public let lastModified: String?

  public init(url: String, entityTag: String?, lastModified: String?) {
    self.url = url
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  /// The lines of the request. A value that is longer than 1024 bytes or has control characters is
  /// left out, as though it had not been given.
  var headerLines: [String] {
    [("If-None-Match", entityTag), ("If-Modified-Since", lastModified)].compactMap { name, value in
      guard let value, (1...1024).contains(value.utf8.count),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
      else { return nil }
      return "\(name): \(value)"
    }
  }
}

internal import DocumentSource
internal import TextFormats

/// URLs as strangers write them.
public enum LinkText {
  /// Whether a text is a URL of something that has a host.
  public static func isURL(_ text: String) -> Bool { host(of: text) != nil }

  /// Whether a text begins as a URL does, with a scheme (RFC 3986, section 3.1).
  static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = text.utf8[..<colon]
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
    return scheme.first.map(isLetter) ?? false
      && scheme.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0) }
  }

  /// The host of a URL, in lower case; `nil` where it has none, or one that is none.
  ///
  /// Only what stands before the path is looked at: what is behind is often not by the grammar. Of
  /// `blob:https://example.com/…` it is that of the page that made it.
  public static func host(of text: String) -> String? {
    let blob = "blob:"
    let isBlob = MarkText.matches(text.utf8.prefix(blob.utf8.count), blob)
    let bytes = Array(text.utf8.dropFirst(isBlob ? blob.utf8.count : 0))
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[(colon + 1)...].starts(with: "//".utf8)
    else { return nil }
    let end = bytes[(colon + 3)...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
    do throws(AbsoluteURL.Flaw) {
      return try AbsoluteURL(String(decoding: bytes[..<end], as: UTF8.self)).authority.host
        .lowercased()
    } catch {
      return nil
    }
  }
}

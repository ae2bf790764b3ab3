internal import DocumentSource

/// URLs as strangers write them.
public enum LinkText {
  /// Whether a text is a URL with an authority.
  public static func isURL(_ text: String) -> Bool { host(of: text) != nil }

  /// The host of a URL, in lower case; `nil` where it has none, or one that is none.
  ///
  /// Only what stands before the path is looked at: what is behind is often not by the grammar.
  public static func host(of text: String) -> String? {
    let bytes = Array(text.utf8)
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

internal import TextFormats

/// Text in the values of marks.
package enum MarkText {
  /// The value without the NUL that Samba, and some programs, put after text.
  package static func withoutNUL(_ value: [UInt8]) -> ArraySlice<UInt8> {
    value.last == 0 ? value.dropLast() : value[...]
  }

  /// The text of bytes.
  ///
  /// - Throws: `MarkFailure` with the offset, in the array that the slice is of, of the first byte
  ///   that is no UTF-8, or that is NUL.
  package static func utf8(_ bytes: ArraySlice<UInt8>) throws(MarkFailure) -> String {
    if let nul = bytes.firstIndex(of: 0) { throw MarkFailure(.nul, at: nul) }
    do throws(UTF8.ValidationError) {
      return String(copying: try UTF8Span(validating: bytes.span))
    } catch {
      throw MarkFailure(.notUTF8, at: bytes.startIndex + error.byteOffsets.lowerBound)
    }
  }

  static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Whether bytes are a text but for the case of ASCII letters.
  package static func matches(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
    guard bytes.count == text.utf8.count else { return false }
    var position = bytes.startIndex
    for byte in text.utf8 {
      if lowercased(bytes[position]) != lowercased(byte) { return false }
      position += 1
    }
    return true
  }

  /// Whether a text begins with another but for the case of ASCII letters.
  static func begins(_ text: String, with start: String) -> Bool {
    matches(Array(text.utf8.prefix(start.utf8.count))[...], start)
  }
}

/// URLs in untrusted input.
public enum LinkText {
  /// Whether a text is a URL of something that has a host.
  public static func isURL(_ text: String) -> Bool { host(of: text) != nil }

  /// Whether a text begins as a URL does, with a scheme (RFC 3986, section 3.1).
  package static func hasScheme(_ text: String) -> Bool { AbsoluteURL.hasScheme(text) }

  /// The host of a URL, in lower case; `nil` if the URL has no valid one.
  ///
  /// Only the part before the path is parsed, since the rest often breaks the grammar. The host of
  /// `blob:https://example.com/…` is that of the page that made it.
  public static func host(of text: String) -> String? { plainHost(of: text) ?? anyHost(of: text) }

  /// The host of a URL as most are: of the web, with a name in small letters and no port.
  private static func plainHost(of text: String) -> String? {
    let lead = text.hasPrefix("https://") ? 8 : text.hasPrefix("http://") ? 7 : 0
    let bytes = text.utf8Span.span
    var end = lead
    loop: while lead > 0, end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"):
        end += 1
      case let byte where AbsoluteURL.endsAuthority(byte): break loop
      default: return nil
      }
    }
    guard end > lead, let host = try? UTF8Span(validating: bytes.extracting(lead..<end)) else {
      return nil
    }
    return String(copying: host)
  }

  private static func anyHost(of text: String) -> String? {
    let blob = "blob:"
    var bytes = Array(text.utf8)[...]
    if MarkText.matches(bytes.prefix(blob.utf8.count), blob) {
      bytes = bytes.dropFirst(blob.utf8.count)
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[(colon + 1)...].starts(with: "//".utf8)
    else { return nil }
    let end = bytes[(colon + 3)...].firstIndex(where: AbsoluteURL.endsAuthority) ?? bytes.endIndex
    let url = try? AbsoluteURL(bytes: Array(bytes[..<end]))
    return url?.authority.host.lowercased()
  }
}

/// A tag of macOS's Finder.
public struct UserTag: Hashable, Sendable {
  public let name: String
  /// From 0, none, to 7; `nil` if none is given.
  public let color: Int?

  public init(name: String, color: Int?) {
    self.name = name
    self.color = color
  }

  /// Reads the name, and the number of the color where a last line has it.
  package init(_ text: String) {
    if let end = text.lastIndex(of: "\n"), let color = Int(text[text.index(after: end)...]),
      (0...7).contains(color)
    {
      self.init(name: String(text[..<end]), color: color)
    } else {
      self.init(name: text, color: nil)
    }
  }
}

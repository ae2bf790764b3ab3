/// The form of MIME types, which RFC 6838 calls media types.
package enum MediaType {
  /// RFC 6838, section 4.2: the most bytes of each of the two names.
  private static let nameLimit = 127

  /// Whether a text is a media type such as `image/png` or `text/plain; charset=utf-8`: two names
  /// (RFC 6838, section 4.2) and, after each `;`, the name of a parameter and its value, a word or
  /// a quoted text without backslashes (RFC 2045, section 5.1).
  package static func isValid(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    guard takeName(&rest), rest.popFirst() == UInt8(ascii: "/"), takeName(&rest) else {
      return false
    }
    while !rest.isEmpty {
      skipBlanks(&rest)
      guard rest.popFirst() == UInt8(ascii: ";") else { return false }
      skipBlanks(&rest)
      guard takeName(&rest), rest.popFirst() == UInt8(ascii: "="), takeValue(&rest) else {
        return false
      }
    }
    return true
  }

  /// A media type without its parameters; `nil` if it is none.
  package static func withoutParameters(_ text: String) -> String? {
    guard isValid(text) else { return nil }
    return String(text.prefix { $0 != ";" && $0 != " " && $0 != "\t" })
  }

  private static func skipBlanks(_ bytes: inout ArraySlice<UInt8>) {
    bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
  }

  /// RFC 6838: a letter or digit, then those and some marks.
  private static func takeName(_ bytes: inout ArraySlice<UInt8>) -> Bool {
    let name = bytes.prefix { isLetterOrDigit($0) || "!#$&-^_.+".utf8.contains($0) }
    bytes = bytes.dropFirst(name.count)
    return name.first.map(isLetterOrDigit) ?? false && name.count <= nameLimit
  }

  private static func takeValue(_ bytes: inout ArraySlice<UInt8>) -> Bool {
    let quote = UInt8(ascii: "\"")
    guard bytes.first == quote else {
      let token = bytes.prefix { isLetterOrDigit($0) || "!#$%&'*+-.^_`{|}~".utf8.contains($0) }
      bytes = bytes.dropFirst(token.count)
      return !token.isEmpty
    }
    bytes.removeFirst()
    bytes = bytes.drop { 0x20..<0x7f ~= $0 && $0 != quote && $0 != UInt8(ascii: "\\") }
    return bytes.popFirst() == quote
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x7a ~= byte | 0x20
  }
}

/// The general MIME types that another one can be a kind of.
package struct MIMEClasses: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `text/plain`.
  package static let plainText = MIMEClasses(rawValue: 1)
  /// `application/xml`.
  package static let xml = MIMEClasses(rawValue: 2)
  /// `application/zip`.
  package static let zip = MIMEClasses(rawValue: 4)
}

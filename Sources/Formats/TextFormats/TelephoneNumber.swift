/// Telephone numbers as people write them, and `tel:` URLs (RFC 3966).
package enum TelephoneNumber {
  /// The digits of a number, with a `+` before them if it is a global one.
  ///
  /// - Parameter text: a number whose digits `-.() ` may separate, or a `tel:` URL without a query.
  /// - Returns: `nil` for anything else: letters, digits of other scripts, more than 24 digits.
  package static func digits(of text: String) -> String? {
    let scheme = "tel:"
    guard text.utf8.prefix(scheme.utf8.count).map(lowered).elementsEqual(scheme.utf8) else {
      return digits(ofNumber: text.utf8)
    }
    let rest = Array(text.utf8.dropFirst(scheme.utf8.count).drop { $0 == UInt8(ascii: "/") })
    return PercentEncoding.decoded(rest[...]).flatMap { digits(ofNumber: $0.utf8) }
  }

  private static func digits(ofNumber text: String.UTF8View) -> String? {
    let digits = text.filter { !"-.() ".utf8.contains($0) }
    let rest = digits.dropFirst(digits.first == UInt8(ascii: "+") ? 1 : 0)
    guard (1...24).contains(rest.count), rest.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return String(decoding: digits, as: UTF8.self)
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }
}

/// Mail addresses, as far as programs that get them have to be protected from others.
package enum MailAddress {
  /// Whether a text is one address: something on both sides of one `@`, nothing that separates
  /// addresses or lines, no beginning of an option, and no apostrophe in the host: xdg-email gives
  /// Thunderbird a list of addresses between apostrophes, where one before a comma ends the list.
  package static func isValid(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
      && !parts[1].contains(UInt8(ascii: "'"))
      && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && !",;:<>()[]\\\"".utf8.contains($0) }
  }

  /// A subject in one line: control characters become spaces, since a line break would begin another
  /// field of the mail's head.
  package static func oneLine(_ subject: String) -> String {
    subject.split { character in
      character.unicodeScalars.contains {
        $0.value < 0x20 || 0x7f...0x9f ~= $0.value || 0x2028...0x2029 ~= $0.value
      }
    }.joined(separator: " ")
  }
}

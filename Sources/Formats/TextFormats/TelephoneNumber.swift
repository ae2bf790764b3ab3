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

  /// The digits, and after them what is dialled in the call: pauses, written `,`, `p` or `w` as in
  /// RFC 3601, and digits.
  ///
  /// - Returns: `nil` for anything else: also for codes of telephones after a pause.
  package static func dialled(in text: String) -> String? {
    let scheme = "tel:"
    let isURL = text.utf8.prefix(scheme.utf8.count).map(lowered).elementsEqual(scheme.utf8)
    let first = text.utf8.dropFirst(isURL ? scheme.utf8.count : 0).firstIndex {
      pauses.contains(lowered($0))
    }
    guard let first else { return digits(of: text) }
    let rest = text.utf8[first...].map(lowered)
    guard let number = digits(of: String(text[..<first])), rest.count <= 64,
      rest.allSatisfy({ pauses.contains($0) || 0x30...0x39 ~= $0 })
    else { return nil }
    return number + String(decoding: rest, as: UTF8.self)
  }

  private static let pauses = Array(",pw".utf8)

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
  /// What stands before the last `@` may be in quotation marks, and has spaces and `@` then.
  package static func isValid(_ text: String) -> Bool {
    guard let sign = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return false }
    var (local, host) = (text.utf8[..<sign], text.utf8[text.utf8.index(after: sign)...])
    let mark = UInt8(ascii: "\"")
    let isQuoted = local.count > 2 && local.first == mark && local.last == mark
    if isQuoted { local = local.dropFirst().dropLast() }
    return !local.isEmpty && !host.isEmpty && host.allSatisfy { isPlain($0) && $0 != 0x27 }
      && local.first != UInt8(ascii: "-")
      && local.allSatisfy {
        isPlain($0) && $0 != UInt8(ascii: "@") || isQuoted && " @".utf8.contains($0)
      }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte != 0x7f && !",;:<>()[]\\\"".utf8.contains(byte)
  }

  /// The addresses of a list with commas between them; in quotation marks a comma separates nothing.
  ///
  /// - Returns: of `NAME <ADDRESS>` the address alone, with the name as it is shown. What is no
  ///   address is in the list as well.
  package static func list(_ text: String) -> [(address: String, name: String?)] {
    var isQuoted = false
    let parts = text.split { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
    return parts.map { named($0) }
  }

  /// One of a list.
  package static func named(_ text: some StringProtocol) -> (address: String, name: String?) {
    let text = text.split(separator: " ").joined(separator: " ")
    guard text.utf8.last == UInt8(ascii: ">"), let start = text.lastIndex(of: "<") else {
      return (text, nil)
    }
    let name = text[..<start].filter { $0 != "\"" }.split(separator: " ").joined(separator: " ")
    let address = text[text.index(after: start)...].dropLast()
    return (String(address), name.isEmpty ? nil : name)
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

/// A URL with a scheme and a host, checked by the grammar of RFC 3986.
package struct AbsoluteURL {
  /// Why a text is no absolute URL.
  package struct Flaw: Error {
    package let reason: String
  }

  /// What stands between `//` and the path (RFC 3986, section 3.2).
  package struct Authority {
    /// As written, an IPv6 address with its brackets.
    package let host: String
    /// The digits after the colon, at most five; `nil` if there are none.
    package let port: Int?
    package let hasUserInformation: Bool
  }

  /// In lower case.
  package let scheme: String
  package let authority: Authority

  package init(_ text: String) throws(Flaw) { try self.init(bytes: Array(text.utf8)) }

  package init(bytes: [UInt8]) throws(Flaw) {
    try Self.checkCharacters(bytes)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(bytes[..<colon]) else {
      throw Flaw(reason: "it is not an absolute URL like https://example.com/appInfo.json")
    }
    scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    let rest = bytes[(colon + 1)...]
    guard rest.starts(with: "//".utf8) else { throw Flaw(reason: "the URL has no host") }
    let authority = rest.dropFirst(2).prefix { !Self.endsAuthority($0) }
    self.authority = try Self.authority(authority)
    try Self.checkRest(bytes[authority.endIndex...])
  }

  /// Whether a byte is the first after the authority (RFC 3986, section 3.2).
  package static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  /// What is wrong with the characters of a URL, of any scheme; `nil` if nothing is.
  package static func characterFlaw(_ text: String) -> Flaw? {
    do throws(Flaw) {
      try checkCharacters(Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  /// RFC 3986, section 2: ASCII only, everything else percent-encoded.
  private static func checkCharacters(_ bytes: [UInt8]) throws(Flaw) {
    for (position, byte) in bytes.enumerated() {
      switch byte {
      case 0...0x20, 0x7f...:
        throw Flaw(
          reason: "the URL contains a space, control or non-ASCII character at byte \(position);"
            + " percent-encode it")
      case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
        UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
        UInt8(ascii: "}"):
        throw Flaw(
          reason:
            "the URL contains '\(Unicode.Scalar(byte))' at byte \(position); percent-encode it")
      case UInt8(ascii: "%"):
        guard bytes[(position + 1)...].prefix(2).count(where: isHexadecimal) == 2 else {
          throw Flaw(
            reason: "the URL contains '%' without two hexadecimal digits at byte \(position)")
        }
      default: break
      }
    }
  }

  /// RFC 3986, section 3.1.
  package static func isScheme(_ bytes: some Collection<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
  }

  /// RFC 3986, section 3.2: a host, perhaps with user information before it and a port after it.
  private static func authority(_ authority: ArraySlice<UInt8>) throws(Flaw) -> Authority {
    var host = authority
    if let at = authority.firstIndex(of: UInt8(ascii: "@")) {
      host = authority[(at + 1)...]
      guard !authority[..<at].contains(where: isBracket) else {
        throw Flaw(reason: "the URL contains a bracket before the host")
      }
    }
    var port = host[host.endIndex...]
    if host.first == UInt8(ascii: "[") {
      guard let end = host.firstIndex(of: UInt8(ascii: "]")) else {
        throw Flaw(reason: "the '[' in the URL is not closed")
      }
      port = host[(end + 1)...]
      host = host[(host.startIndex + 1)..<end]
      guard port.isEmpty || port.first == UInt8(ascii: ":") else {
        throw Flaw(reason: "the URL contains text between the host and the port")
      }
      guard host.contains(UInt8(ascii: ":")), host.allSatisfy({ isAddressByte($0) }) else {
        throw Flaw(reason: "the brackets in the URL do not contain an IPv6 address")
      }
      port = port.dropFirst()
    } else if let colon = host.firstIndex(of: UInt8(ascii: ":")) {
      port = host[(colon + 1)...]
      host = host[..<colon]
    }
    guard !host.isEmpty else { throw Flaw(reason: "the URL has no host") }
    guard !host.contains(where: isBracket), !host.contains(UInt8(ascii: "@")) else {
      throw Flaw(reason: "the host of the URL contains an invalid character")
    }
    guard port.allSatisfy(isDigit), port.count <= 5 else {
      throw Flaw(reason: "the port of the URL is not a number")
    }
    let isBracketed = authority.contains(where: isBracket)
    let name = String(decoding: host, as: UTF8.self)
    return Authority(
      host: isBracketed ? "[\(name)]" : name, port: Int(String(decoding: port, as: UTF8.self)),
      hasUserInformation: authority.contains(UInt8(ascii: "@")))
  }

  /// RFC 3986, sections 3.3 to 3.5: no brackets, and `#` once at the most.
  private static func checkRest(_ rest: ArraySlice<UInt8>) throws(Flaw) {
    if let bracket = rest.firstIndex(where: isBracket) {
      throw Flaw(reason: "the URL contains a bracket at byte \(bracket); percent-encode it")
    }
    guard rest.count(where: { $0 == UInt8(ascii: "#") }) <= 1 else {
      throw Flaw(reason: "the URL contains more than one '#'")
    }
  }

  private static func isBracket(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
  }

  private static func isAddressByte(_ byte: UInt8) -> Bool {
    isHexadecimal(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }
}

// What may be said of texts that need not follow the grammar.
extension AbsoluteURL {
  /// Why a URL of whatever scheme is not handed to the program that opens it; `nil` if it may be.
  ///
  /// Programs undo percent-encoding and pass the user and the host on to others, such as ssh, which
  /// take a word that begins with a hyphen for an option; scripts split what they get at blanks and
  /// line ends.
  package static func openingFlaw(_ url: String) -> Flaw? {
    let bytes = Array(url.utf8)
    if let position = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7f }) {
      return Flaw(
        reason: "the URL contains a space or control character at byte \(position);"
          + " percent-encode it")
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let rest = bytes[(colon + 1)...]
    guard rest.prefix(while: isSlash).count >= 2 else { return nil }
    let authority = rest.dropFirst(2).prefix { !isSlash($0) && !"?#".utf8.contains($0) }
    // Programs do not agree on which of several @ ends the user.
    let parts = authority.split(separator: UInt8(ascii: "@"))
    guard parts.contains(where: beginsWithHyphen) else { return nil }
    return Flaw(reason: "a user or host in the URL begins with a hyphen, as options do")
  }

  private static func beginsWithHyphen(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.first == UInt8(ascii: "-")
      || String(decoding: bytes.prefix(3), as: UTF8.self).lowercased() == "%2d"
  }

  /// Whether a text begins as a URL does, with a scheme (RFC 3986, section 3.1).
  package static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return isScheme(text.utf8[..<colon])
  }

  /// Whether a URL names a user, perhaps with a password.
  package static func hasCredentials(_ url: String) -> Bool {
    credentials(in: Array(url.utf8)[...]) != nil
  }

  /// The URL without a user's name and password.
  package static func withoutCredentials(_ url: String) -> String {
    let bytes = Array(url.utf8)
    guard let range = credentials(in: bytes[...]) else { return url }
    return String(decoding: bytes[..<range.lowerBound] + bytes[range.upperBound...], as: UTF8.self)
  }

  /// The text with all URLs in it without users' names and passwords.
  package static func withoutCredentials(inText text: String) -> String {
    // A URL as a whole can have spaces in the password.
    let bytes = Array(withoutCredentials(text).utf8)
    var kept: [UInt8] = []
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let isEnd: (UInt8) -> Bool = { $0 <= 0x20 || "\"<>".utf8.contains($0) }
      let end = bytes[start...].firstIndex(where: isEnd) ?? bytes.endIndex
      appendWord(bytes[start..<end], to: &kept)
      if end < bytes.endIndex { kept.append(bytes[end]) }
      start = end + 1
    }
    return String(decoding: kept, as: UTF8.self)
  }

  /// Appends a word without names and passwords; it can have something before its URL, such as a
  /// parenthesis.
  private static func appendWord(_ word: ArraySlice<UInt8>, to kept: inout [UInt8]) {
    var rest = word
    var name = word.startIndex
    for position in word.indices where position >= rest.startIndex {
      let byte = word[position]
      if byte == UInt8(ascii: ":"), name < position, position + 1 < word.endIndex,
        "/\\".utf8.contains(word[position + 1]),
        let range = credentials(in: word[name...], isExact: true)
      {
        kept += rest[..<range.lowerBound]
        rest = word[range.upperBound...]
        name = rest.startIndex
      } else if !isLetter(byte), name == position || !isScheme([UInt8(ascii: "a"), byte]) {
        name = position + 1
      }
    }
    kept += rest
  }

  /// Schemes in whose URLs browsers read any number of slashes and backslashes as the two slashes
  /// before the host (WHATWG's URL Standard, "special authority slashes state").
  private static let browsedSchemes = ["http", "https", "ftp", "ws", "wss"]

  /// Where the user's name and password stand, with the `@` after them: the last one before the
  /// path, as browsers read it.
  ///
  /// - Parameter isExact: whether it is left out that other programs do not end the host at a
  ///   backslash.
  private static func credentials(
    in bytes: ArraySlice<UInt8>, isExact: Bool = false
  ) -> Range<Int>? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<colon]) else {
      return nil
    }
    var rest = bytes[(colon + 1)...]
    let isBrowsed =
      browsedSchemes.contains(String(decoding: bytes[..<colon], as: UTF8.self).lowercased())
    guard isBrowsed || rest.starts(with: "//".utf8) else { return nil }
    rest = isBrowsed ? rest.drop(while: isSlash) : rest.dropFirst(2)
    let start = rest.startIndex
    let ends = isBrowsed ? isExact ? ["/\\?#"] : ["/\\?#", "/?#"] : ["/?#"]
    // What is left must not have any, either: `https://a@/b@c` is read as `https://b@c` without `a@`.
    while let at = ends.lazy.compactMap({ last(rest, before: $0) }).first {
      rest = bytes[(at + 1)...]
      if isBrowsed { rest = rest.drop(while: isSlash) }
    }
    return rest.startIndex == start ? nil : start..<rest.startIndex
  }

  /// The last `@` before a byte that ends the host.
  private static func last(_ bytes: ArraySlice<UInt8>, before ends: String) -> Int? {
    bytes.prefix { !ends.utf8.contains($0) }.lastIndex(of: UInt8(ascii: "@"))
  }

  private static func isSlash(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }
}

/// Percent-encoding, by RFC 3986, section 2.
package enum PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// The bytes with `%XX` in place of each that is not kept.
  package static func encoded(
    _ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool
  ) -> [UInt8] {
    var encoded: [UInt8] = []
    for byte in bytes {
      if isKept(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return encoded
  }

  /// The bytes with `%XX` in place of each that is neither unreserved nor one of `others`.
  package static func encoded(
    _ bytes: some Sequence<UInt8>, keeping others: String = ""
  ) -> [UInt8] {
    encoded(bytes) { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
      default: "-._~".utf8.contains(byte) || others.utf8.contains(byte)
      }
    }
  }

  /// The text that percent-encoded bytes stand for; a `%` without two hexadecimal digits stands for
  /// itself.
  ///
  /// - Returns: `nil` if the bytes are not UTF-8 or contain a NUL.
  package static func decoded(_ text: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.utf8.count == 2,
        digits.utf8.first != UInt8(ascii: "+"), let value = UInt8(digits, radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }
}

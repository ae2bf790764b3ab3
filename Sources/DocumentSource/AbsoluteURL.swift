/// A URL with a scheme and a host, checked by the grammar of RFC 3986.
struct AbsoluteURL {
  /// Why a text is no absolute URL.
  struct Flaw: Error {
    let reason: String
  }

  /// In lower case.
  let scheme: String
  /// As it stands, with brackets around an IPv6 address.
  let host: String

  init(_ text: String) throws(Flaw) {
    let bytes = Array(text.utf8)
    try Self.checkCharacters(bytes)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(bytes[..<colon]) else {
      throw Flaw(reason: "it is not an absolute URL like https://example.com/appInfo.json")
    }
    scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
    let rest = bytes[(colon + 1)...]
    guard rest.starts(with: "//".utf8) else { throw Flaw(reason: "the URL has no host") }
    let authority = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
    let hostPort = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] }
    host = try Self.host(in: hostPort ?? authority)
  }

  /// RFC 3986, section 2: ASCII only, everything else percent-encoded.
  private static func checkCharacters(_ bytes: [UInt8]) throws(Flaw) {
    for (position, byte) in bytes.enumerated() {
      switch byte {
      case 0...0x20, 0x7f...:
        throw Flaw(
          reason: "the URL has a space, control or non-ASCII character at byte \(position);"
            + " percent-encode it")
      case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
        UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
        UInt8(ascii: "}"):
        throw Flaw(
          reason: "the URL has '\(Unicode.Scalar(byte))' at byte \(position); percent-encode it")
      case UInt8(ascii: "%"):
        guard bytes[(position + 1)...].prefix(2).count(where: isHexadecimal) == 2 else {
          throw Flaw(reason: "the URL has '%' without two hexadecimal digits at byte \(position)")
        }
      default: break
      }
    }
  }

  /// RFC 3986, section 3.1.
  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
  }

  /// RFC 3986, section 3.2.
  private static func host(in hostPort: ArraySlice<UInt8>) throws(Flaw) -> String {
    var host = hostPort
    var port = hostPort[hostPort.endIndex...]
    let afterBracket = hostPort.lastIndex(of: UInt8(ascii: "]")) ?? hostPort.startIndex
    if let colon = hostPort[afterBracket...].lastIndex(of: UInt8(ascii: ":")) {
      host = hostPort[..<colon]
      port = hostPort[(colon + 1)...]
    }
    guard !host.isEmpty else { throw Flaw(reason: "the URL has no host") }
    guard port.allSatisfy(isDigit), port.count <= 5 else {
      throw Flaw(reason: "the URL's port is not a number")
    }
    return String(decoding: host, as: UTF8.self)
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

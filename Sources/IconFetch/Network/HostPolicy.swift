/// Which hosts may be named in a URL: names of the public domain name system.
public enum HostPolicy {
  /// Domains that never lead to the public internet, and why.
  ///
  /// Those of IANA's Special-Use Domain Names registry (RFC 6761, 6762, 7686, 8375, 9476), ICANN's
  /// `internal`, and all of `arpa`, which holds no hosts (RFC 3172).
  private static let specialDomains: Set<String> = [
    "alt", "arpa", "example", "internal", "invalid", "local", "localhost", "onion", "test",
  ]

  /// Refuses IP addresses in any spelling, single labels, special domains and malformed names.
  ///
  /// - Parameter host: as written in a URL, an IPv6 address with its brackets.
  /// - Returns: the host in lower case and without the dot of the root at its end.
  public static func check(_ host: String) throws(FetchRefusal) -> String {
    var name = Array(host.utf8)
    if name.first == UInt8(ascii: "[") { throw .addressLiteral(host) }
    if name.contains(UInt8(ascii: "%")) { throw .percentEncodedHost(host) }
    if name.last == UInt8(ascii: ".") { name.removeLast() }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let last = labels.last, name.count <= 253, labels.allSatisfy(isLabel) else {
      throw .malformedHost(host)
    }
    // Before all else that `inet_aton` reads as an address: 2130706433, 0x7f.1, 0177.0.0.1.
    if isNumber(last) { throw .addressLiteral(host) }
    let domain = String(decoding: last, as: UTF8.self).lowercased()
    if specialDomains.contains(domain) { throw .specialDomain(host, domain) }
    guard labels.count > 1 else { throw .singleLabel(host) }
    return String(decoding: name, as: UTF8.self).lowercased()
  }

  /// Letters, digits, `-` and the `_` that some hosts have; what is not ASCII comes as `xn--`.
  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    (1...63).contains(label.count)
      && label.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Whether a host that ends in this label is an IPv4 address, by the "ends in a number" checker
  /// of the WHATWG URL standard: no top-level domain is a number.
  private static func isNumber(_ label: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: label, as: UTF8.self).lowercased()
    if text.hasPrefix("0x") { return text.dropFirst(2).allSatisfy(\.isHexDigit) }
    return text.allSatisfy(\.isNumber)
  }
}

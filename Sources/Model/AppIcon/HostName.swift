/// A host's name in the domain name system, in lower case and without the dot of the root.
///
/// It is well formed; whether there is such a host, and whether it is public, is not asked here.
public struct HostName: Hashable, Sendable {
  /// Why a text is no host's name.
  public enum Flaw: Error, Hashable, Sendable {
    /// It is an IP address, in any spelling.
    case address
    /// It has percent-encoded characters, as a URL's host may.
    case percentEncoded
    /// It has a character that no host has, an empty label, or is too long.
    case malformed
  }

  public let text: String

  /// - Parameter text: as written in a URL, an IPv6 address with its brackets.
  /// - Throws: `Flaw`
  public init(_ text: String) throws(Flaw) {
    var name = Array(text.utf8)
    if name.first == UInt8(ascii: "[") { throw .address }
    if name.contains(UInt8(ascii: "%")) { throw .percentEncoded }
    if name.last == UInt8(ascii: ".") { name.removeLast() }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let last = labels.last, name.count <= 253, labels.allSatisfy(Self.isLabel) else {
      throw .malformed
    }
    // Before all else that `inet_aton` reads as an address: 2130706433, 0x7f.1, 0177.0.0.1.
    if Self.isNumber(last) { throw .address }
    self.text = String(decoding: name, as: UTF8.self).lowercased()
  }

  /// Whether it has no dot, as names in a local network have none.
  public var isSingleLabel: Bool { !text.utf8.contains(UInt8(ascii: ".")) }

  public var topLevelDomain: String {
    text.split(separator: ".").last.map(String.init) ?? text
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

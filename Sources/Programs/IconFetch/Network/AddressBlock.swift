/// Addresses that share their first bits, and what they are for.
public struct AddressBlock: Hashable, Sendable {
  /// The first address.
  public let first: InternetAddress
  /// How many bits all of its addresses share.
  public let length: Int
  /// What IANA calls it, in lower case.
  public let purpose: String

  init(_ first: InternetAddress, _ length: Int, _ purpose: String) {
    self.first = first
    self.length = length
    self.purpose = purpose
  }

  /// Whether an address lies in it. An IPv4 address never lies in a block of IPv6.
  public func contains(_ address: InternetAddress) -> Bool {
    switch (first, address) {
    case (.v4(let first), .v4(let number)): (first ^ number) >> (32 - length) == 0
    case (.v6(let first), .v6(let number)): (first ^ number) >> (128 - length) == 0
    default: false
    }
  }
}

extension AddressBlock: CustomStringConvertible {
  /// `10.0.0.0/8 (private use)`.
  public var description: String { "\(first)/\(length) (\(purpose))" }
}

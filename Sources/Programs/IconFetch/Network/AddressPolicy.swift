internal import Glibc

/// Which addresses may be connected to: those of the public internet.
///
/// IPv4 but for the IANA special-purpose blocks and multicast; IPv6 in 2000::/3 but for 2001::/23,
/// 2001:db8::/32, 2002::/16 and 3fff::/20. IPv4-mapped and NAT64 addresses are judged by the IPv4
/// address in them.
package enum AddressPolicy {
  /// The block for which an address is refused, or `nil` if the address is allowed.
  package static func refusal(of address: InternetAddress) -> AddressBlock? {
    guard case .v6(let number) = address else {
      return AddressBlock.refusedIPv4.first { $0.contains(address) }
    }
    if AddressBlock.embedding.contains(where: { $0.contains(address) }) {
      return refusal(of: .v4(UInt32(truncatingIfNeeded: number)))
    }
    let isGlobal = AddressBlock.globalUnicast.contains(address)
    return (isGlobal ? AddressBlock.refusedIPv6 : AddressBlock.otherIPv6)
      .first { $0.contains(address) }
  }
}

/// Addresses that share their first bits, and their purpose.
package struct AddressBlock: Hashable, Sendable, CustomStringConvertible {
  /// The first address.
  package let first: InternetAddress
  /// How many bits all of its addresses share.
  package let length: Int
  /// IANA's name for the block, in lower case.
  package let purpose: String

  init(_ first: InternetAddress, _ length: Int, _ purpose: String) {
    self.first = first
    self.length = length
    self.purpose = purpose
  }

  /// Whether an address lies in it. An IPv4 address never lies in a block of IPv6.
  package func contains(_ address: InternetAddress) -> Bool {
    switch (first, address) {
    case (.v4(let first), .v4(let number)): (first ^ number) >> (32 - length) == 0
    case (.v6(let first), .v6(let number)): (first ^ number) >> (128 - length) == 0
    default: false
    }
  }

  /// `10.0.0.0/8 (private use)`.
  package var description: String { "\(first)/\(length) (\(purpose))" }

  /// The IANA IPv4 Special-Purpose Address Registry (RFC 6890) and the multicast addresses.
  static let refusedIPv4: [AddressBlock] = [
    v4(0, 0, 0, 0, 8, "this network"),
    v4(10, 0, 0, 0, 8, "private use"),
    v4(100, 64, 0, 0, 10, "shared address space of carriers"),
    v4(127, 0, 0, 0, 8, "loopback"),
    v4(169, 254, 0, 0, 16, "link local"),
    v4(172, 16, 0, 0, 12, "private use"),
    v4(192, 0, 0, 0, 24, "IETF protocol assignments"),
    v4(192, 0, 2, 0, 24, "documentation"),
    v4(192, 31, 196, 0, 24, "AS112"),
    v4(192, 52, 193, 0, 24, "AMT"),
    v4(192, 88, 99, 0, 24, "6to4 relay anycast"),
    v4(192, 168, 0, 0, 16, "private use"),
    v4(192, 175, 48, 0, 24, "direct delegation AS112"),
    v4(198, 18, 0, 0, 15, "benchmarking"),
    v4(198, 51, 100, 0, 24, "documentation"),
    v4(203, 0, 113, 0, 24, "documentation"),
    v4(224, 0, 0, 0, 4, "multicast"),
    // Before the block around it, so that it is called by its own name.
    v4(255, 255, 255, 255, 32, "limited broadcast"),
    v4(240, 0, 0, 0, 4, "reserved"),
  ]

  /// The refused blocks of the global unicast addresses, the narrower first.
  static let refusedIPv6: [AddressBlock] = [
    v6(0x2001, 0, 0, 0, 32, "Teredo"),
    v6(0x2001, 2, 0, 0, 48, "benchmarking"),
    v6(0x2001, 0x20, 0, 0, 28, "ORCHIDv2"),
    v6(0x2001, 0, 0, 0, 23, "IETF protocol assignments"),
    v6(0x2001, 0xdb8, 0, 0, 32, "documentation"),
    v6(0x2002, 0, 0, 0, 16, "6to4"),
    v6(0x3fff, 0, 0, 0, 20, "documentation"),
  ]

  /// All that may be fetched from over IPv6 lies in here (RFC 4291, section 2.4).
  static let globalUnicast = v6(0x2000, 0, 0, 0, 3, "global unicast")

  /// Names for what lies outside the global unicast addresses, the narrower block first.
  static let otherIPv6: [AddressBlock] = [
    AddressBlock(.v6(0), 128, "unspecified"),
    AddressBlock(.v6(1), 128, "loopback"),
    AddressBlock(.v6(0), 96, "IPv4-compatible"),
    v6(0x64, 0xff9b, 1, 0, 48, "local-use NAT64"),
    v6(0x100, 0, 0, 0, 64, "discard only"),
    v6(0x100, 0, 0, 1, 64, "dummy prefix"),
    v6(0x5f00, 0, 0, 0, 16, "segment routing"),
    v6(0xfc00, 0, 0, 0, 7, "unique local"),
    v6(0xfe80, 0, 0, 0, 10, "link local"),
    v6(0xfec0, 0, 0, 0, 10, "site local"),
    v6(0xff00, 0, 0, 0, 8, "multicast"),
    AddressBlock(.v6(0), 0, "outside the global unicast addresses"),
  ]

  /// Blocks whose last 32 bits are an IPv4 address, which is the one that is reached.
  static let embedding: [AddressBlock] = [
    AddressBlock(.v6(0xffff << 32), 96, "IPv4-mapped"),
    v6(0x64, 0xff9b, 0, 0, 96, "NAT64"),
  ]

  private static func v4(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32, _ length: Int, _ purpose: String
  ) -> AddressBlock {
    AddressBlock(.v4(a << 24 | b << 16 | c << 8 | d), length, purpose)
  }

  /// The first four of the eight groups; the others are 0.
  private static func v6(
    _ a: UInt128, _ b: UInt128, _ c: UInt128, _ d: UInt128, _ length: Int, _ purpose: String
  ) -> AddressBlock {
    AddressBlock(.v6(a << 112 | b << 96 | c << 80 | d << 64), length, purpose)
  }
}

/// An IPv4 or IPv6 address.
package enum InternetAddress: Hashable, Sendable, CustomStringConvertible {
  case v4(UInt32)
  case v6(UInt128)

  /// Reads four decimal numbers, or the text of RFC 4291, section 2.2; `nil` for all else.
  ///
  /// The corresponding C function is inet_pton(3).
  package init?(_ text: String) {
    var bytes: [UInt8] = Array(repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
      self = .v4(bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
      self = .v6(Self.number(bytes))
    } else {
      return nil
    }
  }

  /// The address in a socket address; `nil` for other families and for one cut short.
  ///
  /// - Parameter bytes: a `sockaddr_in` or `sockaddr_in6`. A scope is left out.
  init?(socketAddress bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
    switch unsafe CInt(bytes.loadUnaligned(as: sa_family_t.self)) {
    case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
      let address = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
      self = .v4(UInt32(bigEndian: address.sin_addr.s_addr))
    case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
      var address = unsafe bytes.loadUnaligned(as: sockaddr_in6.self)
      self = unsafe .v6(withUnsafeBytes(of: &address.sin6_addr) { unsafe Self.number($0) })
    default: return nil
    }
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> UInt128 {
    bytes.reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// Four decimal numbers, or the text of RFC 5952.
  ///
  /// The corresponding C function is inet_ntop(3).
  package var description: String {
    let (family, bytes): (CInt, [UInt8]) =
      switch self {
      case .v4(let number): (AF_INET, Self.bytes(of: number))
      case .v6(let number): (AF_INET6, Self.bytes(of: number))
      }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let size = socklen_t(text.count)
    guard unsafe inet_ntop(family, bytes, &text, size) != nil else { return "an address" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    stride(from: number.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: number >> $0)
    }
  }
}

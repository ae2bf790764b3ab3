extension AddressBlock {
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

  /// What is refused of the global unicast addresses, the narrower block first.
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

import Testing

@testable import IconFetch

@Suite struct AddressPolicyTests {
  @Test(arguments: SpecialAddress.all)
  func specialAddressIsRefusedByTheNameOfItsBlock(_ special: SpecialAddress) throws {
    let address = try #require(InternetAddress(special.address))
    #expect(AddressPolicy.refusal(of: address)?.description == special.block)
    #expect(address.description == special.address)
  }

  @Test(arguments: [
    "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
    "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0",
    "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
    "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
    "2000::", "2001:200::", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::",
    "2003::", "2606:4700:4700::1111", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::",
    "::ffff:8.8.8.8", "64:ff9b::808:808",
  ])
  func neighbourOfASpecialBlockIsAllowed(_ text: String) throws {
    let address = try #require(InternetAddress(text))
    #expect(AddressPolicy.refusal(of: address) == nil)
    #expect(address.description == text)
  }

  @Test(arguments: ["", "1.2.3", "01.2.3.4", "1.2.3.4 ", "256.1.1.1", "::1%lo", "[::1]", "1::2::3"])
  func textThatIsNoAddressIsNone(_ text: String) {
    #expect(InternetAddress(text) == nil)
  }

  @Test func socketAddressCutShortIsNone() {
    let bytes: [UInt8] = [2, 0, 1, 187, 10, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    let read = { (count: Int) in
      bytes.withUnsafeBytes {
        InternetAddress(socketAddress: UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    }
    #expect(read(16) == .v4(0x0a00_0001))
    #expect(read(15) == nil)
    #expect(read(1) == nil)
    #expect(read(0) == nil)
  }
}

/// An address that is refused, and the block that the refusal names.
struct SpecialAddress: Sendable, CustomTestStringConvertible {
  let address: String
  let block: String

  init(_ address: String, _ block: String) {
    self.address = address
    self.block = block
  }

  var testDescription: String { address }

  var isIPv6: Bool { address.contains(":") }

  static let all: [SpecialAddress] = [
    .init("0.0.0.0", "0.0.0.0/8 (this network)"),
    .init("0.1.2.3", "0.0.0.0/8 (this network)"),
    .init("10.0.0.1", "10.0.0.0/8 (private use)"),
    .init("10.255.255.255", "10.0.0.0/8 (private use)"),
    .init("100.64.0.1", "100.64.0.0/10 (shared address space of carriers)"),
    .init("100.127.255.255", "100.64.0.0/10 (shared address space of carriers)"),
    .init("127.0.0.1", "127.0.0.0/8 (loopback)"),
    .init("127.255.255.254", "127.0.0.0/8 (loopback)"),
    .init("169.254.169.254", "169.254.0.0/16 (link local)"),
    .init("172.16.0.1", "172.16.0.0/12 (private use)"),
    .init("172.31.255.255", "172.16.0.0/12 (private use)"),
    .init("192.0.0.8", "192.0.0.0/24 (IETF protocol assignments)"),
    .init("192.0.2.1", "192.0.2.0/24 (documentation)"),
    .init("192.31.196.1", "192.31.196.0/24 (AS112)"),
    .init("192.52.193.1", "192.52.193.0/24 (AMT)"),
    .init("192.88.99.1", "192.88.99.0/24 (6to4 relay anycast)"),
    .init("192.168.0.1", "192.168.0.0/16 (private use)"),
    .init("192.168.255.255", "192.168.0.0/16 (private use)"),
    .init("192.175.48.1", "192.175.48.0/24 (direct delegation AS112)"),
    .init("198.18.0.1", "198.18.0.0/15 (benchmarking)"),
    .init("198.19.255.255", "198.18.0.0/15 (benchmarking)"),
    .init("198.51.100.1", "198.51.100.0/24 (documentation)"),
    .init("203.0.113.1", "203.0.113.0/24 (documentation)"),
    .init("224.0.0.1", "224.0.0.0/4 (multicast)"),
    .init("239.255.255.250", "224.0.0.0/4 (multicast)"),
    .init("240.0.0.1", "240.0.0.0/4 (reserved)"),
    .init("255.255.255.255", "255.255.255.255/32 (limited broadcast)"),
    .init("::", "::/128 (unspecified)"),
    .init("::1", "::1/128 (loopback)"),
    .init("::127.0.0.1", "::/96 (IPv4-compatible)"),
    .init("::ffff:10.0.0.1", "10.0.0.0/8 (private use)"),
    .init("::ffff:127.0.0.1", "127.0.0.0/8 (loopback)"),
    .init("::ffff:169.254.169.254", "169.254.0.0/16 (link local)"),
    .init("64:ff9b::7f00:1", "127.0.0.0/8 (loopback)"),
    .init("64:ff9b::a00:1", "10.0.0.0/8 (private use)"),
    .init("64:ff9b:1::a00:1", "64:ff9b:1::/48 (local-use NAT64)"),
    .init("100::1", "100::/64 (discard only)"),
    .init("100:0:0:1::1", "100:0:0:1::/64 (dummy prefix)"),
    .init("2001::1", "2001::/32 (Teredo)"),
    .init("2001:2::1", "2001:2::/48 (benchmarking)"),
    .init("2001:20::1", "2001:20::/28 (ORCHIDv2)"),
    .init("2001:1ff::1", "2001::/23 (IETF protocol assignments)"),
    .init("2001:db8::1", "2001:db8::/32 (documentation)"),
    .init("2002:a00:1::1", "2002::/16 (6to4)"),
    .init("3fff::1", "3fff::/20 (documentation)"),
    .init("3fff:fff::1", "3fff::/20 (documentation)"),
    .init("5f00::1", "5f00::/16 (segment routing)"),
    .init("4000::1", "::/0 (outside the global unicast addresses)"),
    .init("1fff::1", "::/0 (outside the global unicast addresses)"),
    .init("fc00::1", "fc00::/7 (unique local)"),
    .init("fd12:3456:789a::1", "fc00::/7 (unique local)"),
    .init("fe80::1", "fe80::/10 (link local)"),
    .init("fec0::1", "fec0::/10 (site local)"),
    .init("ff02::1", "ff00::/8 (multicast)"),
    .init("ff0e::1", "ff00::/8 (multicast)"),
  ]
}

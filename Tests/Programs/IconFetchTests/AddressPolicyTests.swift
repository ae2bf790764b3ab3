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

import Testing

@testable import IconFetch

@Suite struct TestOverrideTests {
  private func target(_ url: String) throws -> FetchTarget { try FetchPolicy().target(of: url) }

  @Test func onlyTheNamedConnectionIsPermitted() throws {
    let override = try TestOverride(
      connect: "Icons.example.com:443=127.0.0.1:8443,other.example.com:443=[::1]:8444")
    let here = try #require(InternetAddress("127.0.0.1"))
    let icons = try target("https://icons.example.com/")
    #expect(override.permits(icons, at: here, port: 8443))
    #expect(!override.permits(icons, at: here, port: 8444))
    #expect(!override.permits(icons, at: .v4(0x7f00_0002), port: 8443))
    #expect(!override.permits(icons, at: .v6(1), port: 8444))
    #expect(!override.permits(try target("https://b.example.com/"), at: here, port: 8443))
    #expect(override.permits(try target("https://other.example.com/"), at: .v6(1), port: 8444))
    #expect(
      override.connections.map(\.text) == [
        "icons.example.com:443:127.0.0.1:8443", "other.example.com:443:[::1]:8444",
      ])
  }

  @Test(arguments: [
    ("10.0.0.1", "10.0.0.1"), ("8.8.8.8", "8.8.8.8"), ("0.0.0.0", "0.0.0.0"),
    ("169.254.169.254", "169.254.169.254"), ("[fe80::1]", "fe80::1"), ("[::]", "::"),
  ])
  func addressOutsideTheLoopbackInterfaceIsRefused(_ address: String, _ shown: String) {
    #expect(
      throws: TestOverride.Malformed(
        description: "DOCSOURCE_FETCH_TEST_CONNECT: \(shown) is not a loopback address")
    ) {
      try TestOverride(connect: "icons.example.com:443=\(address):443")
    }
  }

  @Test(arguments: [
    "yes", "icons.example.com", "icons.example.com=127.0.0.1", "a:1=127.0.0.1:2=3",
    "a:65536=127.0.0.1:1", "a:1=localhost:1", ":1=127.0.0.1:1", "a:1=127.1:1",
  ])
  func malformedConnectionIsRefused(_ text: String) {
    #expect(
      throws: TestOverride.Malformed(
        description: "DOCSOURCE_FETCH_TEST_CONNECT: '\(text)' is not HOST:PORT=ADDRESS:PORT")
    ) {
      try TestOverride(connect: text)
    }
  }
}

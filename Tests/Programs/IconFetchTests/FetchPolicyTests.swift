import Testing

@testable import IconFetch

@Suite struct FetchPolicyTests {
  private func refusal(_ url: String, _ policy: FetchPolicy = FetchPolicy()) -> FetchRefusal? {
    do {
      _ = try policy.target(of: url)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("https://icons.example.com/a", "icons.example.com"),
    ("HTTPS://Icons.EXAMPLE.com:443", "icons.example.com"),
    ("https://icons.example.com.:/?q#f", "icons.example.com"),
    ("https://xn--bcher-kva.example.com/", "xn--bcher-kva.example.com"),
    ("https://a_b-c.example.com/", "a_b-c.example.com"),
    ("https://10.0.0.1.example.com/", "10.0.0.1.example.com"),
    ("https://local.example.com/", "local.example.com"),
    ("https://localhost.example.com/", "localhost.example.com"),
    ("https://0x.com/", "0x.com"), ("https://a.0xg/", "a.0xg"),
  ])
  func nameOfThePublicInternetIsAllowed(_ url: String, _ host: String) throws {
    let target = try FetchPolicy().target(of: url)
    #expect(target == FetchTarget(url: url, host: host, port: 443))
  }

  @Test func lengthIsLimitedTo2048Bytes() throws {
    let longest = "https://icons.example.com/" + String(repeating: "a", count: 2022)
    #expect(try FetchPolicy().target(of: longest).url.utf8.count == 2048)
    #expect(refusal(longest + "a") == .length(2049))
  }

  @Test(arguments: ["http", "ftp", "file", "data", "gopher", "httpss"])
  func otherSchemeIsRefused(_ scheme: String) {
    #expect(refusal("\(scheme)://icons.example.com/") == .scheme(scheme))
  }

  @Test(arguments: [
    ("", "it is not an absolute URL like https://example.com/appInfo.json"),
    ("icons.example.com", "it is not an absolute URL like https://example.com/appInfo.json"),
    ("https:/icons.example.com", "the URL has no host"),
    ("https:///path", "the URL has no host"), ("https://:443/", "the URL has no host"),
    (
      "https://a.example.com\\@b.example.com/",
      "the URL contains '\\' at byte 21; percent-encode it"
    ),
    (
      "https://bücher.example.com/",
      "the URL contains a space, control or non-ASCII character at byte 9; percent-encode it"
    ),
    (
      "https://１２７.0.0.1/",
      "the URL contains a space, control or non-ASCII character at byte 8; percent-encode it"
    ),
    (
      "https://icons.example.com/\r\nX: y",
      "the URL contains a space, control or non-ASCII character at byte 26; percent-encode it"
    ),
    ("https://a.example.com:80:443/", "the port of the URL is not a number"),
  ])
  func textThatIsNoURLIsRefused(_ url: String, _ reason: String) {
    #expect(refusal(url) == .malformedURL(reason))
  }

  @Test(arguments: [
    "https://user@icons.example.com/", "https://user:password@icons.example.com/",
    "https://@icons.example.com/", "https://icons.example.com@10.0.0.1/",
  ])
  func userInformationIsRefused(_ url: String) {
    #expect(refusal(url) == .userInformation)
  }

  @Test(arguments: [0, 22, 80, 8443, 65535, 65536, 99999])
  func otherPortIsRefused(_ port: Int) {
    #expect(refusal("https://icons.example.com:\(port)/") == .port(port))
  }

  @Test func portThatTheUserAllowsIsAllowed() throws {
    let policy = FetchPolicy(ports: [8443])
    #expect(try policy.target(of: "https://icons.example.com:8443/").port == 8443)
    #expect(refusal("https://icons.example.com/", policy) == .port(443))
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F000001",
    "0x7f.0x0.0x0.0x1", "0177.0.0.1", "017700000001", "0x7f.1", "127.0.0.0x", "8.8.8.8",
    "999.999.999.999", "1.2.3.4.5", "example.1", "[::1]", "[::ffff:127.0.0.1]", "[2606:4700::1]",
    "[fe80::1]",
  ])
  func addressInAnySpellingIsRefused(_ host: String) {
    #expect(refusal("https://\(host)/") == .addressLiteral(host))
  }

  @Test(arguments: [
    "%6c%6f%63%61%6c%68%6f%73%74", "icons%2eexample.com", "127.0.0.1%2f.example.com",
    "127%2e0.0.1", "icons.example.com%00",
  ])
  func percentEncodedHostIsRefused(_ host: String) {
    #expect(refusal("https://\(host)/") == .percentEncodedHost(host))
  }

  @Test(arguments: ["router", "router.", "com", "xn--p1ai"])
  func singleLabelIsRefused(_ host: String) {
    #expect(refusal("https://\(host)/") == .singleLabel(host))
  }

  @Test(arguments: [
    ("localhost", "localhost"), ("LOCALHOST.", "localhost"), ("a.localhost", "localhost"),
    ("printer.local", "local"), ("Printer.LOCAL.", "local"),
    ("metadata.google.internal", "internal"),
    ("vault.Internal", "internal"), ("abcdef.onion", "onion"), ("router.home.arpa", "arpa"),
    ("1.0.0.127.in-addr.arpa", "arpa"), ("a.test", "test"), ("a.invalid", "invalid"),
    ("a.example", "example"), ("a.alt", "alt"),
  ])
  func specialDomainIsRefused(_ host: String, _ domain: String) {
    #expect(refusal("https://\(host)/") == .specialDomain(host, domain))
  }

  @Test(arguments: [
    ".", "..", "a..com", ".example.com", "example.com..", "a!b.example.com", "a,b.example.com",
    "\(String(repeating: "a", count: 64)).example.com",
    String(repeating: "abc.", count: 62) + "abcdefg",
  ])
  func malformedNameIsRefused(_ host: String) {
    #expect(refusal("https://\(host)/") == .malformedHost(host))
  }

  @Test(arguments: [
    (FetchRefusal.length(3000), "the URL has 3000 bytes; at most 2048 are allowed"),
    (.malformedURL("the URL has no host"), "the URL has no host"),
    (.scheme("http"), "the scheme 'http' is not https"),
    (.userInformation, "the URL contains a user name or password"),
    (.port(22), "port 22 is not allowed"),
    (.addressLiteral("127.1"), "the host '127.1' is an IP address, not a name"),
    (.percentEncodedHost("a%2eb"), "the host 'a%2eb' is percent-encoded"),
    (.malformedHost("a..b"), "the host 'a..b' is not a host name"),
    (.singleLabel("router"), "the host 'router' has no domain"),
    (
      .specialDomain("a.local", "local"),
      "the host 'a.local' is in '.local', which is not on the public internet"
    ),
    (.unknownAddress, "the host's address is neither IPv4 nor IPv6"),
  ])
  func refusalSaysWhy(_ refusal: FetchRefusal, _ words: String) {
    #expect(refusal.description == words)
  }
}

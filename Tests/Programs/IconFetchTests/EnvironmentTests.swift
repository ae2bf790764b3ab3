import TestSupport
import Testing

/// The program does not heed what the environment and the user's files say about the network.
@Suite struct EnvironmentTests {
  private static let url = "https://icons.example.com/exactly?count=3"
  private static let warning =
    "docsource: warning: DOCSOURCE_FETCH_TEST_CONNECT or DOCSOURCE_FETCH_TEST_CAFILE is set,"
    + " for tests only\n"
  private static let request =
    "GET /exactly?count=3 HTTP/1.1\r\nHost: icons.example.com\r\nUser-Agent: docsource\r\n"
    + "Accept: */*\r\n\r\n"

  private let authority: CertificateAuthority
  private let server: MisbehavingServer
  private let override: [String: String]

  init() throws {
    authority = try CertificateAuthority()
    server = try MisbehavingServer(try authority.identity(for: ["icons.example.com"]))
    override = [
      "DOCSOURCE_FETCH_TEST_CONNECT": "icons.example.com:443=127.0.0.1:\(server.port)",
      "DOCSOURCE_FETCH_TEST_CAFILE": authority.certificate,
    ]
  }

  @Test func overrideIsWarnedOf() throws {
    let execution = try Execution.run(
      [Docsource.fetchPath, "get", Self.url], environment: override)
    #expect(execution.output == [0, 0, 0])
    #expect(execution.errors == Self.warning)
    #expect(execution.status == 0)
    #expect(server.requests == [Self.request])
  }

  @Test func malformedOverrideIsAFailure() throws {
    let execution = try Execution.run(
      [Docsource.fetchPath, "get", Self.url],
      environment: ["DOCSOURCE_FETCH_TEST_CONNECT": "icons.example.com:443=10.0.0.1:443"])
    #expect(execution.output == [])
    #expect(
      execution.errors
        == "docsource: DOCSOURCE_FETCH_TEST_CONNECT: 10.0.0.1 is not a loopback address\n")
    #expect(execution.status == 2)
  }

  @Test func proxiesAreNotUsed() throws {
    let proxy = "http://127.0.0.1:\(LoopbackPort.free().number)"
    let names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"]
    let proxies = Dictionary(uniqueKeysWithValues: names.map { ($0, proxy) })
    // That such a proxy would be used by a program that heeds them.
    let control = try Execution.run(["curl", "-sS", Self.url], environment: proxies)
    #expect(control.status == 7)
    let execution = try Execution.run(
      [Docsource.fetchPath, "get", Self.url], environment: override.merging(proxies) { $1 })
    #expect(execution.output == [0, 0, 0])
    #expect(execution.errors == Self.warning)
    #expect(server.requests == [Self.request])
  }

  @Test func filesInTheHomeDirectoryAreNotRead() throws {
    let home = try TemporaryDirectory()
    let login = "machine icons.example.com login user password secret\ndefault login a password b\n"
    try home.file(".netrc", login)
    try home.file(".curlrc", "user = \"user:secret\"\nproxy = \"127.0.0.1:1\"\n")
    let execution = try Execution.run(
      [Docsource.fetchPath, "get", Self.url],
      environment: override.merging([
        "HOME": home.root, "CURL_HOME": home.root, "NETRC": home.path(".netrc"),
        "CURL_CA_BUNDLE": "/nonexistent", "SSL_CERT_FILE": "/nonexistent",
        "SSL_CERT_DIR": "/nonexistent",
      ]) { $1 })
    #expect(execution.output == [0, 0, 0])
    #expect(execution.errors == Self.warning)
    #expect(server.requests == [Self.request])
  }

  /// Variables that OpenSSL heeds must not make it trust more.
  @Test func certificatesOfTheEnvironmentAreNotTrusted() throws {
    var environment = override
    environment["DOCSOURCE_FETCH_TEST_CAFILE"] = nil
    environment["SSL_CERT_FILE"] = authority.certificate
    environment["CURL_CA_BUNDLE"] = authority.certificate
    let execution = try Execution.run(
      [Docsource.fetchPath, "get", Self.url], environment: environment)
    #expect(
      execution.errors
        == Self.warning + "docsource: \(Self.url): cannot fetch: the connection is not secure:"
        + " SSL certificate problem: unable to get local issuer certificate\n")
    #expect(execution.output == [])
    #expect(execution.status == 2)
    #expect(server.requests == [])
  }

  @Test func commandLineIsChecked() throws {
    for arguments in [[], ["get"], ["get", "a", "b"], ["put", "a"]] {
      let execution = try Execution.run([Docsource.fetchPath] + arguments)
      #expect(execution.errors == "docsource: docsource-fetch is run by docsource icon\n")
      #expect(execution.output == [])
      #expect(execution.status == 64)
    }
  }
}

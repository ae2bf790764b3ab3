import TestSupport
import Testing

@testable import IconFetch

/// What comes of well-made answers, from nginx.
@Suite struct FetchSessionTests {
  private static let icons = "https://icons.example.com"

  /// A server that is icons.example.com to a session of its own.
  private struct Place {
    let authority: CertificateAuthority
    let server: LoopbackServer
    let session: FetchSession

    init(
      certified hosts: [String] = ["*.example.com"], days: Int = 2, isTrusted: Bool = true,
      locations: String = "", protocols: String = "TLSv1.2 TLSv1.3", ciphers: String = "DEFAULT"
    ) throws {
      authority = try CertificateAuthority()
      server = try LoopbackServer(
        try authority.identity(for: hosts, days: days),
        files: [
          "appInfo.json": Array("{\"icons\":[]}\n".utf8),
          "icons/icon@2x.png": [137, 80, 78, 71, 0],
          "page.html": Array("<p>".utf8),
        ], locations: locations, protocols: protocols, ciphers: ciphers)
      let port = server.port
      let connect = ["icons", "other"].map { "\($0).example.com:443=127.0.0.1:\(port)" }
      session = FetchSession(
        override: try TestOverride(
          connect: connect.joined(separator: ","),
          certificates: isTrusted ? authority.certificate : nil))
    }

    func fetch(_ path: String) throws(FetchFailure) -> FetchResponse {
      try session.fetch(FetchRequest(icons + path, limits: .json))
    }

    /// Why a fetch fails; `nil` if it does not.
    func failure(_ path: String) -> FetchFailure? {
      do throws(FetchFailure) {
        _ = try fetch(path)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func fileIsFetchedWithItsHeader() throws {
    let place = try Place()
    let response = try place.fetch("/appInfo.json")
    #expect(response.status == 200)
    #expect(response.url == Self.icons + "/appInfo.json")
    #expect(response.body == Array("{\"icons\":[]}\n".utf8))
    #expect(response.fields.values("content-type") == ["application/json"])
    #expect(response.fields.values("content-length") == ["13"])
    #expect(response.fields.status == 200)
    #expect(try place.fetch("/icons/icon@2x.png").body == [137, 80, 78, 71, 0])
    #expect(
      try place.server.stop() == [
        "icons.example.com /appInfo.json 200", "icons.example.com /icons/icon@2x.png 200",
      ])
  }

  @Test func typeIsLeftToTheReader() throws {
    let response = try Place().fetch("/page.html")
    #expect(response.fields.values("content-type") == ["text/html"])
    #expect(response.body == Array("<p>".utf8))
  }

  @Test func unchangedFileIsNotSentAgain() throws {
    let place = try Place()
    let first = try place.fetch("/appInfo.json")
    let entityTag = try #require(first.fields.values("etag").first)
    let lastModified = try #require(first.fields.values("last-modified").first)
    for (tag, date) in [(entityTag, lastModified), (entityTag, nil), (nil, lastModified)] {
      let validators = FetchValidators(url: first.url, entityTag: tag, lastModified: date)
      let request = FetchRequest(first.url, limits: .json, validators: validators)
      let second = try place.session.fetch(request)
      #expect(second.status == 304)
      #expect(second.body == [])
      #expect(second.fields.values("etag") == [entityTag])
    }
    let other = FetchValidators(url: first.url, entityTag: "\"other\"", lastModified: nil)
    let changed = try place.session.fetch(
      FetchRequest(first.url, limits: .json, validators: other))
    #expect(changed.status == 200)
    #expect(changed.body == first.body)
  }

  @Test func unchangedWithoutBeingAskedIsAFailure() throws {
    let place = try Place(locations: "location /unasked { return 304; }")
    #expect(place.failure("/unasked")?.kind == .status(304))
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func redirectIsFollowed(_ status: Int) throws {
    let place = try Place(
      locations: """
        location /absolute { return \(status) https://other.example.com/appInfo.json; }
        location /relative/ { return \(status) ../appInfo.json; }
        """)
    #expect(try place.fetch("/absolute").url == "https://other.example.com/appInfo.json")
    #expect(try place.fetch("/relative/x").url == Self.icons + "/appInfo.json")
    #expect(
      try place.server.stop() == [
        "icons.example.com /absolute \(status)", "other.example.com /appInfo.json 200",
        "icons.example.com /relative/x \(status)", "icons.example.com /appInfo.json 200",
      ])
  }

  @Test func redirectToWhatIsRefusedIsNotFollowed() throws {
    let expected: [(location: String, refusal: FetchRefusal)] = [
      ("http://icons.example.com/appInfo.json", FetchRefusal.scheme("http")),
      ("ftp://icons.example.com/", .scheme("ftp")),
      ("file:///etc/passwd", .malformedURL("the URL has no host")),
      ("https://icons.example.com:8443/", .port(8443)),
      ("https://user:password@icons.example.com/", .userInformation),
      ("https://127.0.0.1/", .addressLiteral("127.0.0.1")),
      ("//2130706433/", .addressLiteral("127.0.0.1")),
      ("https://[::1]/", .addressLiteral("[::1]")),
      ("//localhost/", .specialDomain("localhost", "localhost")),
      ("https://printer.local/", .specialDomain("printer.local", "local")),
    ]
    let locations = expected.enumerated().map { number, expected in
      "location = /start\(number) { return 302 /middle\(number); }"
        + " location = /middle\(number) { return 302 \"\(expected.location)\"; }"
    }
    let place = try Place(locations: locations.joined(separator: "\n"))
    for (number, expected) in expected.enumerated() {
      let failure = try #require(place.failure("/start\(number)"))
      #expect(failure.requested == Self.icons + "/start\(number)")
      #expect(failure.kind == .refused(expected.refusal))
    }
    #expect(
      try place.server.stop()
        == expected.indices.flatMap { number in
          ["icons.example.com /start\(number) 302", "icons.example.com /middle\(number) 302"]
        })
  }

  @Test func statusOtherThanSuccessIsAFailure() throws {
    let place = try Place(
      locations: "location /500 { return 500; } location /204 { return 204; }")
    #expect(
      place.failure("/missing")?.description
        == "https://icons.example.com/missing: cannot fetch: the server responded with status 404")
    #expect(place.failure("/missing")?.kind == .status(404))
    #expect(place.failure("/500")?.kind == .status(500))
    #expect(place.failure("/204")?.kind == .status(204))
  }

  @Test(arguments: [
    (["icons.example.com"], -1, true, "certificate has expired"),
    (["icons.example.com"], 2, false, "unable to get local issuer certificate"),
  ])
  func certificateThatIsNotGoodIsRefused(
    _ hosts: [String], _ days: Int, _ isTrusted: Bool, _ words: String
  ) throws {
    let place = try Place(certified: hosts, days: days, isTrusted: isTrusted)
    #expect(
      place.failure("/appInfo.json")?.description
        == "https://icons.example.com/appInfo.json: cannot fetch: the connection is not secure:"
        + " SSL certificate problem: \(words)")
    #expect(try place.server.stop() == [])
  }

  @Test func certificateOfAnotherHostIsRefused() throws {
    let place = try Place(certified: ["other.example.com"])
    #expect(
      place.failure("/appInfo.json")?.kind
        == .insecure(
          "SSL: no alternative certificate subject name matches target host name"
            + " 'icons.example.com'"))
    #expect(try place.server.stop() == [])
  }

  @Test(arguments: [("TLSv1.1", false), ("TLSv1.2", true), ("TLSv1.3", true)])
  func olderTLSIsRefused(_ version: String, _ isAccepted: Bool) throws {
    let place = try Place(protocols: version, ciphers: "DEFAULT:@SECLEVEL=0")
    // That the server does speak it.
    let control = try Execution.run([
      "openssl", "s_client", "-connect", "127.0.0.1:\(place.server.port)", "-brief", "-cipher",
      "DEFAULT:@SECLEVEL=0", "-min_protocol", "TLSv1",
    ])
    #expect(control.errors.contains("Protocol version: \(version)\n"))
    let failure = place.failure("/appInfo.json")
    if isAccepted {
      #expect(failure == nil)
    } else if case .insecure = try #require(failure).kind {
      #expect(try place.server.stop() == [])
    } else {
      Issue.record("\(version): \(failure?.description ?? "")")
    }
  }

  @Test func portWhereNobodyListensIsAFailure() throws {
    let place = try Place()
    _ = try place.server.stop()
    #expect(
      place.failure("/")?.description
        == "https://icons.example.com/: cannot fetch: cannot connect to the server;"
        + " try again later")
  }

  @Test func loopbackAddressOfAnotherPortStaysRefused() throws {
    let place = try Place()
    let session = FetchSession(
      policy: FetchPolicy(ports: [place.server.port]),
      override: try TestOverride(connect: "", certificates: place.authority.certificate))
    #expect(throws: FetchFailure.self) {
      try session.fetch(
        FetchRequest("https://localhost:\(place.server.port)/appInfo.json", limits: .json))
    }
    #expect(try place.server.stop() == [])
  }
}

@Suite struct CertificateStoreTests {
  @Test func directoryWithHashLinksIsPreferred() throws {
    let directory = try TemporaryDirectory()
    let bundle = try directory.file("bundle.crt")
    let bundles = [directory.path("missing.crt"), bundle]
    let choice = { CertificateStore(directory: directory.root, bundles: bundles) }
    #expect(choice().directory == nil)
    #expect(choice().bundle == bundle)
    try directory.file("5ad8a5d6.0")
    #expect(choice().directory == directory.root)
    #expect(choice().bundle == nil)
  }

  @Test func missingDirectoryAndBundlesTrustNothing() {
    let store = CertificateStore(directory: "/nonexistent", bundles: ["/nonexistent/bundle"])
    #expect(store.directory == nil)
    #expect(store.bundle == nil)
  }

  @Test(arguments: [
    ("5ad8a5d6.0", true), ("00000000.12", true), ("5ad8a5d6.", false), ("5ad8a5d6.r0", false),
    ("5AD8A5D6.0", false), ("5ad8a5d.0", false), ("5ad8a5d6", false), ("", false),
    ("ca-certificates.crt", false),
  ])
  func hashNameIsEightHexadecimalDigitsAndANumber(_ name: String, _ isHash: Bool) {
    #expect(CertificateStore.isHashName(Array(name.utf8)) == isHash)
  }
}

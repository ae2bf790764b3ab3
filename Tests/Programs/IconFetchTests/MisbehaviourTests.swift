import TestSupport
import Testing

@testable import IconFetch

/// What comes of answers that no good server gives.
struct MisbehaviourTests {
  private let server: MisbehavingServer
  private let session: FetchSession
  private let authority: CertificateAuthority
  private static let icons = "https://icons.example.com"

  init() throws {
    authority = try CertificateAuthority()
    server = try MisbehavingServer(try authority.identity(for: ["*.example.com"]))
    let port = server.port
    let connect = ["icons", "other"].map { "\($0).example.com:443=127.0.0.1:\(port)" }
    session = FetchSession(
      override: try TestOverride(
        connect: connect.joined(separator: ","), certificates: authority.certificate))
  }

  /// Limits that a test need not wait long for.
  private static let limits = {
    var limits = FetchLimits(body: 1000)
    limits.header = 8192
    limits.headerLines = 50
    return limits
  }()

  private func outcome(
    _ path: String, _ limits: FetchLimits = Self.limits, _ validators: FetchValidators? = nil
  ) -> Result<FetchResponse, FetchFailure> {
    let request = FetchRequest(Self.icons + path, limits: limits, validators: validators)
    return Result { () throws(FetchFailure) in try session.fetch(request) }
  }

  private func kind(_ path: String, _ limits: FetchLimits = Self.limits) -> FetchFailure.Kind? {
    if case .failure(let failure) = outcome(path, limits) { failure.kind } else { nil }
  }

  private static let tooLargeHeader = FetchFailure.Kind.headerTooLarge(8192, lines: 50)

  @Test func misbehaviourIsReported() {
    let expected: [(path: String, kind: FetchFailure.Kind)] = [
      ("/truncated", FetchFailure.Kind.truncated), ("/truncated-chunk", .truncated),
      ("/endless", .bodyTooLarge(1000)), ("/endless-chunks", .bodyTooLarge(1000)),
      ("/announced", .bodyTooLarge(1000)), ("/exactly?count=1001", .bodyTooLarge(1000)),
      ("/endless-redirect-body", .bodyTooLarge(1000)),
      ("/gzip-bomb", .encoded("gzip")), ("/gzip-transfer", .encoded("gzip")),
      ("/header-flood", Self.tooLargeHeader), ("/header-lines", Self.tooLargeHeader),
      ("/interim-flood", Self.tooLargeHeader), ("/not-http", .malformed),
      ("/nothing", .noConnection),
      ("/endless-404", .status(404)), ("/status?code=500", .status(500)),
      ("/status?code=206", .status(206)), ("/redirect-without-location", .status(302)),
      ("/loop", .tooManyRedirects(3)), ("/count?left=4", .tooManyRedirects(3)),
      ("/redirect?to=http%3A%2F%2Fother.example.com%2F", .refused(.scheme("http"))),
    ]
    for (path, kind) in expected { #expect(self.kind(path) == kind, "\(path)") }
  }

  /// Only what begins as a PNG does may be as long as a picture.
  @Test func bodyThatIsNoPictureHasTheLowerLimit() {
    var limits = Self.limits
    limits.picture = 4000
    #expect(kind("/exactly?count=1001", limits) == .bodyTooLarge(1000))
  }

  @Test func headerLineWithoutEndIsNotCollected() {
    let kind = kind("/header-line")
    #expect(kind == Self.tooLargeHeader)
  }

  @Test func bodyOfJustTheLimitIsTaken() throws {
    #expect(try outcome("/exactly?count=1000").get().body == [UInt8](repeating: 0, count: 1000))
    #expect(try outcome("/exactly?count=0").get().body == [])
  }

  /// libcurl cannot tell whether such a body is whole; who reads it must.
  @Test func bodyWithoutLengthEndsWithTheConnection() throws {
    #expect(try outcome("/without-length").get().body == Array("abc".utf8))
  }

  @Test func whatFollowsTheBodyIsNotRead() throws {
    #expect(try outcome("/longer-than-said").get().body == Array("abc".utf8))
  }

  @Test func threeRedirectsAreFollowed() throws {
    let response = try outcome("/count?left=3").get()
    #expect(response.url == Self.icons + "/count?left=0")
    #expect(response.body == Array("here".utf8))
    #expect(server.requests.count == 4)
  }

  @Test func loopStopsAfterFourRequests() {
    #expect(kind("/loop") == .tooManyRedirects(3))
    #expect(server.requests.count == 4)
  }

  @Test func headerIsThatOfTheFinalResponse() throws {
    #expect(try outcome("/interim").get().fields.values("etag") == ["\"final\""])
    let trailed = try outcome("/trailer").get()
    #expect(trailed.fields.values("etag") == [])
    #expect(trailed.body == Array("abc".utf8))
    #expect(try outcome("/identity").get().body == Array("abc".utf8))
  }

  @Test func silentServerIsGivenUpInTime() {
    var limits = Self.limits
    limits.request = 400
    let clock = ContinuousClock()
    let time = clock.measure { #expect(kind("/silent", limits) == .timedOut) }
    // libcurl's own clock may be a millisecond ahead of this one.
    #expect(time >= .milliseconds(399))
    #expect(time < .milliseconds(7500))
  }

  @Test func timeIsLimitedOverAllRedirects() {
    var limits = Self.limits
    limits.total = 3000
    let path = "/redirect?to=%2Fredirect%3Fto%3D%252Fstalled"
    let clock = ContinuousClock()
    let time = clock.measure { #expect(kind(path, limits) == .timedOut) }
    #expect(time >= .seconds(3))
    #expect(time < .milliseconds(6500))
    #expect(server.requests.count == 3)
  }

  @Test func noTimeLeftIsNoRequest() {
    var limits = Self.limits
    limits.total = 0
    #expect(kind("/cookie", limits) == .timedOut)
    #expect(server.requests == [])
  }

  @Test(arguments: ["/slow", "/stalled"])
  func slowServerIsGivenUp(_ path: String) {
    var limits = Self.limits
    limits.body = 10_000
    limits.slowSeconds = 1
    #expect(kind(path, limits) == .tooSlow)
  }

  /// Its TLS never begins.
  @Test func connectionIsGivenUpInTime() throws {
    let silent = try ServerProcess(
      ["python3", "-c", Self.silentListener, "\(silentPort.number)"], isReady: { silentPort.isOpen }
    )
    defer { silent.stop() }
    let session = FetchSession(
      override: try TestOverride(
        connect: "icons.example.com:443=127.0.0.1:\(silentPort.number)"))
    var limits = Self.limits
    limits.connect = 400
    let clock = ContinuousClock()
    let time = clock.measure {
      let failure = #expect(throws: FetchFailure.self) {
        try session.fetch(FetchRequest(Self.icons, limits: limits))
      }
      #expect(failure?.kind == .timedOut)
    }
    #expect(time >= .milliseconds(400))
    #expect(time < .milliseconds(7500))
  }

  private let silentPort = LoopbackPort.free()
  private static let silentListener = """
    import socket, sys, time
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    time.sleep(60)
    """

  @Test func requestSaysNothingButWhatItMust() throws {
    _ = try outcome("/exactly?count=3#fragment").get()
    #expect(
      server.requests == [
        "GET /exactly?count=3 HTTP/1.1\r\nHost: icons.example.com\r\nUser-Agent: docsource\r\n"
          + "Accept: */*\r\n\r\n"
      ])
  }

  @Test func validatorsGoOnlyToTheURLThatGaveThem() throws {
    let here = FetchValidators(
      url: Self.icons + "/exactly?count=1", entityTag: "W/\"a\"",
      lastModified: "Sat, 01 Nov 2025 00:00:00 GMT")
    _ = try outcome("/exactly?count=1", Self.limits, here).get()
    _ = try outcome("/exactly?count=2", Self.limits, here).get()
    _ = try outcome("/redirect?to=%2Fexactly%3Fcount%3D1", Self.limits, here).get()
    let plain = "Host: icons.example.com\r\nUser-Agent: docsource\r\nAccept: */*\r\n"
    let conditional =
      "GET /exactly?count=1 HTTP/1.1\r\n\(plain)If-None-Match: W/\"a\"\r\n"
      + "If-Modified-Since: Sat, 01 Nov 2025 00:00:00 GMT\r\n\r\n"
    #expect(
      server.requests == [
        conditional, "GET /exactly?count=2 HTTP/1.1\r\n\(plain)\r\n",
        "GET /redirect?to=%2Fexactly%3Fcount%3D1 HTTP/1.1\r\n\(plain)\r\n", conditional,
      ])
  }

  @Test(arguments: ["a\r\nX: y", "a\nb", "\u{0}", "", String(repeating: "a", count: 1025)])
  func validatorThatCouldChangeTheRequestIsLeftOut(_ value: String) throws {
    let url = Self.icons + "/exactly?count=1"
    let validators = FetchValidators(url: url, entityTag: value, lastModified: value)
    _ = try outcome("/exactly?count=1", Self.limits, validators).get()
    #expect(
      server.requests == [
        "GET /exactly?count=1 HTTP/1.1\r\nHost: icons.example.com\r\nUser-Agent: docsource\r\n"
          + "Accept: */*\r\n\r\n"
      ])
  }

  @Test func cookieIsNotSentBackNorARefererAlong() throws {
    _ = try outcome("/cookie").get()
    _ = try outcome("/cookie").get()
    _ = try outcome("/redirect?to=%2Fcookie").get()
    let fields = "Host: icons.example.com\r\nUser-Agent: docsource\r\nAccept: */*\r\n\r\n"
    #expect(
      server.requests == [
        "GET /cookie HTTP/1.1\r\n\(fields)", "GET /cookie HTTP/1.1\r\n\(fields)",
        "GET /redirect?to=%2Fcookie HTTP/1.1\r\n\(fields)", "GET /cookie HTTP/1.1\r\n\(fields)",
      ])
  }

  /// The session goes on as before after whatever befell it.
  @Test func failureLeavesNothing() throws {
    for path in ["/truncated", "/endless", "/header-flood", "/not-http", "/loop", "/gzip-bomb"] {
      #expect(kind(path) != nil)
      #expect(try outcome("/cookie").get().body == Array("abc".utf8))
    }
  }
}

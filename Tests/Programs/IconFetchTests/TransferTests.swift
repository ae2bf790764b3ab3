import CCurl
import TestSupport
import Testing

@testable import IconFetch

/// What a transfer takes and whom it takes it from, bytes and addresses given one by one.
struct TransferTests {
  private static let url = "https://icons.example.com/cookie"

  private static func transfer(
    _ limits: FetchLimits = .json, _ override: TestOverride? = nil
  ) throws -> Transfer {
    Transfer(try FetchPolicy().target(of: url), limits, override)
  }

  private static func take(_ line: String, _ transfer: Transfer) -> Bool {
    Array(line.utf8).withUnsafeBytes { transfer.takeHeaderLine($0) }
  }

  private static func refusal(_ address: String) throws -> FetchFailure.Kind {
    let address = try #require(InternetAddress(address))
    let block = try #require(AddressPolicy.refusal(of: address))
    return .refused(.address(address, in: block))
  }

  /// Few lines, so that their number does not matter.
  @Test(arguments: [(16, true), (17, false)])
  func lengthOfAHeaderIsLimited(_ length: Int, _ isTaken: Bool) throws {
    var limits = FetchLimits.json
    limits.header = 40
    let transfer = try Self.transfer(limits)
    #expect(Self.take("HTTP/1.1 200 OK\r\n", transfer))
    #expect(Self.take("X: " + String(repeating: "y", count: length) + "\r\n", transfer))
    #expect(Self.take("\r\n", transfer) == isTaken)
    #expect(transfer.isHeaderComplete == isTaken)
    #expect(transfer.end == (isTaken ? nil : .headerTooLarge(40, lines: 128)))
  }

  /// Of little length, so that it does not matter.
  @Test(arguments: [(3, true), (4, false)])
  func numberOfHeaderLinesIsLimited(_ count: Int, _ isTaken: Bool) throws {
    var limits = FetchLimits.json
    limits.headerLines = 5
    let transfer = try Self.transfer(limits)
    #expect(Self.take("HTTP/1.1 200 OK\r\n", transfer))
    for _ in 0..<count { try #require(Self.take("X: y\r\n", transfer)) }
    #expect(Self.take("\r\n", transfer) == isTaken)
    #expect(transfer.isHeaderComplete == isTaken)
    #expect(transfer.end == (isTaken ? nil : .headerTooLarge(32 << 10, lines: 5)))
  }

  @Test func linesOfATrailerCountAsThoseOfTheHeader() throws {
    var limits = FetchLimits.json
    limits.headerLines = 3
    let transfer = try Self.transfer(limits)
    for line in ["HTTP/1.1 200 OK\r\n", "\r\n", "X: y\r\n"] {
      try #require(Self.take(line, transfer))
    }
    #expect(!Self.take("X: y\r\n", transfer))
    #expect(transfer.end == .headerTooLarge(32 << 10, lines: 3))
  }

  @Test func addressOfAConnectionIsJudgedBeforeTheRequest() throws {
    let transfer = try Self.transfer()
    #expect(transfer.acceptsRequest(to: "93.184.215.14", port: 443))
    #expect(transfer.end == nil)
    #expect(!transfer.acceptsRequest(to: "10.0.0.1", port: 443))
    #expect(try transfer.end == Self.refusal("10.0.0.1"))
    let unknown = try Self.transfer()
    #expect(!unknown.acceptsRequest(to: "/run/socket", port: 443))
    #expect(unknown.end == .refused(.unknownAddress))
  }

  @Test func portOfAPermittedAddressCountsBeforeTheRequest() throws {
    let override = try TestOverride(connect: "icons.example.com:443=127.0.0.1:8443")
    let transfer = try Self.transfer(.json, override)
    #expect(transfer.acceptsRequest(to: "127.0.0.1", port: 8443))
    #expect(!transfer.acceptsRequest(to: "127.0.0.1", port: 8444))
    #expect(!transfer.acceptsRequest(to: "127.0.0.1", port: 65536 + 8443))
    #expect(try transfer.end == Self.refusal("127.0.0.1"))
  }

  /// No socket is made for the second request, so that its address is judged there for the first
  /// time.
  @Test func connectionThatStandsIsJudgedByLibcurlsCallback() throws {
    let authority = try CertificateAuthority()
    let server = try MisbehavingServer(try authority.identity(for: ["*.example.com"]))
    let connection = "icons.example.com:443=127.0.0.1:\(server.port)"
    let override = try TestOverride(connect: connection)
    let handle = try EasyHandle()
    func perform(_ transfer: Transfer) throws {
      defer { withExtendedLifetime(transfer) {} }
      try handle.reset()
      try handle.set(CURLOPT_URL, Self.url)
      try handle.set(CURLOPT_PROXY, "")
      try handle.set(CURLOPT_CAINFO, authority.certificate)
      try handle.set(CURLOPT_CONNECT_TO, override.connections.map(\.text))
      try handle.deliver(to: transfer)
      try handle.perform()
    }
    let permitted = try Self.transfer(.json, override)
    try perform(permitted)
    #expect(permitted.status == 200)
    #expect(permitted.body == Array("abc".utf8))
    let refused = try Self.transfer()
    let failure = #expect(throws: CurlFailure.self) { try perform(refused) }
    #expect(failure?.code == CURLE_ABORTED_BY_CALLBACK)
    #expect(try refused.end == Self.refusal("127.0.0.1"))
    #expect(refused.status == 0)
    #expect(server.requests.count == 1)
  }
}

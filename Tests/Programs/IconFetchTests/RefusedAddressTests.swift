import TestSupport
import Testing

/// No address outside the public internet is connected to, however a URL leads there.
@Suite(.enabled(if: OwnInternet.mayRun, "a network namespace needs root"))
struct RefusedAddressTests {
  private static let publicAddresses = ["A": "93.184.215.14", "AAAA": "2606:2800:21f::1"]

  /// The ways by which a URL leads to an address.
  enum Way: CaseIterable {
    case literal, resolved, redirectedToLiteral, redirectedToName, rebound
  }

  /// Addresses to which Linux itself makes no TCP connection: multicast, broadcast, and link local
  /// ones without an interface.
  private static let unreachable = [
    "224.0.0.1", "239.255.255.250", "255.255.255.255", "fe80::1", "ff02::1", "ff0e::1",
  ]

  private static func run(
    _ internet: OwnInternet, _ urls: [String], trusting: Bool = true
  ) throws -> (reachable: [String], fetches: [OwnInternet.Fetch]) {
    let authority = try CertificateAuthority()
    let identity = try authority.identity(for: ["*.example.com"])
    return try internet.run(
      [Docsource.fetchPath, "get"], urls: urls, identity,
      environment: trusting ? ["DOCSOURCE_FETCH_TEST_CAFILE": authority.certificate] : [:])
  }

  private static let warning =
    "docsource: warning: DOCSOURCE_FETCH_TEST_CONNECT or DOCSOURCE_FETCH_TEST_CAFILE is set,"
    + " for tests only\n"

  @Test(arguments: Way.allCases)
  func refusedAddressIsNeverReached(_ way: Way) throws {
    var internet = OwnInternet()
    internet.probes = SpecialAddress.all.map(\.address)
    internet.names["public.example.com"] = ["A": [["93.184.215.14"]]]
    var urls: [String] = []
    var expected: [(errors: String, reached: [String])] = []
    for (number, special) in SpecialAddress.all.enumerated() {
      let name = "name\(number).example.com"
      let kind = special.isIPv6 ? "AAAA" : "A"
      let publicAddress = Self.publicAddresses[kind] ?? ""
      let host = special.isIPv6 ? "[\(special.address)]" : special.address
      let literal = "refused: the host '\(host)' is an IP address, not a name\n"
      let resolved =
        "refused: the host's address \(special.address) is in \(special.block),"
        + " not on the public internet\n"
      let isName = way != .literal && way != .redirectedToLiteral
      if isName {
        let first = way == .rebound ? [[publicAddress]] : []
        internet.names[name] = [kind: first + [[special.address]]]
      }
      let end = isName ? "https://\(name)/" : "https://\(host)/"
      let reason = isName ? resolved : literal
      switch way {
      case .literal, .resolved:
        urls.append(end)
        expected.append(("docsource: \(end): cannot fetch: \(reason)", []))
      case .redirectedToLiteral, .redirectedToName, .rebound:
        let start = "https://\(way == .rebound ? name : "public.example.com")/\(number)"
        internet.redirects["/\(number)"] = end
        urls.append(start)
        expected.append(
          (
            "docsource: \(start): cannot fetch: redirected to \(end): \(reason)",
            way == .rebound ? [publicAddress] : ["93.184.215.14"]
          ))
      }
    }
    let (reachable, fetches) = try Self.run(internet, urls)
    // All would have reached the server but for those that no program can reach.
    #expect(reachable == internet.probes.filter { !Self.unreachable.contains($0) })
    #expect(fetches.count == expected.count)
    #expect(fetches.count >= 30)
    for (fetch, expected) in zip(fetches, expected) {
      #expect(fetch.errors == Self.warning + expected.errors)
      #expect(fetch.reached == expected.reached, "\(expected.errors)")
      #expect(fetch.output == "")
      #expect(fetch.status == 2)
    }
  }

  @Test func publicAddressIsReached() throws {
    var internet = OwnInternet()
    internet.names["four.example.com"] = ["A": [["93.184.215.14"]]]
    internet.names["six.example.com"] = ["AAAA": [["2606:2800:21f::1"]]]
    internet.redirects["/to-six"] = "https://six.example.com/"
    let urls = [
      "https://four.example.com/", "https://six.example.com/", "https://four.example.com/to-six",
    ]
    let (_, fetches) = try Self.run(internet, urls)
    #expect(fetches.map(\.output) == ["reached", "reached", "reached"])
    #expect(fetches.map(\.errors) == [Self.warning, Self.warning, Self.warning])
    #expect(fetches.map(\.status) == [0, 0, 0])
    #expect(
      fetches.map(\.reached) == [
        ["93.184.215.14"], ["2606:2800:21f::1"], ["93.184.215.14", "2606:2800:21f::1"],
      ])
  }

  @Test func acceptableAddressAmongRefusedOnesIsTaken() throws {
    var internet = OwnInternet()
    internet.names["some.example.com"] = [
      "A": [["10.0.0.1", "93.184.215.14", "127.0.0.1"]], "AAAA": [["::1", "fc00::1"]],
    ]
    internet.names["none.example.com"] = [
      "A": [["10.0.0.1", "127.0.0.1"]], "AAAA": [["::1", "::ffff:10.0.0.1"]],
    ]
    let urls = ["https://some.example.com/", "https://none.example.com/"]
    let (_, fetches) = try Self.run(internet, urls)
    #expect(fetches.map(\.output) == ["reached", ""])
    #expect(fetches.map(\.reached) == [["93.184.215.14"], []])
    #expect(fetches.map(\.status) == [0, 2])
    #expect(fetches[1].errors.contains("cannot fetch: refused: the host's address "))
  }

  @Test func nameWithoutAddressIsNotFound() throws {
    var internet = OwnInternet()
    internet.names["empty.example.com"] = [:]
    let urls = ["https://empty.example.com/", "https://missing.example.com/"]
    let (_, fetches) = try Self.run(internet, urls, trusting: false)
    for (fetch, url) in zip(fetches, urls) {
      #expect(
        fetch.errors == "docsource: \(url): cannot fetch: host not found;"
          + " check the host name and the network connection\n")
      #expect(fetch.status == 2)
    }
  }

  @Test func lookupWithoutAnswerIsGivenUpInTime() throws {
    var internet = OwnInternet()
    internet.names["silent.example.com"] = ["A": [nil], "AAAA": [nil]]
    let (_, fetches) = try Self.run(internet, ["https://silent.example.com/"], trusting: false)
    #expect(
      fetches.map(\.errors) == [
        "docsource: https://silent.example.com/: cannot fetch:"
          + " the server did not respond in time; try again later\n"
      ])
    #expect(fetches.allSatisfy { (2.9..<4.5).contains($0.seconds) })
  }

  /// The system's authorities do not know the tests' own.
  @Test func certificateOfAnUnknownAuthorityIsRefused() throws {
    var internet = OwnInternet()
    internet.names["public.example.com"] = ["A": [["93.184.215.14"]]]
    let (_, fetches) = try Self.run(internet, ["https://public.example.com/"], trusting: false)
    #expect(
      fetches.map(\.errors) == [
        "docsource: https://public.example.com/: cannot fetch: the connection is not secure:"
          + " SSL certificate problem: unable to get local issuer certificate\n"
      ])
    #expect(fetches.map(\.output) == [""])
  }
}

package import AppIcon
internal import TextFormats

/// The URLs that may be fetched. The policy holds for every hop of a redirect.
package struct FetchPolicy: Sendable {
  /// The ports that URLs may name; one that names none means 443.
  package var ports: Set<UInt16>
  /// The hosts beyond which nothing is fetched; `nil` if the user has asked for the fetch.
  package var trusted: TrustedHosts?

  package init(ports: Set<UInt16> = [443], trusted: TrustedHosts? = nil) {
    self.ports = ports
    self.trusted = trusted
  }

  /// Checks a URL before anything is sent or looked up.
  ///
  /// - Throws: `FetchRefusal`: more than 2048 bytes, no URL by RFC 3986, another scheme than https,
  ///   user information, a port that is not allowed, a host that is no name of the public domain name
  ///   system, or one that is not trusted.
  package func target(of url: String) throws(FetchRefusal) -> FetchTarget {
    guard url.utf8.count <= ResolvedURL.limit else { throw .length(url.utf8.count) }
    let parts = try Result { () throws(AbsoluteURL.Flaw) in try AbsoluteURL(url) }
      .mapError { FetchRefusal.malformedURL($0.reason) }.get()
    guard parts.scheme == "https" else { throw .scheme(parts.scheme) }
    guard !parts.authority.hasUserInformation else { throw .userInformation }
    let host = try Self.check(parts.authority.host)
    let number = parts.authority.port ?? 443
    guard let port = UInt16(exactly: number), ports.contains(port) else { throw .port(number) }
    guard trusted?.contains(host) != false else { throw .untrusted(host) }
    return FetchTarget(url: url, host: host, port: port)
  }

  /// Domains that never lead to the public internet, and why.
  ///
  /// Those of IANA's Special-Use Domain Names registry (RFC 6761, 6762, 7686, 8375, 9476), ICANN's
  /// `internal`, and all of `arpa`, which holds no hosts (RFC 3172).
  private static let specialDomains: Set<String> = [
    "alt", "arpa", "example", "internal", "invalid", "local", "localhost", "onion", "test",
  ]

  /// Refuses IP addresses in any spelling, single labels, special domains and malformed names.
  ///
  /// - Parameter host: as written in a URL, an IPv6 address with its brackets.
  /// - Returns: the host in lower case and without the dot of the root at its end.
  private static func check(_ host: String) throws(FetchRefusal) -> String {
    let name: HostName
    do throws(HostName.Flaw) {
      name = try HostName(host)
    } catch {
      switch error {
      case .address: throw .addressLiteral(host)
      case .percentEncoded: throw .percentEncodedHost(host)
      case .malformed: throw .malformedHost(host)
      }
    }
    let domain = name.topLevelDomain
    if specialDomains.contains(domain) { throw .specialDomain(host, domain) }
    guard !name.isSingleLabel else { throw .singleLabel(host) }
    return name.text
  }
}

/// A URL that may be fetched, as far as can be known before its host is looked up.
package struct FetchTarget: Hashable, Sendable {
  /// As given.
  package let url: String
  /// In lower case, without the dot of the root.
  package let host: String
  package let port: UInt16
}

/// Why policy forbids a fetch.
package struct FetchRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in words, made safe to show.
  package let description: String
  /// Whether it is only the user's list of trusted hosts that forbids the fetch.
  package let isUntrusted: Bool

  private init(_ words: String, isUntrusted: Bool = false) {
    description = words
    self.isUntrusted = isUntrusted
  }

  /// - Parameter words: what is wrong with the host, after its name in the message.
  private init(host: String, _ words: String, isUntrusted: Bool = false) {
    self.init("the host '\(EscapedText(host))' \(words)", isUntrusted: isUntrusted)
  }

  package static func length(_ length: Int) -> Self {
    Self("the URL has \(length) bytes; at most \(ResolvedURL.limit) are allowed")
  }
  /// The URL is none by RFC 3986; the reason is in words.
  package static func malformedURL(_ reason: String) -> Self { Self("\(EscapedText(reason))") }
  package static func scheme(_ scheme: String) -> Self {
    Self("the scheme '\(scheme)' is not https")
  }
  package static let userInformation = Self("the URL contains a user name or password")
  package static func port(_ port: Int) -> Self { Self("port \(port) is not allowed") }
  package static func addressLiteral(_ host: String) -> Self {
    Self(host: host, "is an IP address, not a name")
  }
  /// The host has a `%`, which could hide another host.
  package static func percentEncodedHost(_ host: String) -> Self {
    Self(host: host, "is percent-encoded")
  }
  package static func malformedHost(_ host: String) -> Self {
    Self(host: host, "is not a host name")
  }
  /// The host has no dot, so that it means something different in each network.
  package static func singleLabel(_ host: String) -> Self { Self(host: host, "has no domain") }
  package static func specialDomain(_ host: String, _ domain: String) -> Self {
    Self(host: host, "is in '.\(domain)', which is not on the public internet")
  }
  package static func address(_ address: InternetAddress, in block: AddressBlock) -> Self {
    Self("the host's address \(address) is in \(block), not on the public internet")
  }
  package static let unknownAddress = Self("the host's address is neither IPv4 nor IPv6")
  /// The host is not on the user's list, and the user has not asked for this fetch.
  package static func untrusted(_ host: String) -> Self {
    Self(host: host, "is not trusted", isUntrusted: true)
  }
}

private import CommandLineInterface
internal import TextFormats

/// Why policy forbids a fetch.
public struct FetchRefusal: Error, Hashable, Sendable {
  private enum Kind: Hashable {
    case length(Int)
    case malformedURL(String)
    case scheme(String)
    case userInformation
    case port(Int)
    case addressLiteral(String)
    case percentEncodedHost(String)
    case malformedHost(String)
    case singleLabel(String)
    case specialDomain(String, String)
    case address(InternetAddress, AddressBlock)
    case unknownAddress
    case untrusted(String)
  }

  private let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }
}

extension FetchRefusal {
  /// The URL is longer than `FetchPolicy.maximumURLLength`.
  public static func length(_ length: Int) -> Self { Self(.length(length)) }
  /// The URL is none by RFC 3986; the reason is in words.
  public static func malformedURL(_ reason: String) -> Self { Self(.malformedURL(reason)) }
  /// The scheme is not https.
  public static func scheme(_ scheme: String) -> Self { Self(.scheme(scheme)) }
  /// The URL has a user's name or password before its host.
  public static let userInformation = Self(.userInformation)
  /// The port is not among `FetchPolicy.ports`.
  public static func port(_ port: Int) -> Self { Self(.port(port)) }
  /// The host is an IP address, in whatever spelling.
  public static func addressLiteral(_ host: String) -> Self { Self(.addressLiteral(host)) }
  /// The host has a `%`, behind which another host could hide.
  public static func percentEncodedHost(_ host: String) -> Self { Self(.percentEncodedHost(host)) }
  /// The host is no name of the domain name system.
  public static func malformedHost(_ host: String) -> Self { Self(.malformedHost(host)) }
  /// The host has no dot, so that it means something different in each network.
  public static func singleLabel(_ host: String) -> Self { Self(.singleLabel(host)) }
  /// The host lies in a domain that does not lead to the public internet.
  public static func specialDomain(_ host: String, _ domain: String) -> Self {
    Self(.specialDomain(host, domain))
  }
  /// The host's address lies in a block that `AddressPolicy` refuses.
  public static func address(_ address: InternetAddress, in block: AddressBlock) -> Self {
    Self(.address(address, block))
  }
  /// The host's address is neither of IPv4 nor of IPv6.
  public static let unknownAddress = Self(.unknownAddress)
  /// The host is not on the user's list, and the user has not asked for this fetch.
  public static func untrusted(_ host: String) -> Self { Self(.untrusted(host)) }
}

extension FetchRefusal: CustomStringConvertible {
  /// The reason in words, made safe to show.
  public var description: String {
    switch kind {
    case .length(let length):
      "the URL has \(length) bytes, more than \(FetchPolicy.maximumURLLength)"
    case .malformedURL(let reason): EscapedText(reason).description
    case .scheme(let scheme): "its scheme '\(scheme)' is not https"
    case .userInformation: "the URL holds a user's name or password"
    case .port(let port): "port \(port) is not allowed"
    case .addressLiteral(let host): "the host '\(EscapedText(host))' is an IP address, not a name"
    case .percentEncodedHost(let host): "the host '\(EscapedText(host))' is percent-encoded"
    case .malformedHost(let host): "the host '\(EscapedText(host))' is no host name"
    case .singleLabel(let host): "the host '\(EscapedText(host))' has no domain"
    case .specialDomain(let host, let domain):
      "the host '\(EscapedText(host))' is in '.\(domain)', which is not on the public internet"
    case .address(let address, let block):
      "the host's address \(address) is in \(block), not on the public internet"
    case .untrusted(let host):
      "the host '\(EscapedText(host))' is not trusted; see 'docsource icon trust'"
    case .unknownAddress: "the host's address is neither IPv4 nor IPv6"
    }
  }
}

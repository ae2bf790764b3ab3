internal import AppIcon

/// Which hosts may be named in a URL: names of the public domain name system.
public enum HostPolicy {
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
  public static func check(_ host: String) throws(FetchRefusal) -> String {
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

public import AppIcon
private import DocumentSource
internal import TextFormats

/// What may be fetched. It holds for every hop of a redirect.
public struct FetchPolicy: Sendable {
  /// In bytes.
  public static let maximumURLLength = 2048

  /// The ports that URLs may name; one that names none means 443.
  public var ports: Set<UInt16>
  /// The hosts beyond which nothing is fetched; `nil` where the user has asked for the fetch.
  public var trusted: TrustedHosts?

  public init(ports: Set<UInt16> = [443], trusted: TrustedHosts? = nil) {
    self.ports = ports
    self.trusted = trusted
  }

  /// Checks a URL before anything is sent or looked up.
  ///
  /// - Throws: `FetchRefusal`: more than 2048 bytes, no URL by RFC 3986, another scheme than https,
  ///   user information, a port that is not allowed, a host that `HostPolicy` refuses, or one that
  ///   is not trusted.
  public func target(of url: String) throws(FetchRefusal) -> FetchTarget {
    guard url.utf8.count <= Self.maximumURLLength else { throw .length(url.utf8.count) }
    let parts: AbsoluteURL
    do throws(AbsoluteURL.Flaw) {
      parts = try AbsoluteURL(url)
    } catch {
      throw .malformedURL(error.reason)
    }
    guard parts.scheme == "https" else { throw .scheme(parts.scheme) }
    guard !parts.authority.hasUserInformation else { throw .userInformation }
    let host = try HostPolicy.check(parts.authority.host)
    let number = parts.authority.port ?? 443
    guard let port = UInt16(exactly: number), ports.contains(port) else { throw .port(number) }
    guard trusted?.contains(host) != false else { throw .untrusted(host) }
    return FetchTarget(url: url, host: host, port: port)
  }
}

internal import AppIcon
internal import TextFormats

/// A fetch that gave nothing: the URL, how far it came, and why.
public struct FetchFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why the fetch failed. A cache decides by the kind how long it remembers the failure.
  public enum Kind: Error, Hashable, Sendable {
    /// Policy forbids it; the same URL may be allowed elsewhere or later.
    case refused(FetchRefusal)
    case unknownHost
    /// No connection came about, or it broke before an answer.
    case noConnection
    /// The server's certificate or TLS is not acceptable; libcurl's words.
    case insecure(String)
    case timedOut
    /// Fewer than `slowRate` bytes a second for `slowSeconds`.
    case tooSlow
    case bodyTooLarge(Int)
    case headerTooLarge(Int, lines: Int)
    case truncated
    case malformed
    case encoded(String)
    case tooManyRedirects(Int)
    /// The server answered with a status other than 200, or 304 that was not asked for.
    case status(Int)
    /// libcurl could not be set up; its words.
    case unusable(String)
  }

  /// The URL that was asked for.
  public let requested: String
  /// The URL that failed: another where the first was redirected.
  public let url: String
  public let kind: Kind

  /// The URL that was asked for, what was tried, and why it failed.
  public var description: String {
    let redirected = url == requested ? "" : "redirected to \(Self.shown(url)): "
    return "\(Self.shown(requested)): cannot fetch: \(redirected)\(reason)"
  }

  /// A URL made safe to show; one that is refused for its length is cut.
  private static func shown(_ url: String) -> String {
    guard url.utf8.count > ResolvedURL.limit else { return EscapedText(url).description }
    return EscapedText(Array(url.utf8.prefix(80))).description + "…"
  }

  private var reason: String {
    switch kind {
    case .refused(let refusal): "refused: \(refusal)"
    case .unknownHost: "host not found; check the host name and the network connection"
    case .noConnection: "cannot connect to the server; try again later"
    case .insecure(let words): "the connection is not secure: \(EscapedText(words))"
    case .timedOut: "the server did not respond in time; try again later"
    case .tooSlow: "the server responds too slowly; try again later"
    case .bodyTooLarge(let limit): "the response is larger than \(limit) bytes"
    case .headerTooLarge(let limit, let lines):
      "the header of the response is larger than \(limit) bytes or \(lines) lines"
    case .truncated: "the response is incomplete; try again later"
    case .malformed: "the response is not HTTP"
    case .encoded(let coding):
      "the response is encoded as '\(EscapedText(coding))', which was not requested"
    case .tooManyRedirects(let limit): "more than \(limit) redirects"
    case .status(let status): "the server responded with status \(status)"
    case .unusable(let words): "cannot use libcurl: \(EscapedText(words))"
    }
  }
}

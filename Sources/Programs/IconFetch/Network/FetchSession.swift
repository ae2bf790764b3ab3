package import AppIcon
internal import CCurl
internal import LinuxSystem
internal import TextFormats

/// Fetches untrusted URLs, and only what `FetchPolicy` and `AddressPolicy` allow.
///
/// https with TLS 1.2 or later and HTTP/1.1; no proxy, cookies, credentials, Referer or compression,
/// whatever the environment and the user's files say. A connection stays open for the next fetch.
package final class FetchSession {
  /// The same for everyone: no version, no operating system.
  static let userAgent = "docsource"

  private let policy: FetchPolicy
  private let override: TestOverride?
  private let certificates: CertificateStore
  private var handle: EasyHandle?

  package convenience init(policy: FetchPolicy = FetchPolicy(), override: TestOverride? = nil) {
    self.init(policy: policy, override: override, certificates: .system)
  }

  init(policy: FetchPolicy, override: TestOverride?, certificates: CertificateStore) {
    self.policy = policy
    self.override = override
    self.certificates = certificates
  }

  /// Gets a URL, following redirects with every check again at each.
  ///
  /// - Returns: an answer of status 200, or 304 where the request had validators.
  /// - Throws: `FetchFailure`: refused by policy, a limit reached, or no such answer.
  package func fetch(_ request: FetchRequest) throws(FetchFailure) -> FetchResponse {
    let start = Clock.now
    var url = request.url
    var redirects: [FetchResponse.Redirect] = []
    for _ in 0...max(0, request.limits.redirects) {
      let spent = Int((Clock.now - start) / .milliseconds(1))
      let time = min(request.limits.request, request.limits.total - spent)
      let transfer: Transfer
      do throws(FetchFailure.Kind) {
        guard time > 0 else { throw .timedOut }
        transfer = try perform(request, at: url, milliseconds: time)
        if let redirectURL = transfer.isRedirect ? handle?.redirectURL : nil {
          url = redirectURL
          redirects.append(.init(status: transfer.status, fields: transfer.fields))
          continue
        }
        let isAsked = transfer.status == 304 && request.validators?.url == url
        guard transfer.status == 200 || isAsked else { throw .status(transfer.status) }
      } catch {
        throw FetchFailure(requested: request.url, url: url, kind: error)
      }
      return FetchResponse(
        status: transfer.status, redirects: redirects, url: url, fields: transfer.fields,
        body: transfer.body)
    }
    let kind = FetchFailure.Kind.tooManyRedirects(request.limits.redirects)
    throw FetchFailure(requested: request.url, url: url, kind: kind)
  }

  /// Does one request and judges how it ended, but not its status.
  private func perform(
    _ request: FetchRequest, at url: String, milliseconds: Int
  ) throws(FetchFailure.Kind) -> Transfer {
    let target = try Result { () throws(FetchRefusal) in try policy.target(of: url) }
      .mapError(FetchFailure.Kind.refused).get()
    let transfer = Transfer(target, request.limits, override)
    let handle: EasyHandle
    do throws(CurlFailure) {
      if let kept = self.handle { handle = kept } else { handle = try EasyHandle() }
      self.handle = handle
      try handle.reset()
      try configure(handle, target, request, milliseconds)
      try handle.deliver(to: transfer)
    } catch {
      throw .unusable(error.words)
    }
    do throws(CurlFailure) {
      defer { withExtendedLifetime(transfer) {} }
      try handle.perform()
    } catch {
      throw Self.kind(of: error, transfer, request.limits)
    }
    return transfer
  }

  private func configure(
    _ handle: EasyHandle, _ target: FetchTarget, _ request: FetchRequest, _ milliseconds: Int
  ) throws(CurlFailure) {
    let limits = request.limits
    try handle.set(CURLOPT_URL, target.url)
    try handle.set(CURLOPT_PROTOCOLS_STR, "https")
    try handle.set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
    try handle.set(CURLOPT_FOLLOWLOCATION, 0)
    try handle.set(CURLOPT_HTTPGET, 1)
    try handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    try handle.set(CURLOPT_USERAGENT, Self.userAgent)
    if let validators = request.validators, validators.url == target.url {
      try handle.set(CURLOPT_HTTPHEADER, validators.headerLines)
    }

    // Nothing of the environment or the user's files.
    try handle.set(CURLOPT_PROXY, "")
    try handle.set(CURLOPT_NOPROXY, "*")
    try handle.set(CURLOPT_NETRC, 0)
    try handle.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    try handle.set(CURLOPT_NOSIGNAL, 1)
    // A host that is looked up again is judged again, so there is no need to keep its address.
    try handle.set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
    // When time is up, a hanging lookup is abandoned.
    try handle.set(CURLOPT_QUICK_EXIT, 1)

    try handle.set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    try handle.set(CURLOPT_SSL_VERIFYPEER, 1)
    try handle.set(CURLOPT_SSL_VERIFYHOST, 2)
    try handle.set(CURLOPT_CAPATH, certificates.directory)
    try handle.set(CURLOPT_CAINFO, override?.certificates ?? certificates.bundle)
    if let override { try handle.set(CURLOPT_CONNECT_TO, override.connections.map(\.text)) }

    // A coding is refused by its header field; these options keep libcurl from decoding it before.
    try handle.set(CURLOPT_ACCEPT_ENCODING, nil)
    try handle.set(CURLOPT_HTTP_CONTENT_DECODING, 0)

    try handle.set(CURLOPT_MAXFILESIZE_LARGE, offset: limits.largestBody)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, min(limits.connect, milliseconds))
    try handle.set(CURLOPT_TIMEOUT_MS, milliseconds)
    try handle.set(CURLOPT_LOW_SPEED_LIMIT, limits.slowRate)
    try handle.set(CURLOPT_LOW_SPEED_TIME, limits.slowSeconds)
  }

  private static func kind(
    of failure: CurlFailure, _ transfer: Transfer, _ limits: FetchLimits
  ) -> FetchFailure.Kind {
    if let end = transfer.end { return end }
    if !transfer.hasConnected, let refusal = transfer.refusal { return .refused(refusal) }
    // Errors after an unwelcome status do not matter.
    if transfer.isHeaderComplete, transfer.status != 200, !transfer.isRedirect {
      return .status(transfer.status)
    }
    switch failure.code {
    case CURLE_COULDNT_RESOLVE_HOST: return .unknownHost
    case CURLE_OPERATION_TIMEDOUT:
      // libcurl has one code for both limits.
      return failure.words.hasPrefix("Operation too slow") ? .tooSlow : .timedOut
    case CURLE_FILESIZE_EXCEEDED: return .bodyTooLarge(limits.largestBody)
    // libcurl 7.88's code for a line of more than 100 KiB, of which `transfer` sees nothing.
    case CURLE_OUT_OF_MEMORY where !transfer.isHeaderComplete:
      return .headerTooLarge(limits.header, lines: limits.headerLines)
    case CURLE_PARTIAL_FILE: return .truncated
    case CURLE_RECV_ERROR where transfer.isHeaderComplete: return .truncated
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
      return .malformed
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      return .insecure(failure.words)
    case CURLE_COULDNT_CONNECT, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
      return .noConnection
    default: return .unusable(failure.words)
    }
  }
}

/// One GET.
package struct FetchRequest: Sendable {
  package var url: String
  package var limits: FetchLimits
  /// With these the answer may be that nothing has changed (304).
  package var validators: FetchValidators?

  package init(_ url: String, limits: FetchLimits, validators: FetchValidators? = nil) {
    self.url = url
    self.limits = limits
    self.validators = validators
  }
}

/// A server's answer: the whole body, or that the content has not changed.
package struct FetchResponse: Hashable, Sendable {
  /// An answer that led to another URL.
  package struct Redirect: Hashable, Sendable {
    package let status: Int
    package let fields: HTTPHeaderFields
  }

  /// 200, or 304 where the request had validators.
  package let status: Int
  /// In their order.
  package let redirects: [Redirect]
  /// The URL after all redirects. Relative references in the body are relative to it.
  package let url: String
  package let fields: HTTPHeaderFields
  /// Empty where the status is 304.
  package let body: [UInt8]
}

/// Fields of an earlier response that ask whether it is still current (RFC 9110, section 8.8).
package struct FetchValidators: Hashable, Sendable {
  /// The URL that gave it. They are sent nowhere else: a server could know its visitors by them.
  package let url: String
  /// The value of `ETag`.
  package let entityTag: String?
  /// The value of `Last-Modified`.
  package let lastModified: String?

  /// The lines of the request. A value that is longer than 1024 bytes or has control characters is
  /// left out, as though it had not been given.
  var headerLines: [String] {
    [("If-None-Match", entityTag), ("If-Modified-Since", lastModified)].compactMap { name, value in
      guard let value, (1...1024).contains(value.utf8.count),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
      else { return nil }
      return "\(name): \(value)"
    }
  }
}

/// How much one fetch may take, of bytes and of time.
package struct FetchLimits: Hashable, Sendable {
  /// The body, in bytes, counted while it is received.
  package var body: Int
  /// The body where it begins as a PNG does, in bytes; `nil` if that makes no difference.
  package var picture: Int?
  /// All header lines of one response, in bytes.
  package var header = 32 << 10
  /// The header lines of one response.
  package var headerLines = 128
  /// How often a redirect is followed.
  package var redirects = 3
  /// Until a connection stands, TLS included, in milliseconds.
  package var connect = 3_000
  /// For one request, in milliseconds.
  package var request = 8_000
  /// For all requests of a redirect together, in milliseconds.
  package var total = 15_000
  /// The fewest bytes a second, measured over `slowSeconds`.
  package var slowRate = 200
  /// For how many seconds a transfer may be slower than `slowRate`.
  package var slowSeconds = 5

  /// The limit for a body of either kind, in bytes.
  var largestBody: Int { max(body, picture ?? 0) }

  /// For appInfo.json: 64 KiB; for a picture in its place as for any.
  package static let json = FetchLimits(body: 64 << 10, picture: image.body)
  /// For an image: 2 MiB.
  package static let image = FetchLimits(body: 2 << 20)
}

/// A fetch that gave nothing: the URL, how far it came, and why.
package struct FetchFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why the fetch failed. A cache decides by the kind how long it remembers the failure.
  package enum Kind: Error, Hashable, Sendable {
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
  package let requested: String
  /// The URL that failed: another where the first was redirected.
  package let url: String
  package let kind: Kind

  /// The URL that was asked for, what was tried, and why it failed.
  package var description: String {
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

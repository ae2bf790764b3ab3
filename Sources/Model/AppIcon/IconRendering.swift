internal import LinuxSystem

/// How an icon is made of a picture: the size, the outline to cut, and the outline's hairline.
package struct IconRendering: Hashable, Sendable {
  /// The radius of the corners is a whole number of points, the hairline is half a point wide.
  package let size: IconSize
  package let shape: IconShape
  /// Whether a hairline is drawn along the outline; the shape `none` has no outline.
  package let hasStroke: Bool

  package init(size: IconSize, shape: IconShape = .continuous, hasStroke: Bool = true) {
    self.size = size
    self.shape = shape
    self.hasStroke = hasStroke
  }

  /// Reads what ``arguments`` gives; `nil` for anything else.
  package init?(arguments: [String]) {
    guard arguments.count == 4, let points = Double(arguments[0]),
      let scale = Double(arguments[1]), let size = IconSize(points: points, scale: scale),
      let shape = IconShape(rawValue: arguments[2]),
      ["stroke", "no-stroke"].contains(arguments[3])
    else { return nil }
    self.init(size: size, shape: shape, hasStroke: arguments[3] == "stroke")
  }

  /// `POINTS SCALE SHAPE stroke|no-stroke`, as the programs that fetch and render take it.
  package var arguments: [String] {
    ["\(size.points)", "\(size.scale)", shape.rawValue, hasStroke ? "stroke" : "no-stroke"]
  }
}

/// A size that is asked for: points, and pixels a point.
package struct IconSize: Hashable, Sendable {
  /// The largest icon that is made, in pixels a side.
  package static let limit = 1024

  package let points: Double
  package let scale: Double
  /// ⌈points × scale⌉, from 1 to 1024.
  package let pixels: Int

  /// - Returns: `nil` unless points and scale are finite and positive, and make 1 to 1024 pixels.
  package init?(points: Double, scale: Double = 1) {
    guard points.isFinite, scale.isFinite, points > 0, scale > 0 else { return nil }
    // 10 points at 1.1 are 11.000000000000002 in binary, and meant to be 11.
    let product = (points * scale - 1e-9).rounded(.up)
    guard product <= Double(Self.limit) else { return nil }
    self.points = points
    self.scale = scale
    pixels = max(1, Int(product))
  }
}

/// The outline that an icon is cut to.
package enum IconShape: String, CaseIterable, Hashable, Sendable {
  /// Apple's continuous corner.
  case continuous
  /// Lamé's curve with the exponent 5.
  case superellipse
  /// A quarter of a circle at each corner.
  case circleCorner = "circle-corner"
  /// The picture as it is.
  case none
}

/// Everything that a finished icon depends on, which gives the icon its name in the cache.
///
/// Points and scale are both part of it, since the corner's radius is rounded in points: 29 points
/// at 2 and 58 at 1 have as many pixels, but not the same corners.
package struct RenderingKey: Hashable, Sendable {
  /// Changed whenever the same input gives other pixels.
  private static let version = 1

  let body: SHA256Digest
  let rendering: IconRendering

  /// - Parameter body: the digest of the picture as the server sent it.
  package init(of body: SHA256Digest, _ rendering: IconRendering) {
    self.body = body
    // Without an outline there is none to stroke.
    self.rendering = IconRendering(
      size: rendering.size, shape: rendering.shape,
      hasStroke: rendering.hasStroke && rendering.shape != .none)
  }

  var digest: SHA256Digest {
    let text = """
      \(body.hexadecimal)
      \(rendering.size.points)
      \(rendering.size.scale)
      \(rendering.shape.rawValue)
      \(rendering.hasStroke)
      \(Self.version)
      """
    return SHA256Digest(of: Array(text.utf8))
  }
}

/// When a server is asked for an icon.
package enum FetchMode: Hashable, Sendable {
  /// Where the cache has nothing, or nothing fresh.
  case usual
  /// Where the cache has nothing, stale or fresh.
  case missing
  /// Even where the cache has something fresh, and where a failure is remembered.
  case refresh
  /// Never.
  case offline
}

/// The environment of docsource-fetch, which has secrets and talks to untrusted servers.
///
/// Only these variables are passed on. None of them directs the TLS library (`SSLKEYLOGFILE`,
/// `SSL_CERT_FILE`, `OPENSSL_CONF`), the C library's memory (`MALLOC_…`, `GLIBC_TUNABLES`), the loader
/// (`LD_PRELOAD`), the resolver (`HOSTALIASES`) or libcurl's proxies.
package enum FetchEnvironment {
  /// Makes one server of a test stand for another: see `TestOverride`.
  package static let connectVariable = "DOCSOURCE_FETCH_TEST_CONNECT"
  /// Names certificates that a test trusts: see `TestOverride`.
  package static let certificatesVariable = "DOCSOURCE_FETCH_TEST_CAFILE"

  package static let variables =
    BaseDirectories.variables + [connectVariable, certificatesVariable]
}

/// What a finished icon depends on, and so the name under which the cache has it.
///
/// Points and scale stand for themselves, since the corner's radius is rounded in points: 29 points
/// at 2 and 58 at 1 have as many pixels, but not the same corners.
public struct RenderingKey: Hashable, Sendable {
  /// Changed whenever the same input gives other pixels.
  static let version = 1

  public let body: SHA256Digest
  public let size: IconSize
  public let shape: IconShape
  public let hasStroke: Bool

  /// - Parameter body: the digest of the picture as the server sent it.
  public init(body: SHA256Digest, size: IconSize, shape: IconShape, hasStroke: Bool) {
    self.body = body
    self.size = size
    self.shape = shape
    // Without an outline there is none to stroke.
    self.hasStroke = hasStroke && shape != .none
  }

  var digest: SHA256Digest {
    let text = [
      body.hexadecimal, "\(size.points)", "\(size.scale)", shape.rawValue, "\(hasStroke)",
      "\(Self.version)",
    ].joined(separator: "\n")
    return SHA256Digest(of: Array(text.utf8))
  }
}

/// A size that is asked for: points, and pixels a point.
public struct IconSize: Hashable, Sendable {
  /// The largest icon that is made, in pixels a side.
  public static let limit = 1024

  public let points: Double
  public let scale: Double
  /// ⌈points × scale⌉, from 1 to 1024.
  public let pixels: Int

  /// - Returns: `nil` unless points and scale are finite and positive, and make 1 to 1024 pixels.
  public init?(points: Double, scale: Double = 1) {
    guard points.isFinite, scale.isFinite, points > 0, scale > 0 else { return nil }
    // 10 points at 1.1 are 11.000000000000002 in binary, and meant to be 11.
    let product = (points * scale - 1e-9).rounded(.up)
    guard product <= Double(Self.limit) else { return nil }
    self.points = points
    self.scale = scale
    pixels = max(1, Int(product))
  }
}

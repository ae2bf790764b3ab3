/// An image's width and height in pixels.
public struct PixelSize: Hashable, Sendable {
  public let width: Int
  public let height: Int

  /// - Returns: `nil` unless both are from 1 to 65535.
  public init?(width: Int, height: Int) {
    guard 1...65535 ~= width, 1...65535 ~= height else { return nil }
    self.width = width
    self.height = height
  }

  /// The shorter side.
  public var side: Int { min(width, height) }
}

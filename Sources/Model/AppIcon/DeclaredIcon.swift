/// An icon as appInfo.json declares it; nothing of it has been seen yet.
public struct DeclaredIcon: Hashable, Sendable {
  /// What a W3C manifest says an icon is made for.
  public enum Purpose: String, Hashable, Sendable {
    case any
    /// Its edge may be cut away.
    case maskable
  }

  /// The entry's place in the list, from 0.
  public let position: Int
  /// In pixels.
  public let width: Int
  public let height: Int
  /// Relative to the URL where the JSON was in the end.
  public let source: String
  public let type: String?
  public let purpose: Purpose

  public init(
    position: Int, width: Int, height: Int, source: String, type: String? = nil,
    purpose: Purpose = .any
  ) {
    self.position = position
    self.width = width
    self.height = height
    self.source = source
    self.type = type
    self.purpose = purpose
  }

  /// The shorter side, in pixels.
  public var side: Int { min(width, height) }

  public var isSquare: Bool { width == height }
}

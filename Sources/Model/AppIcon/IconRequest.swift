/// Whose icon is asked for, and how it is to look.
public struct IconRequest: Sendable {
  /// The application's, as the document source has it.
  public var identifier: String?
  /// The URL of its appInfo.json, as the document source has it.
  public var appInfoURL: String?
  public var size: IconSize
  public var shape: IconShape
  /// Whether the outline gets its hairline.
  public var hasStroke: Bool

  public init(
    identifier: String? = nil, appInfoURL: String? = nil, size: IconSize,
    shape: IconShape = .continuous, hasStroke: Bool = true
  ) {
    self.identifier = identifier
    self.appInfoURL = appInfoURL
    self.size = size
    self.shape = shape
    self.hasStroke = hasStroke
  }

  /// The name under which the cache has a picture made as asked for.
  public func key(_ body: SHA256Digest) -> RenderingKey {
    RenderingKey(body: body, size: size, shape: shape, hasStroke: hasStroke)
  }
}

/// An application that a process belongs to.
public struct AttributedApplication: Hashable, Sendable {
  /// The desktop file's identifier, without `.desktop`.
  public let identifier: String
  /// The name that its desktop file has, or without one its AppStream metainfo, in no particular
  /// language.
  public let name: String?
  /// The name of its icon by the same, or the absolute path.
  public let icon: String?

  public init(identifier: String, name: String? = nil, icon: String? = nil) {
    self.identifier = identifier
    self.name = name
    self.icon = icon
  }
}

/// An application that a process belongs to.
public struct AttributedApplication: Hashable, Sendable {
  /// The desktop file's identifier, without `.desktop`.
  public let identifier: String
  /// The name that its desktop file has, in no particular language; `nil` without one.
  public let name: String?
  /// The name or the absolute path of its icon; `nil` without a desktop file that says one.
  public let icon: String?

  public init(identifier: String, name: String? = nil, icon: String? = nil) {
    self.identifier = identifier
    self.name = name
    self.icon = icon
  }
}

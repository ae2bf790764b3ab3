/// A place or picture that was considered on the way to an icon, and what became of it.
public struct Consideration: Hashable, Sendable {
  /// Where icons come from, in the order in which they are asked.
  public enum Origin: String, CaseIterable, Sendable {
    case override
    case remote
    case theme
    case catalog
    case generic
  }

  public let origin: Origin
  /// A URL, a path or a name; text from a stranger.
  public let subject: String
  public let won: Bool
  /// Why it won or lost, in words that follow the subject.
  public let reason: String
}

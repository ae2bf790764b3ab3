/// What a walk leaves out, and what ends it.
public struct WalkOptions: Sendable {
  /// Entries whose name begins with a period.
  public enum Hidden: Sendable {
    case visited
    /// Neither visited nor walked.
    case leftOut
  }

  /// Directories on another file system than the root.
  public enum Mounts: Sendable {
    case walked
    /// Visited, since their names stand in the tree, but not walked.
    case leftOut
  }

  /// How far below the root entries are visited; 1 is what stands in the root itself.
  public var maximumDepth: Int?
  public var hidden: Hidden
  public var mounts: Mounts
  public var cancellation: WalkCancellation?

  public init(
    maximumDepth: Int? = nil, hidden: Hidden = .visited, mounts: Mounts = .walked,
    cancellation: WalkCancellation? = nil
  ) {
    self.maximumDepth = maximumDepth
    self.hidden = hidden
    self.mounts = mounts
    self.cancellation = cancellation
  }
}

/// A value that a text format cannot hold.
public struct Unrepresentable: Error, Hashable, Sendable {
  /// In words that follow "cannot be written: ".
  public let reason: String
}

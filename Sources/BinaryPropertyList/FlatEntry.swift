/// A key with its text, to be written as part of a flat dictionary.
public struct FlatEntry: Sendable {
  /// The key.
  public let key: String
  /// The text.
  public let value: String

  /// Makes an entry.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

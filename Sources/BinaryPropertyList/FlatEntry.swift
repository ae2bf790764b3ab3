/// A key with its text, to be written as part of a flat dictionary.
public struct FlatEntry: Sendable {
  /// The key.
  public let key: String
  /// The key as it is written, when it was given so.
  let shortKey: ShortKey?
  /// The text.
  public let value: String

  /// Makes an entry.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
    shortKey = nil
  }

  /// Makes an entry of a key that is ready, and need not be read for each dictionary anew.
  public init(key: ShortKey, value: String) {
    self.key = key.text
    self.value = value
    shortKey = key
  }
}

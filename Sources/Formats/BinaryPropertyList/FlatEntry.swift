/// A key with its text, to be written as part of a flat dictionary.
public struct FlatEntry: Sendable {
  /// The key.
  public var key: String { shortKey?.text ?? unreadKey }
  /// The key as it is written, when it was given so.
  let shortKey: ShortKey?
  /// The key when it was given as a string.
  private let unreadKey: String
  /// The text.
  public let value: String

  /// Makes an entry.
  public init(key: String, value: String) {
    unreadKey = key
    self.value = value
    shortKey = nil
  }

  /// Makes an entry of a key that is ready, and need not be read for each dictionary anew.
  public init(key: ShortKey, value: String) {
    unreadKey = ""
    self.value = value
    shortKey = key
  }

  /// How many bytes of UTF-8 the key has.
  var keyLength: Int { shortKey?.count ?? unreadKey.utf8.count }
}

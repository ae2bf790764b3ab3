extension PropertyList.Dictionary {
  /// A key with its value.
  public struct Entry: Sendable {
    /// The key; two keys are the same when their UTF-8 is.
    public let key: String
    /// The value.
    public var value: PropertyList

    /// Makes an entry.
    public init(key: String, value: PropertyList) {
      self.key = key
      self.value = value
    }
  }
}

extension PropertyList.Dictionary.Entry: Hashable {
  /// Whether keys and values are the same, byte for byte.
  public static func == (one: Self, other: Self) -> Bool {
    one.key.hasSameBytes(as: other.key) && one.value == other.value
  }

  /// Feeds key and value into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ExactString(key))
    hasher.combine(value)
  }
}

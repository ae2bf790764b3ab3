extension PropertyList.Dictionary {
  /// The failure to make a dictionary of pairs of which two have the same key.
  public struct DuplicateKey: Error, Hashable, CustomStringConvertible {
    /// The repeated key.
    public let key: String
    /// Which pair repeats it, counted from 0.
    public let position: Int

    /// The failure in words.
    public var description: String { "key \"\(key)\" is given twice" }
  }
}

public import BinaryPropertyList

/// What reading a file's document source gave.
public struct Finding: Hashable, Sendable {
  public let content: Content
  /// The value it was read from; `nil` where the file carries none.
  public let stored: StoredValue?

  /// Decodes the stored value whole, keys that are not ours included.
  ///
  /// - Throws: `DamagedValue` for damage anywhere in it, also where `content` did not look.
  public func value() throws(DamagedValue) -> PropertyList? {
    guard let stored else { return nil }
    return try AttributeValue.propertyList(stored.bytes)
  }
}

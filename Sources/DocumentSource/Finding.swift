public import BinaryPropertyList

/// What reading a file's document source gave.
public struct Finding: Hashable, Sendable {
  public let content: Content
  /// The value it was read from; `nil` where the file carries none.
  public let stored: StoredValue?

  /// The stored value whole, keys that are not ours included; `nil` where there is none to decode.
  public var value: PropertyList? {
    stored.flatMap { AttributeValue.decoded($0.bytes) }
  }
}

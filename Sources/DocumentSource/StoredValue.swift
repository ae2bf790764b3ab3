/// The bytes of the attribute and where they stand.
public struct StoredValue: Hashable, Sendable {
  public let carrier: Carrier
  /// The value whole, a trailing NUL included.
  public let bytes: [UInt8]

  /// Whether the value is no more than what a failed or empty write leaves.
  var isEmpty: Bool { Self.isEmpty(bytes) }

  static func isEmpty(_ bytes: [UInt8]) -> Bool { bytes.isEmpty || bytes == [0] }
}

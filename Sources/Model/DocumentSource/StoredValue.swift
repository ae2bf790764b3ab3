/// The bytes of the attribute and where they stand.
public struct StoredValue: Hashable, Sendable {
  public let carrier: Carrier
  /// The value whole, a trailing NUL included.
  public let bytes: [UInt8]

  /// The value as the native form has it: without the NUL that Samba adds to a stream.
  public var nativeBytes: [UInt8] {
    guard case .sambaStream = carrier, bytes.last == 0 else { return bytes }
    return Array(bytes.dropLast())
  }

  /// Whether the value is no more than what a failed or empty write leaves.
  public var isEmpty: Bool { Self.isEmpty(bytes) }

  static func isEmpty(_ bytes: [UInt8]) -> Bool { bytes.isEmpty || bytes == [0] }
}

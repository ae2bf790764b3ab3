/// The kinds of objects in a binary property list.
public enum ObjectKind: UInt8, Hashable, Sendable, CaseIterable {
  /// No value.
  case null
  /// A truth value.
  case boolean
  /// An integer that fits into 64 bits with sign, whatever its encoding's width.
  case integer
  /// An integer that does not.
  case wideInteger
  /// A floating-point number of four bytes.
  case float
  /// A floating-point number of eight bytes.
  case real
  /// A moment.
  case date
  /// Bytes.
  case data
  /// Text.
  case string
  /// An object number.
  case uid
  /// Values in order.
  case array
  /// An ordered set.
  case orderedSet
  /// A set.
  case set
  /// Values by key.
  case dictionary

  /// Whether objects of the kind refer to others.
  public var isContainer: Bool { rawValue >= Self.array.rawValue }
}

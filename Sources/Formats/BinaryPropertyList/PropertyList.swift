/// A value of a binary property list.
///
/// It holds everything the format can, and keeps apart what the format keeps apart: a float from a
/// double, an ordered set from an array. Two values are equal exactly when their encodings are the
/// same bytes: strings compare by their UTF-8, floating-point numbers by their bits, dictionaries
/// and sets in their order. To compare without regard to the order of keys, compare the bytes that
/// ``binary(options:)`` makes with sorted keys.
public enum PropertyList: Sendable {
  /// No value; CoreFoundation writes `NSNull` so.
  case null
  /// A truth value.
  case boolean(Bool)
  /// An integer; all that fit into 64 bits with sign are of this case.
  case integer(Int64)
  /// An integer outside the range of ``integer(_:)``; one inside it is encoded as that.
  indirect case wideInteger(Int128)
  /// A floating-point number of four bytes.
  case float(Float)
  /// A floating-point number of eight bytes.
  case real(Double)
  /// A moment, in seconds since 2001-01-01T00:00:00Z; NaN and infinity occur and are kept.
  case date(secondsSinceReferenceDate: Double)
  /// Bytes.
  case data([UInt8])
  /// Text.
  case string(String)
  /// An object number, as keyed archives use them.
  case uid(UInt64)
  /// Values in order.
  case array([PropertyList])
  /// An ordered set; nothing checks that the elements differ.
  case orderedSet([PropertyList])
  /// A set, in the order of its encoding; nothing checks that the elements differ.
  case set([PropertyList])
  /// Values by key, in the order of insertion.
  case dictionary(Dictionary)
}

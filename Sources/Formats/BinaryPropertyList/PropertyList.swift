/// A value of a binary property list.
///
/// It holds everything the format can, and keeps apart what the format keeps apart: a float from a
/// double, an ordered set from an array. Two values are equal exactly when their encodings are the
/// same bytes: strings compare by their UTF-8, floating-point numbers by their bits, dictionaries
/// and sets in their order. To compare without regard to the order of keys, compare the bytes that
/// ``binary(options:)`` makes with sorted keys.
public enum PropertyList: Sendable {
  /// No value; CoreFoundation writes `NSNull` this way.
  case null
  /// A truth value.
  case boolean(Bool)
  /// An integer; every integer that fits into 64 bits with sign is of this case.
  case integer(Int64)
  /// An integer outside the range of ``integer(_:)``; one inside it is encoded as that case.
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

extension PropertyList {
  /// Reads a binary property list, in time and memory linear in its size.
  ///
  /// - Throws: ``DecodingFailure`` for bytes that are damaged, hostile, or no property list. No
  ///   input traps.
  public init(
    binary bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    let index = try ObjectIndex(of: bytes, options: options)
    self = try TreeBuilder.value(of: index.trailer.root, in: index, bytes, options: options)
  }

  /// Reads a binary property list.
  public init(
    binary bytes: [UInt8], options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    self = try bytes.reading { bytes throws(DecodingFailure) in
      try PropertyList(binary: bytes, options: options)
    }
  }

  /// Checks bytes as ``init(binary:options:)`` does, without making a value of them.
  ///
  /// - Throws: ``DecodingFailure``, the same for the same bytes.
  public static func check(
    binary bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    if options.depthLimit > 0, FlatCheck.passes(bytes) { return }
    let index = try ObjectIndex(of: bytes, options: options)
    // Only what is shared can expand to too many values.
    guard index.hasShared else { return }
    _ = try TreeBuilder.value(of: index.trailer.root, in: index, bytes, options: options)
  }

  /// Writes a binary property list, the same bytes for the same value.
  ///
  /// Objects have CoreFoundation's order and widths; equal scalars, strings and data are written
  /// once.
  ///
  /// - Throws: ``EncodingFailure`` for containers nested deeper than
  ///   ``DecodingOptions/maximumDepth``.
  public func binary(
    options: EncodingOptions = EncodingOptions()
  ) throws(EncodingFailure) -> [UInt8] {
    try ObjectWriter.bytes(of: self, options: options)
  }

  /// Whether the value is an array, a set or a dictionary.
  @inline(__always)
  var isContainer: Bool {
    switch self {
    case .array, .orderedSet, .set, .dictionary: true
    default: false
    }
  }

  /// How many elements or entries a container has, those of nested containers not counted.
  var childCount: Int {
    switch self {
    case .array(let values), .orderedSet(let values), .set(let values): values.count
    case .dictionary(let dictionary): dictionary.count
    default: 0
    }
  }
}

extension PropertyList: Hashable {
  /// Whether both values have the same encoding, byte for byte.
  public static func == (one: PropertyList, other: PropertyList) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.wideInteger(let a), .wideInteger(let b)): a == b
    case (.wideInteger(let a), .integer(let b)), (.integer(let b), .wideInteger(let a)):
      a == Int128(b)
    case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
    case (.data(let a), .data(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.uid(let a), .uid(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.orderedSet(let a), .orderedSet(let b)): a == b
    case (.set(let a), .set(let b)): a == b
    case (.dictionary(let a), .dictionary(let b)): a == b
    default: false
    }
  }

  /// Feeds what equality compares into a hasher.
  public func hash(into hasher: inout Hasher) {
    func combine(_ kind: Int, _ value: some Hashable) {
      hasher.combine(kind)
      hasher.combine(value)
    }
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let value): combine(1, value)
    case .integer(let value): combine(2, Int128(value))
    case .wideInteger(let value): combine(2, value)
    case .float(let value): combine(3, value.bitPattern)
    case .real(let value): combine(4, value.bitPattern)
    case .date(let value): combine(5, value.bitPattern)
    case .data(let value): combine(6, value)
    case .string(let value): combine(7, ExactString(value))
    case .uid(let value): combine(8, value)
    case .array(let values): combine(9, values)
    case .orderedSet(let values): combine(10, values)
    case .set(let values): combine(11, values)
    case .dictionary(let value): combine(12, value)
    }
  }
}

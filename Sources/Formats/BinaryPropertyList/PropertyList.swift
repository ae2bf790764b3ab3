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

extension PropertyList {
  /// Reads a binary property list.
  ///
  /// - Throws: ``DecodingFailure`` for bytes that are damaged, hostile, or no property list.
  ///   Nothing else happens with any input: time and memory are linear in its size.
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
}

extension ObjectTable {
  /// The value of an object and all that is in it.
  ///
  /// - Throws: ``DecodingFailure`` when shared containers expand to too many values, the only
  ///   failure left; ``DecodingOptions/expansionLimit`` is the one of its options that counts.
  public func propertyList(
    _ object: Int, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> PropertyList {
    try bytes.reading { bytes throws(DecodingFailure) in
      try TreeBuilder.value(of: object, in: index, bytes, options: options)
    }
  }
}

extension PropertyList {
  /// Writes a binary property list, the same bytes for the same value.
  ///
  /// Objects stand in CoreFoundation's order and widths; equal scalars, strings and data are
  /// written once.
  ///
  /// - Throws: ``EncodingFailure`` for containers nested deeper than
  ///   ``DecodingOptions/maximumDepth``.
  public func binary(
    options: EncodingOptions = EncodingOptions()
  ) throws(EncodingFailure) -> [UInt8] {
    try ObjectWriter.bytes(of: self, options: options)
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
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .integer(let value):
      hasher.combine(2)
      hasher.combine(Int128(value))
    case .wideInteger(let value):
      hasher.combine(2)
      hasher.combine(value)
    case .float(let value):
      hasher.combine(3)
      hasher.combine(value.bitPattern)
    case .real(let value):
      hasher.combine(4)
      hasher.combine(value.bitPattern)
    case .date(let value):
      hasher.combine(5)
      hasher.combine(value.bitPattern)
    case .data(let value):
      hasher.combine(6)
      hasher.combine(value)
    case .string(let value):
      hasher.combine(7)
      hasher.combine(ExactString(value))
    case .uid(let value):
      hasher.combine(8)
      hasher.combine(value)
    case .array(let values):
      hasher.combine(9)
      hasher.combine(values)
    case .orderedSet(let values):
      hasher.combine(10)
      hasher.combine(values)
    case .set(let values):
      hasher.combine(11)
      hasher.combine(values)
    case .dictionary(let value):
      hasher.combine(12)
      hasher.combine(value)
    }
  }
}

extension PropertyList {
  /// Whether the value holds others.
  @inline(__always)
  var isContainer: Bool {
    switch self {
    case .array, .orderedSet, .set, .dictionary: true
    default: false
    }
  }

  /// How many values a container holds itself.
  var childCount: Int {
    switch self {
    case .array(let values), .orderedSet(let values), .set(let values): values.count
    case .dictionary(let dictionary): dictionary.count
    default: 0
    }
  }
}

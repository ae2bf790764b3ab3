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

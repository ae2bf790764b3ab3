/// Reads numbers of the form that Protocol Buffers and LevelDB have: seven bits a byte, the low ones
/// first.
struct VarintReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func byte() -> UInt8? { rest.popFirst() }

  /// - Returns: `nil` if the number is not whole, or has more than 64 bits.
  mutating func number() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      let bits = UInt64(byte & 0x7F)
      guard (bits << shift) >> shift == bits else { return nil }
      number |= bits << shift
      if byte < 0x80 { return number }
    }
    return nil
  }

  /// As many bytes as the number before them says; `nil` if there are fewer.
  mutating func bytes() -> ArraySlice<UInt8>? {
    number().flatMap { Int(exactly: $0) }.flatMap { bytes($0) }
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}

/// The fields of a message of Protocol Buffers, one after the other.
///
/// The form is that of https://protobuf.dev/programming-guides/encoding/.
struct MessageFields {
  enum Value: Equatable {
    /// Of 64 bits, signed or not.
    case number(UInt64)
    /// A text, bytes or a message.
    case bytes(ArraySlice<UInt8>)
    /// A number of a size that does not change.
    case fixed
  }

  private var reader: VarintReader
  /// Whether what was read is not of the form; there is no next field then.
  private(set) var isDamaged = false

  init(_ message: ArraySlice<UInt8>) { reader = VarintReader(message) }

  /// - Returns: `nil` after the last field.
  mutating func next() -> (field: UInt64, value: Value)? {
    guard !isDamaged, !reader.rest.isEmpty else { return nil }
    guard let tag = reader.number(), let value = value(tag & 7) else {
      isDamaged = true
      return nil
    }
    return (tag >> 3, value)
  }

  private mutating func value(_ kind: UInt64) -> Value? {
    switch kind {
    case 0: reader.number().map { .number($0) }
    case 1: reader.bytes(8).map { _ in .fixed }
    case 2: reader.bytes().map { .bytes($0) }
    case 5: reader.bytes(4).map { _ in .fixed }
    default: nil
    }
  }
}

/// Tells most keys that differ from all before them, without a look at those.
struct KeyFilter {
  /// A bit for what a key begins with.
  private var bits: UInt64 = 0

  /// Whether a key may be the same as one before it; and takes it for one of those.
  @inline(__always)
  mutating func mayHold(_ key: TapeEntry, in bytes: RawSpan) -> Bool {
    // The same text has other bytes in UTF-16.
    if key.kind == .utf16 { bits = .max }
    let start = bytes.littleEndianWord(at: key.contentOffset) & RawSpan.lowBytes(min(key.count, 8))
    let sum = start &+ UInt64(truncatingIfNeeded: key.count)
    let bit: UInt64 = 1 &<< ((sum &* 0x9e37_79b9_7f4a_7c15) &>> 58)
    defer { bits |= bit }
    return bits & bit != 0
  }
}

/// The sum of a text's words, which tells it quickly from most others.
struct TextSum: TextDigest {
  private var sum: UInt64

  init(count: Int = 0) {
    sum = UInt64(truncatingIfNeeded: count)
  }

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    sum = sum &+ word
  }

  /// Bits that depend on all of the sum's.
  @inline(__always)
  var mark: UInt32 { UInt32(truncatingIfNeeded: product &>> 32) }

  /// Two bits set of 64.
  @inline(__always)
  var bits: UInt64 { 1 &<< (product &>> 58) | 1 &<< (product &>> 52 & 63) }

  @inline(__always)
  private var product: UInt64 { sum &* 0x9e37_79b9_7f4a_7c15 }
}

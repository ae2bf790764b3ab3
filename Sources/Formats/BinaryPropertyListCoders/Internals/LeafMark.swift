/// A sum of a leaf's bytes, which tells it quickly from most others.
struct LeafMark {
  private var sum: UInt64

  init(length: Int) {
    sum = UInt64(truncatingIfNeeded: length)
  }

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    sum = sum &+ word
  }

  /// Bits that depend on all of the sum's.
  @inline(__always)
  var value: UInt32 { UInt32(truncatingIfNeeded: product &>> 32) }

  /// Two bits set of 64.
  @inline(__always)
  var bits: UInt64 { 1 &<< (product &>> 58) | 1 &<< (product &>> 52 & 63) }

  @inline(__always)
  private var product: UInt64 { sum &* 0x9e37_79b9_7f4a_7c15 }
}

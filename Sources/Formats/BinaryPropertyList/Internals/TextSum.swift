/// The sum of a text's words, which tells it quickly from most others.
struct TextSum: TextDigest {
  private var sum: UInt64

  /// The sum of the first words; the text's length must be in them.
  @inline(__always)
  init(_ one: UInt64, _ other: UInt64) {
    sum = one &+ other
  }

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    sum = sum &+ word
  }

  /// Two bits set of 64, which depend on all of the sum's.
  @inline(__always)
  var bits: UInt64 {
    let product = sum &* 0x9e37_79b9_7f4a_7c15
    return 1 &<< (product &>> 58) | 1 &<< (product &>> 52 & 63)
  }
}

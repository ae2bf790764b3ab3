/// A hash over words by multiplication to 128 bits, keyed so that no input can aim at collisions.
struct FoldedHash {
  private var state: UInt64

  /// Drawn once a process: who writes the input cannot know them.
  private static let seed = UInt64.random(in: .min ... .max)
  private static let multiplier = UInt64.random(in: .min ... .max) | 1

  @inline(__always)
  init(count: Int) {
    state = Self.seed ^ UInt64(truncatingIfNeeded: count)
  }

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: Self.multiplier)
    state = product.high ^ product.low &+ Self.seed
  }

  /// The hash; its upper half is the better one.
  @inline(__always)
  var value: UInt64 {
    let product = (state ^ Self.multiplier).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
  }
}

/// A hash over words by multiplication to 128 bits, keyed so that no input can aim at collisions.
struct FoldedHash {
  private let key: HashKey
  private var state: UInt64

  @inline(__always)
  init(count: Int, key: HashKey) {
    self.key = key
    state = key.seed ^ UInt64(truncatingIfNeeded: count)
  }

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    let product = (state ^ word).multipliedFullWidth(by: key.multiplier)
    state = product.high ^ product.low &+ key.seed
  }

  /// The hash; its upper half is the better one.
  @inline(__always)
  var value: UInt64 {
    let product = (state ^ key.multiplier).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
  }
}

/// A value that is computed from a text's words while they are copied.
protocol TextDigest {
  mutating func combine(_ word: UInt64)
}

/// A hash of words by multiplication to 128 bits, keyed so that no input can aim at collisions.
struct FoldedHash: TextDigest {
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

  /// The hash; its upper half is better mixed.
  @inline(__always)
  var value: UInt64 {
    let product = (state ^ key.multiplier).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
  }
}

/// The key that makes a process's hashes differ from those of any other.
struct HashKey {
  let seed: UInt64
  let multiplier: UInt64

  /// Drawn once for the process: whoever writes the input cannot know it.
  static let ofProcess = HashKey(
    seed: .random(in: .min ... .max), multiplier: .random(in: .min ... .max) | 1)

  /// The key for a user that makes no hashes.
  static var none: HashKey { HashKey(seed: 0, multiplier: 0) }
}

/// The sum of a text's words, which tells the text quickly from most others.
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

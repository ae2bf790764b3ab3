/// A few of a text's words, which tell it quickly from most others.
struct TextMark: TextDigest, Equatable {
  private var word: UInt64

  init(count: Int) {
    word = UInt64(truncatingIfNeeded: count) &* 0x9e37_79b9_7f4a_7c15
  }

  @inline(__always)
  mutating func combine(_ word: UInt64) {
    self.word = self.word &+ word
  }
}

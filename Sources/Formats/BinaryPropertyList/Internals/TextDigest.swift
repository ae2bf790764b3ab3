/// What is computed of a text's words while they are copied.
protocol TextDigest {
  mutating func combine(_ word: UInt64)
}

extension FoldedHash: TextDigest {}

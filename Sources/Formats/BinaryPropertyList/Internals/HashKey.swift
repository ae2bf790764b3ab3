/// What makes the hashes of a process its own.
struct HashKey {
  let seed: UInt64
  let multiplier: UInt64

  /// Drawn once: who writes the input cannot know it.
  static let ofProcess = HashKey(
    seed: .random(in: .min ... .max), multiplier: .random(in: .min ... .max) | 1)

  /// For what hashes nothing.
  static var none: HashKey { HashKey(seed: 0, multiplier: 0) }
}

/// Damages property lists, most often in few bytes.
enum Mutation {
  static func apply(to bytes: inout [UInt8], using random: inout some RandomNumberGenerator) {
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      // Twice of three times in the objects; readers agree on what the rest must be.
      let isInObjects = bytes.count > 41 && Int.random(in: 0..<3, using: &random) != 0
      let candidates = isInObjects ? 8..<bytes.count - 33 : bytes.indices
      guard let position = candidates.randomElement(using: &random) else { return }
      switch Int.random(in: 0..<10, using: &random) {
      case 0: bytes[position] ^= 1 << Int.random(in: 0..<8, using: &random)
      case 1: bytes[position] = .random(in: 0...(.max), using: &random)
      case 2: bytes[position] &+= Bool.random(using: &random) ? 1 : 0xff
      case 3: bytes.remove(at: position)
      case 4: bytes.insert(.random(in: 0...(.max), using: &random), at: position)
      case 5: bytes.removeLast(Int.random(in: 0..<min(40, bytes.count), using: &random))
      case 6: bytes += (0..<Int.random(in: 1...3, using: &random)).map { _ in 0 }
      case 7:
        // One of the trailer's numbers, most of which are 0.
        let position = bytes.count - .random(in: 1...min(27, bytes.count), using: &random)
        bytes[position] = [0, 1, 2, 8, 9, 16, 255].randomElement(using: &random) ?? 0
      case 8:
        // A marker where one may stand: of any type, of any width or count.
        let type = UInt8.random(in: 0...0xf, using: &random) << 4
        bytes[position] = type | .random(in: 0...0xf, using: &random)
      default:
        // A reference or offset that names another.
        let other = bytes.indices.randomElement(using: &random) ?? position
        bytes.swapAt(position, other)
      }
    }
  }
}

import BinaryPropertyList

/// Where the keys of a dictionary stand, for those that are searched in no order.
struct KeyPositions {
  private var positions: [ExactText: Int] = [:]
  /// Positions of keys that are not ASCII, by what Swift's strings equate.
  private var canonicalPositions: [String: Int] = [:]

  init(of decoder: ValueDecoder) {
    positions.reserveCapacity(decoder.count)
    for position in 0..<decoder.count {
      let object = decoder.key(position)
      decoder.session.expandKey(object) { decoder.codingPath }
      guard decoder.session.failure == nil, let text = decoder.session.string(object) else {
        return
      }
      if positions[ExactText(text)] == nil { positions[ExactText(text)] = position }
      if !decoder.session.isASCII(object), canonicalPositions[text] == nil {
        canonicalPositions[text] = position
      }
    }
  }

  /// The position of a key, else of one that Swift's strings equate with it, else `nil`.
  func position(of key: String) -> Int? {
    positions[ExactText(key)] ?? canonicalPositions[key]
  }
}

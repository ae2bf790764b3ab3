import BinaryPropertyList

/// The allocations of a tree by themselves: as much memory in as many pieces, made and released in
/// the same order, with nothing parsed and nothing in it.
struct TreeFloor {
  /// How many bytes each array and long string has after its header.
  private var sizes: [Int] = []

  init(_ tree: PropertyList) {
    add(tree)
  }

  private mutating func add(_ value: PropertyList) {
    switch value {
    case .string(let text): add(text)
    case .data(let bytes): sizes.append(bytes.count)
    case .array(let values), .orderedSet(let values), .set(let values):
      for value in values { add(value) }
      sizes.append(values.count * MemoryLayout<PropertyList>.stride)
    case .dictionary(let dictionary):
      for entry in dictionary.entries { add(entry.value) }
      sizes.append(dictionary.count * MemoryLayout<PropertyList.Dictionary.Entry>.stride)
    default: break
    }
  }

  /// Up to 15 bytes lie in the string itself; others end with a NUL.
  private mutating func add(_ text: String) {
    if text.utf8.count > 15 { sizes.append(text.utf8.count + 1) }
  }

  /// Makes all pieces, then releases them.
  func makeAndRelease() {
    sink(sizes.map { [UInt8](repeating: 0, count: $0) })
  }
}

/// The objects of a property list, to be laid out in widths that no writer need choose.
struct Assembly {
  /// An object: its bytes, and the objects it refers to after them.
  struct Object {
    var bytes: [UInt8]
    var references: [Int] = []
  }

  var objects: [Object] = []
  var root = 0

  /// Lays the objects out.
  ///
  /// - Parameters:
  ///   - extraWidths: By how many bytes references and offsets are wider than they need be.
  ///   - gap: The bytes between two objects.
  func bytes(extraWidths: (reference: Int, offset: Int), gap: [UInt8]) -> [UInt8] {
    let referenceWidth = min(8, Self.width(of: objects.count - 1) + extraWidths.reference)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += object.bytes
      for reference in object.references {
        bytes += Self.bytes(of: UInt64(reference), width: referenceWidth)
      }
      bytes += gap
    }
    let table = bytes.count
    let offsetWidth = min(8, Self.width(of: table - 1) + extraWidths.offset)
    for offset in offsets { bytes += Self.bytes(of: UInt64(offset), width: offsetWidth) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
    for number in [objects.count, root, table] { bytes += Self.bytes(of: UInt64(number), width: 8) }
    return bytes
  }

  static func bytes(of number: UInt64, width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  /// How many bytes a number needs.
  static func width(of number: Int) -> Int {
    max(1, (64 - number.leadingZeroBitCount + 7) / 8)
  }
}

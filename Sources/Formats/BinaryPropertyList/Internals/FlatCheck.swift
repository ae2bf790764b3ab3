/// The check of small dictionaries of texts in the layout that nearly all writers give them.
enum FlatCheck {
  /// One reference to each object takes so many bits.
  private static let pairLimit = 14

  /// Whether a property list is sound: a dictionary of ASCII texts as its first object, then the keys and
  /// texts in the order of their numbers, without gaps, each referred to once, all widths 1.
  ///
  /// - Returns: `false` also if a closer look is needed.
  static func passes(_ bytes: RawSpan) -> Bool {
    let start = bytes.byteCount &- Trailer.length
    guard start >= Trailer.headerLength + 2, bytes.littleEndianWord(at: 0) == Trailer.header,
      bytes.bigEndianWord(at: start) & 0xffff == 0x0101, bytes.bigEndianWord(at: start &+ 16) == 0
    else { return false }
    let (objects, end) = (
      bytes.bigEndianWord(at: start &+ 8), bytes.bigEndianWord(at: start &+ 24)
    )
    let marker = bytes.byte(at: Trailer.headerLength)
    let pairs = Int(marker & 0xf)
    guard marker & 0xf0 == 0xd0, pairs <= pairLimit, objects == UInt64(2 &* pairs &+ 1),
      end <= UInt64(UInt8.max), end &+ objects == UInt64(start)
    else { return false }
    let table = Int(end)
    let references = Trailer.headerLength + 1
    guard references &+ 2 &* pairs <= table,
      Int(bytes.byte(at: table)) == Trailer.headerLength,
      Self.areTexts(2 &* pairs, at: references &+ 2 &* pairs, in: bytes, table)
    else { return false }
    return areDistinct(pairs, at: references, in: bytes, table)
  }

  /// Whether there is nothing but ASCII texts, in the order of the offset table, from `start` to it.
  private static func areTexts(
    _ count: Int, at start: Int, in bytes: RawSpan, _ table: Int
  ) -> Bool {
    var next = start
    for object in 0..<count {
      let marker = bytes.byte(at: next)
      guard Int(bytes.byte(at: table &+ object &+ 1)) == next, marker & 0xf0 == 0x50 else {
        return false
      }
      var length = Int(marker & 0xf)
      next &+= 1
      if length == 15 {
        // The trailer follows all objects.
        guard bytes.byte(at: next) == 0x10 else { return false }
        length = Int(bytes.byte(at: next &+ 1))
        next &+= 2
      }
      guard next &+ length <= table, bytes.isASCII(at: next, count: length) else { return false }
      next &+= length
    }
    return next == table
  }

  /// Whether each object is referred to once, and the keys begin differently.
  private static func areDistinct(
    _ pairs: Int, at references: Int, in bytes: RawSpan, _ table: Int
  ) -> Bool {
    var seen: UInt32 = 1
    for position in references..<references &+ 2 &* pairs {
      let object = Int(bytes.byte(at: position))
      guard object <= 2 &* pairs, seen & 1 &<< UInt32(object) == 0 else { return false }
      seen |= 1 &<< UInt32(object)
    }
    var starts = InlineArray<14, UInt64>(repeating: 0)
    for index in 0..<pairs {
      let object = Int(bytes.byte(at: references &+ index))
      let offset = Int(bytes.byte(at: table &+ object))
      let marker = bytes.byte(at: offset)
      // The marker has a short text's length; a long one's is passed over as if it were text.
      let length = min(Int(marker & 0xf) &+ 1, 8)
      let start = bytes.littleEndianWord(at: offset) & RawSpan.lowBytes(length)
      for other in 0..<index where starts[other] == start { return false }
      starts[index] = start
    }
    return true
  }
}

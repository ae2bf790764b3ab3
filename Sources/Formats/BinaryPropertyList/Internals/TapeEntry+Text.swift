extension TapeEntry {
  /// Whether two strings have the same text, whatever their encodings.
  @inline(__always)
  func hasSameText(as other: TapeEntry, in bytes: RawSpan) -> Bool {
    guard value == other.value else { return false }
    guard kind == .ascii, other.kind == .ascii else {
      return hasSameUnits(as: other, in: bytes)
    }
    return bytes.repeats(contentOffset, at: other.contentOffset, count: count)
  }

  @inline(never)
  private func hasSameUnits(as other: TapeEntry, in bytes: RawSpan) -> Bool {
    for index in 0..<count where unit(index, in: bytes) != other.unit(index, in: bytes) {
      return false
    }
    return true
  }

  /// Whether a string has the text of a key, whatever its encoding.
  func hasText(of key: ShortKey, in bytes: RawSpan) -> Bool {
    count == key.count
      && (0..<count).allSatisfy { unit($0, in: bytes) == UInt16(key.character($0)) }
  }

  /// A hash of the text, the same for the same text in any encoding.
  @inline(__always)
  func textHash(in bytes: RawSpan, key: HashKey) -> UInt64 {
    guard kind != .utf16 else { return wideTextHash(in: bytes, key: key) }
    var hash = FoldedHash(count: count, key: key)
    var position = contentOffset
    var left = count
    while left > 8 {
      hash.combine(bytes.littleEndianWord(at: position))
      position &+= 8
      left &-= 8
    }
    hash.combine(bytes.littleEndianWord(at: position) & RawSpan.lowBytes(left))
    return hash.value
  }

  /// The hash of UTF-16: as that of bytes when all units are such.
  @inline(never)
  private func wideTextHash(in bytes: RawSpan, key: HashKey) -> UInt64 {
    let isNarrow = (0..<count).allSatisfy { unit($0, in: bytes) < 0x100 }
    let unitsInWord = isNarrow ? 8 : 4
    var hash = FoldedHash(count: count, key: key)
    var word: UInt64 = 0
    for index in 0..<count {
      if index > 0, index % unitsInWord == 0 {
        hash.combine(word)
        word = 0
      }
      word |= UInt64(unit(index, in: bytes)) << UInt64(64 / unitsInWord * (index % unitsInWord))
    }
    hash.combine(word)
    return hash.value
  }

  /// A unit of a string's text; U+FFFD for a lone surrogate.
  private func unit(_ index: Int, in bytes: RawSpan) -> UInt16 {
    guard kind == .utf16 else { return UInt16(bytes.byte(at: contentOffset + index)) }
    let unit = bytes.utf16Unit(at: contentOffset, index: index)
    guard isFlawed else { return unit }
    if UTF16.isLeadSurrogate(unit) {
      let isPaired =
        index + 1 < count
        && UTF16.isTrailSurrogate(bytes.utf16Unit(at: contentOffset, index: index + 1))
      return isPaired ? unit : 0xfffd
    }
    if UTF16.isTrailSurrogate(unit) {
      let isPaired =
        index > 0
        && UTF16.isLeadSurrogate(bytes.utf16Unit(at: contentOffset, index: index - 1))
      return isPaired ? unit : 0xfffd
    }
    return unit
  }
}

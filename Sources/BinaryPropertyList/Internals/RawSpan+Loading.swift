extension RawSpan {
  /// The eight bytes at an offset as a big-endian number; trapping when they are not all there.
  ///
  /// The trailer's 32 bytes follow everything that is read, so that a number of fewer bytes is
  /// read as eight, too, and shifted.
  @inline(__always)
  func bigEndianWord(at offset: Int) -> UInt64 {
    // Checked against the span's bounds, and every bit pattern is a number.
    unsafe UInt64(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The eight bytes at an offset, the first in the lowest bits; trapping unless all are there.
  @inline(__always)
  func littleEndianWord(at offset: Int) -> UInt64 {
    // Checked against the span's bounds, and every bit pattern is a number.
    unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The byte at an offset; trapping when it is not there.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    // Checked against the span's bounds, and every bit pattern is a number.
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// The big-endian number of `width` bytes, 1 to 8, at an offset with eight bytes behind it.
  @inline(__always)
  func bigEndian(at offset: Int, width: Int) -> UInt64 {
    bigEndianWord(at: offset) >> UInt64(truncatingIfNeeded: 64 &- 8 &* width)
  }

  /// Whether all of some bytes are below 0x80; eight more bytes must follow them.
  @inline(__always)
  func isASCII(at offset: Int, count: Int) -> Bool {
    var position = offset
    var left = count
    var bits: UInt64 = 0
    while left > 8 {
      bits |= littleEndianWord(at: position)
      position &+= 8
      left &-= 8
    }
    bits |= littleEndianWord(at: position) & Self.lowBytes(left)
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// A mask of the lowest `count` bytes, 0 to 8, of a word.
  @inline(__always)
  static func lowBytes(_ count: Int) -> UInt64 {
    ~(UInt64.max << UInt64(truncatingIfNeeded: 8 &* count))
  }
}

extension RawSpan {
  /// Whether both spans have the same bytes.
  @inline(__always)
  func hasSameBytes(as other: RawSpan) -> Bool {
    guard byteCount == other.byteCount else { return false }
    var position = 0
    while byteCount - position >= 8 {
      guard littleEndianWord(at: position) == other.littleEndianWord(at: position) else {
        return false
      }
      position &+= 8
    }
    while position < byteCount {
      guard byte(at: position) == other.byte(at: position) else { return false }
      position &+= 1
    }
    return true
  }
}

// Loads and stores as in BinaryPropertyList, whose own cannot be inlined in another module; unlike
// those, most of these are checked.

extension RawSpan {
  /// The eight bytes at an offset, the first in the lowest bits; trapping unless all are there.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // Checked against the span's bounds, and every bit pattern is a number.
    unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The byte at an offset; trapping when it is not there.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    // Checked against the span's bounds, and every bit pattern is a number.
    unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// The eight bytes at an offset, the first in the lowest bits; the caller has checked the offset.
  @inline(__always)
  func uncheckedWord(at offset: Int) -> UInt64 {
    assert(offset >= 0 && offset <= byteCount - 8)
    return unsafe UInt64(
      littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// The bytes from an offset to the end, fewer than eight, the first lowest, filled up with zeros.
  @inline(__always)
  func shortWord(at offset: Int) -> UInt64 {
    let count = byteCount &- offset
    // The pieces may overlap: a byte in two of them is or-ed with itself.
    if count >= 4 {
      let last = count &- 4
      return half(at: offset)
        | half(at: offset &+ last) &<< UInt64(truncatingIfNeeded: 8 &* last)
    }
    guard count > 0 else { return 0 }
    let middle = count &>> 1
    let last = count &- 1
    return UInt64(byte(at: offset))
      | UInt64(byte(at: offset &+ middle)) &<< UInt64(truncatingIfNeeded: 8 &* middle)
      | UInt64(byte(at: offset &+ last)) &<< UInt64(truncatingIfNeeded: 8 &* last)
  }

  /// The four bytes at an offset, the first in the lowest bits; trapping unless all are there.
  @inline(__always)
  private func half(at offset: Int) -> UInt64 {
    // Checked against the span's bounds, and every bit pattern is a number.
    unsafe UInt64(
      UInt32(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}

extension MutableRawSpan {
  /// Stores all bytes of `source` at an offset.
  ///
  /// - Returns: A word with each bit set that is set in one of the bytes folded into it.
  @inline(__always) @discardableResult
  mutating func copy(_ source: RawSpan, to offset: Int) -> UInt64 {
    let length = source.byteCount
    var bits: UInt64 = 0
    if length >= 8 {
      // Words, of which the last repeats some bytes of the word before.
      var position = 0
      while position < length &- 8 {
        let word = source.word(at: position)
        bits |= word
        storeBytes(of: word.littleEndian, toByteOffset: offset &+ position, as: UInt64.self)
        position &+= 8
      }
      let word = source.word(at: length &- 8)
      bits |= word
      storeBytes(of: word.littleEndian, toByteOffset: offset &+ length &- 8, as: UInt64.self)
    } else {
      for position in 0..<length {
        let byte = source.byte(at: position)
        bits |= UInt64(byte)
        storeBytes(of: byte, toByteOffset: offset &+ position, as: UInt8.self)
      }
    }
    return bits
  }

  /// Stores a big-endian number of 1, 2, 4 or 8 bytes.
  @inline(__always)
  mutating func store(_ value: UInt64, width: Int, at offset: Int) {
    switch width {
    case 1: storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: offset, as: UInt8.self)
    case 2:
      storeBytes(
        of: UInt16(truncatingIfNeeded: value).bigEndian, toByteOffset: offset, as: UInt16.self)
    case 4:
      storeBytes(
        of: UInt32(truncatingIfNeeded: value).bigEndian, toByteOffset: offset, as: UInt32.self)
    default: storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt64.self)
    }
  }

  /// Stores a marker and a count, which has an object of its own from 15 up.
  ///
  /// - Returns: How many bytes that takes.
  @inline(__always)
  mutating func store(type: UInt8, count: Int, at offset: Int) -> Int {
    if count < 15 {
      store(UInt64(type) | UInt64(truncatingIfNeeded: count), width: 1, at: offset)
      return 1
    }
    store(UInt64(type | 0xf), width: 1, at: offset)
    return 1 &+ store(integer: UInt64(truncatingIfNeeded: count), at: offset &+ 1)
  }

  /// Stores an integer object as CoreFoundation does: in 1, 2 or 4 bytes where these are enough, and
  /// with a sign only in 8.
  ///
  /// - Returns: How many bytes that takes.
  @inline(__always)
  mutating func store(integer: UInt64, at offset: Int) -> Int {
    let (marker, width): (UInt64, Int) =
      switch integer {
      case ...0xff: (0x10, 1)
      case ...0xffff: (0x11, 2)
      case ...0xffff_ffff: (0x12, 4)
      default: (0x13, 8)
      }
    store(marker, width: 1, at: offset)
    store(integer, width: width, at: offset &+ 1)
    return 1 &+ width
  }
}

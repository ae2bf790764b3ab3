extension RawSpan {
  /// The eight bytes at an offset as a big-endian number.
  ///
  /// The trailer's 32 bytes follow all objects, so that shorter numbers, too, are read as eight bytes
  /// and shifted.
  ///
  /// Here and below the caller has compared the offset with the begin of the offset table, or with
  /// the end of the object's container, and ``Trailer`` has compared these with the length. Debug
  /// builds check again.
  @inline(__always)
  func bigEndianWord(at offset: Int) -> UInt64 {
    assert(offset >= 0 && offset <= byteCount - 8)
    return unsafe UInt64(
      bigEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// The eight bytes at an offset, the first in the lowest bits.
  @inline(__always)
  func littleEndianWord(at offset: Int) -> UInt64 {
    assert(offset >= 0 && offset <= byteCount - 8)
    return unsafe UInt64(
      littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// The sixteen bytes at an offset.
  @inline(__always)
  func words(at offset: Int) -> SIMD2<UInt64> {
    assert(offset >= 0 && offset <= byteCount - 16)
    return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD2<UInt64>.self)
  }

  /// The byte at an offset.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    assert(offset >= 0 && offset < byteCount)
    return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// The big-endian number of `width` bytes, 1 to 8, at an offset that has eight bytes.
  @inline(__always)
  func bigEndian(at offset: Int, width: Int) -> UInt64 {
    bigEndianWord(at: offset) &>> UInt64(truncatingIfNeeded: 64 &- width &<< 3)
  }

  /// Whether all of some bytes are below 0x80; eight more bytes must follow them.
  @inline(__always)
  func isASCII(at offset: Int, count: Int) -> Bool {
    var position = offset
    var left = count
    var wideBits = SIMD2<UInt64>()
    while left > 16 {
      wideBits |= words(at: position)
      position &+= 16
      left &-= 16
    }
    var bits = wideBits.x | wideBits.y
    while left > 8 {
      bits |= littleEndianWord(at: position)
      position &+= 8
      left &-= 8
    }
    bits |= littleEndianWord(at: position) & Self.lowBytes(left)
    return bits & 0x8080_8080_8080_8080 == 0
  }

  /// Whether the bytes at an offset are those at another; eight more bytes must follow both.
  @inline(__always)
  func repeats(_ other: Int, at offset: Int, count: Int) -> Bool {
    var one = offset
    var two = other
    var left = count
    while left > 8 {
      guard littleEndianWord(at: one) == littleEndianWord(at: two) else { return false }
      one &+= 8
      two &+= 8
      left &-= 8
    }
    let difference = littleEndianWord(at: one) ^ littleEndianWord(at: two)
    return difference & Self.lowBytes(left) == 0
  }

  /// A mask of the lowest `count` bytes, 0 to 8, of a word.
  @inline(__always)
  static func lowBytes(_ count: Int) -> UInt64 {
    // In two steps, since `&<<` takes a shift by 64 for one by 0.
    let half = UInt64(truncatingIfNeeded: count &* 4)
    return ~((UInt64.max &<< half) &<< half)
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

  /// Whether all bytes of `other` stand at an offset; eight more bytes must follow them here.
  @inline(__always)
  func holds(_ other: RawSpan, at offset: Int) -> Bool {
    var position = 0
    while other.byteCount &- position >= 8 {
      guard littleEndianWord(at: offset &+ position) == other.littleEndianWord(at: position) else {
        return false
      }
      position &+= 8
    }
    let mask = Self.lowBytes(other.byteCount &- position)
    return littleEndianWord(at: offset &+ position) & mask == other.shortWord(at: position)
  }

  /// The bytes from an offset to the end, fewer than eight, the first lowest, filled up with zeros.
  @inline(__always)
  func shortWord(at offset: Int) -> UInt64 {
    let count = byteCount &- offset
    // The pieces may overlap: a byte in two of them is or-ed with itself.
    if count >= 4 {
      let last = count &- 4
      let high = UInt64(littleEndianHalf(at: offset &+ last))
      return UInt64(littleEndianHalf(at: offset))
        | high &<< UInt64(truncatingIfNeeded: 8 &* last)
    }
    guard count > 0 else { return 0 }
    let middle = count &>> 1
    let last = count &- 1
    return UInt64(byte(at: offset))
      | UInt64(byte(at: offset &+ middle)) &<< UInt64(truncatingIfNeeded: 8 &* middle)
      | UInt64(byte(at: offset &+ last)) &<< UInt64(truncatingIfNeeded: 8 &* last)
  }

  /// The four bytes at an offset, the first in the lowest bits.
  @inline(__always)
  private func littleEndianHalf(at offset: Int) -> UInt32 {
    assert(offset >= 0 && offset <= byteCount - 4)
    return unsafe UInt32(
      littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
  }
}

extension [UInt8] {
  /// Passes the bytes to `body`. `Span.bytes` is marked unsafe for the sake of types with padding.
  @inline(__always)
  func reading<Result: ~Copyable, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(span.bytes)
  }
}

extension String {
  /// Passes the UTF-8 to `body`, without the two calls into the library that `utf8Span` takes.
  @inline(__always)
  func readingUTF8<Result>(_ body: (RawSpan) -> Result) -> Result {
    let result = unsafe utf8.withContiguousStorageIfAvailable { bytes in
      unsafe body(RawSpan(_unsafeElements: bytes))
    }
    if let result { return result }
    // Only a string bridged from Objective-C has no such storage.
    return unsafe body(utf8Span.span.bytes)
  }
}

extension Array {
  /// Makes an array of exactly the capacity in place.
  ///
  /// The library's initialisers of this kind allocate in an unspecialised function that looks up the
  /// type each time, which is a tenth of the time that a tree takes. Appending does not.
  @inline(__always)
  init<Failure: Error>(
    filling capacity: Int, _ body: (inout OutputSpan<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    self = []
    try append(addingCapacity: capacity, initializingWith: body)
  }
}

extension [UInt8] {
  /// Copies the first bytes of a buffer; the count is checked against the buffer's.
  @unsafe @inline(__always)
  init(copying buffer: UnsafeRawBufferPointer, count: Int) {
    let source = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
    self.init(filling: count) { target in
      unsafe target.withUnsafeMutableBufferPointer { target, initialized in
        unsafe UnsafeMutableRawBufferPointer(target).copyMemory(from: source)
        initialized = count
      }
    }
  }
}

extension RawSpan {
  /// The string of bytes that are ASCII; other bytes, there by a caller's mistake, are repaired.
  @inline(__always)
  func asciiString(at offset: Int, count: Int) -> String {
    unsafe withUnsafeBytes { bytes in
      // The slice is checked against the span's bounds.
      unsafe String(
        decoding: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]),
        as: UTF8.self)
    }
  }

  /// The string of bytes that were checked to be ASCII, without a second check.
  @inline(__always)
  func checkedASCIIString(at offset: Int, count: Int) -> String {
    let text = extracting(offset..<offset &+ count)
    return unsafe String(copying: UTF8Span(unchecked: Span(_bytes: text), isKnownASCII: true))
  }

  /// The string of bytes that are not all ASCII: UTF-8 where they are, as libplist reads and writes
  /// them, and otherwise Latin-1, as CoreFoundation reads them.
  func wideCharactersString(at offset: Int, count: Int) -> String {
    let text = unsafe withUnsafeBytes { bytes in
      // The slice is checked against the span's bounds.
      unsafe String(
        validating: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]),
        as: UTF8.self)
    }
    return text ?? latin1String(at: offset, count: count)
  }

  /// The string of bytes that are Latin-1.
  private func latin1String(at offset: Int, count: Int) -> String {
    unsafe String(unsafeUninitializedCapacity: 2 * count) { target in
      var length = 0
      for position in offset..<offset + count {
        let byte = byte(at: position)
        // At most two bytes of UTF-8 for each of Latin-1: the subscripts stay below the capacity.
        if byte < 0x80 {
          unsafe target[length] = byte
          length += 1
        } else {
          unsafe target[length] = 0xc0 | byte >> 6
          unsafe target[length + 1] = 0x80 | byte & 0x3f
          length += 2
        }
      }
      return length
    }
  }

  /// The string of big-endian UTF-16, with U+FFFD for lone surrogates.
  func utf16String(at offset: Int, count: Int) -> String {
    // The text is made in memory that is used again, and copied in its size.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * count) { target in
      let length = unsafe writeUTF8(ofUTF16At: offset, count: count, to: target)
      let text = unsafe UnsafeBufferPointer(rebasing: target[..<length])
      // What was written is UTF-8.
      return unsafe String(copying: UTF8Span(unchecked: text.span))
    }
  }

  /// - Parameter target: has room for three bytes for each unit.
  /// - Returns: how many bytes were written.
  private func writeUTF8(
    ofUTF16At offset: Int, count: Int, to target: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var length = 0
    var index = 0
    while index < count {
      let unit = utf16Unit(at: offset, index: index)
      index += 1
      // At most three bytes of UTF-8 for each unit: the subscripts stay below the capacity.
      switch unit {
      case ..<0x80:
        unsafe target[length] = UInt8(truncatingIfNeeded: unit)
        length += 1
      case ..<0x800:
        unsafe target[length] = 0xc0 | UInt8(truncatingIfNeeded: unit >> 6)
        unsafe target[length + 1] = 0x80 | UInt8(truncatingIfNeeded: unit & 0x3f)
        length += 2
      default:
        var scalar = UInt32(unit)
        if UTF16.isLeadSurrogate(unit), index < count,
          case let next = utf16Unit(at: offset, index: index), UTF16.isTrailSurrogate(next)
        {
          index += 1
          scalar = 0x10000 + (UInt32(unit & 0x3ff) << 10 | UInt32(next & 0x3ff))
          unsafe target[length] = 0xf0 | UInt8(truncatingIfNeeded: scalar >> 18)
          unsafe target[length + 1] = 0x80 | UInt8(truncatingIfNeeded: scalar >> 12 & 0x3f)
          length += 2
        } else {
          if UTF16.isLeadSurrogate(unit) || UTF16.isTrailSurrogate(unit) { scalar = 0xfffd }
          unsafe target[length] = 0xe0 | UInt8(truncatingIfNeeded: scalar >> 12)
          length += 1
        }
        unsafe target[length] = 0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 0x3f)
        unsafe target[length + 1] = 0x80 | UInt8(truncatingIfNeeded: scalar & 0x3f)
        length += 2
      }
    }
    return length
  }

  /// A unit of the UTF-16 that begins at an offset.
  @inline(__always)
  func utf16Unit(at offset: Int, index: Int) -> UInt16 {
    let position = offset &+ 2 &* index
    assert(position >= 0 && position <= byteCount - 2)
    return unsafe UInt16(
      bigEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt16.self))
  }

  /// The offset of the first surrogate that is not part of a pair, or `nil`.
  func firstLoneSurrogate(at offset: Int, count: Int) -> Int? {
    var index = 0
    while index < count {
      // Four units at once, as long as all four belong to the text.
      if count - index >= 4, !Self.mayHaveSurrogate(littleEndianWord(at: offset + 2 * index)) {
        index += 4
        continue
      }
      let unit = utf16Unit(at: offset, index: index)
      if UTF16.isLeadSurrogate(unit) {
        guard index + 1 < count, UTF16.isTrailSurrogate(utf16Unit(at: offset, index: index + 1))
        else { return offset + 2 * index }
        index += 1
      } else if UTF16.isTrailSurrogate(unit) {
        return offset + 2 * index
      }
      index += 1
    }
    return nil
  }

  /// Whether one of the four big-endian units in a little-endian word may be a surrogate.
  @inline(__always)
  private static func mayHaveSurrogate(_ word: UInt64) -> Bool {
    // Zero where a unit's high byte is d8...df, followed by the usual search for a zero, which may
    // report one where there is none, but never miss one.
    let marked = (word & 0x00f8_00f8_00f8_00f8) ^ 0x00d8_00d8_00d8_00d8
    return (marked &- 0x0001_0001_0001_0001) & ~marked & 0x8000_8000_8000_8000 != 0
  }
}

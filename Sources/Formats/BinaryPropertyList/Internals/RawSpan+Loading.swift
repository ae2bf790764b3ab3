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
      let behind = count &- 4
      let high = UInt64(littleEndianHalf(at: offset &+ behind))
      return UInt64(littleEndianHalf(at: offset))
        | high &<< UInt64(truncatingIfNeeded: 8 &* behind)
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

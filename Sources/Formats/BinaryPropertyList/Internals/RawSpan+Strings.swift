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

  /// The string of bytes that are Latin-1.
  func latin1String(at offset: Int, count: Int) -> String {
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
    unsafe String(unsafeUninitializedCapacity: 3 * count) { target in
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

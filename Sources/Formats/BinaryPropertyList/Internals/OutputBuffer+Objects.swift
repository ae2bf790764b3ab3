extension OutputBuffer {
  /// Appends the object of a scalar, a string or data.
  ///
  /// - Returns: A hash of the object.
  @inline(__always)
  mutating func append(leaf value: PropertyList) -> UInt64 {
    reserve(24)
    switch value {
    case .string(let value): return append(hashing: value)
    case .integer(let value): return append(integer: value)
    case .boolean(let value): return append(hashing: value ? 0x09 : 0x08, 0, width: 0)
    case .real(let value): return append(hashing: 0x23, value.bitPattern, width: 8)
    case .float(let value): return append(hashing: 0x22, UInt64(value.bitPattern), width: 4)
    case .date(let value): return append(hashing: 0x33, value.bitPattern, width: 8)
    case .data(let value): return append(data: value)
    case .uid(let value):
      let width = IntegerWidth.bytes(for: value)
      return append(hashing: 0x80 | UInt8(width - 1), value, width: width)
    case .wideInteger(let value):
      if let value = Int64(exactly: value) { return append(integer: value) }
      let hash = append(hashing: 0x14, UInt64(truncatingIfNeeded: value >> 64), width: 8)
      appendWord(UInt64(truncatingIfNeeded: value))
      return hash ^ UInt64(truncatingIfNeeded: value) &* 0x9e37_79b9_7f4a_7c15
    default: return append(hashing: 0x00, 0, width: 0)
    }
  }

  @inline(never)
  private mutating func append(data: [UInt8]) -> UInt64 {
    reserve(data.count + 9)
    append(type: 0x40, count: data.count)
    return data.reading { bytes in
      var hash = FoldedHash(count: ~bytes.byteCount, key: hashKey)
      // Whether the bytes are ASCII does not matter with data.
      _ = append(text: bytes, digest: &hash)
      return hash.value
    }
  }

  /// Appends a marker and after it a number of `width` bytes, up to 8.
  ///
  /// - Returns: A hash of both.
  @inline(__always)
  private mutating func append(hashing marker: UInt8, _ value: UInt64, width: Int) -> UInt64 {
    append(marker: marker, value, width: width)
    // In the upper half, where no length of a text has bits.
    var hash = FoldedHash(count: Int(marker) << 32, key: hashKey)
    hash.combine(value)
    return hash.value
  }

  /// Appends an integer as CoreFoundation does: only eight bytes have a sign.
  @inline(__always)
  private mutating func append(integer value: Int64) -> UInt64 {
    let bits = UInt64(bitPattern: value)
    let (marker, width) = IntegerWidth.markerAndWidth(of: bits)
    return append(hashing: marker, bits, width: width)
  }

  /// Appends a string object: ASCII where possible, else UTF-16.
  ///
  /// - Returns: A hash of the object.
  @inline(__always)
  mutating func append(hashing string: String) -> UInt64 {
    string.readingUTF8 { utf8 in
      var hash = FoldedHash(count: utf8.byteCount, key: hashKey)
      append(utf8: utf8, digest: &hash)
      return hash.value
    }
  }

  /// Appends the string object of a text in UTF-8, and digests the text.
  @inline(__always)
  mutating func append(utf8: RawSpan, digest: inout some TextDigest) {
    let start = count
    reserve(utf8.byteCount + 9)
    append(type: 0x50, count: utf8.byteCount)
    if !append(text: utf8, digest: &digest) {
      truncate(to: start)
      append(utf16Of: utf8)
    }
  }

  /// Appends the string object of a text in UTF-8 as UTF-16, which takes at most twice the bytes.
  @inline(never)
  private mutating func append(utf16Of utf8: RawSpan) {
    var units = 0
    for position in 0..<utf8.byteCount {
      let byte = utf8.byte(at: position)
      // A unit for each byte that begins a scalar, and a second one for scalars of four bytes.
      if byte & 0xc0 != 0x80 { units += byte >= 0xf0 ? 2 : 1 }
    }
    reserve(2 * units + 9)
    append(type: 0x60, count: units)
    var position = 0
    while position < utf8.byteCount {
      let byte = utf8.byte(at: position)
      switch byte {
      case ..<0x80:
        append(unit: UInt16(byte))
        position += 1
      case ..<0xe0:
        append(unit: UInt16(byte & 0x1f) << 6 | continuation(utf8, position + 1))
        position += 2
      case ..<0xf0:
        append(
          unit: UInt16(byte & 0xf) << 12 | continuation(utf8, position + 1) << 6
            | continuation(utf8, position + 2))
        position += 3
      default:
        let high = UInt32(byte & 7) << 18 | UInt32(continuation(utf8, position + 1)) << 12
        let low = continuation(utf8, position + 2) << 6 | continuation(utf8, position + 3)
        let scalar = (high | UInt32(low)) - 0x10000
        append(unit: 0xd800 | UInt16(scalar >> 10))
        append(unit: 0xdc00 | UInt16(scalar & 0x3ff))
        position += 4
      }
    }
  }

  @inline(__always)
  private func continuation(_ utf8: RawSpan, _ position: Int) -> UInt16 {
    UInt16(utf8.byte(at: position) & 0x3f)
  }
}

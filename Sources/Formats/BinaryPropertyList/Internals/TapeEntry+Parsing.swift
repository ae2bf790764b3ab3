extension TapeEntry {
  /// Reads the object at an offset below the table, and checks that it ends before the table.
  init(
    at offset: Int, in bytes: RawSpan, trailer: Trailer, options: DecodingOptions
  ) throws(DecodingFailure) {
    var length = 0
    try self.init(at: offset, &length, in: bytes, trailer: trailer, options: options)
  }

  /// Reads an object as ``init(at:in:trailer:options:)`` does, and sets `length` to its length.
  @inline(__always)
  init(
    at offset: Int, _ length: inout Int, in bytes: RawSpan, trailer: Trailer,
    options: DecodingOptions
  ) throws(DecodingFailure) {
    let marker = bytes.byte(at: offset)
    let nibble = Int(marker & 0xf)
    switch marker >> 4 {
    case 0x5:
      let (header, count) = try Self.count(at: offset, nibble, 1, in: bytes, trailer)
      let isASCII = bytes.isASCII(at: offset &+ header, count: count)
      length = header &+ count
      self.init(
        isASCII ? .ascii : .latin1, offset: offset, headerLength: header,
        value: UInt64(truncatingIfNeeded: count))
    case 0x6:
      let (header, count) = try Self.count(at: offset, nibble, 2, in: bytes, trailer)
      self.init(.utf16, offset: offset, headerLength: header, value: UInt64(count))
      length = header &+ 2 &* count
      if let lone = bytes.firstLoneSurrogate(at: offset + header, count: count) {
        guard options.replacesLoneSurrogates else {
          throw DecodingFailure(.loneSurrogate, at: lone)
        }
        isFlawed = true
      }
    case 0x1:
      guard nibble <= 4 else { throw DecodingFailure(.integerWidth, at: offset) }
      let width = 1 << nibble
      try Self.check(width, after: offset, trailer)
      length = 1 &+ width
      if nibble <= 3 {
        let value = bytes.bigEndian(at: offset + 1, width: width)
        self.init(.integer, offset: offset, headerLength: 1 + width, value: value)
      } else {
        let high = Int64(bitPattern: bytes.bigEndianWord(at: offset + 1))
        let low = bytes.bigEndianWord(at: offset + 9)
        let fits = high == Int64(bitPattern: low) >> 63
        self.init(
          fits ? .integer : .wideInteger, offset: offset, headerLength: 17, value: low)
      }
    case 0x2:
      guard nibble == 2 || nibble == 3 else { throw DecodingFailure(.realWidth, at: offset) }
      let width = 1 << nibble
      try Self.check(width, after: offset, trailer)
      length = 1 &+ width
      let value = bytes.bigEndian(at: offset + 1, width: width)
      self.init(nibble == 2 ? .float : .real, offset: offset, headerLength: 1 + width, value: value)
    case 0x3:
      guard nibble == 3 else { throw DecodingFailure(.dateWidth, at: offset) }
      try Self.check(8, after: offset, trailer)
      length = 9
      let value = bytes.bigEndianWord(at: offset + 1)
      self.init(.date, offset: offset, headerLength: 9, value: value)
    case 0x4:
      let (header, count) = try Self.count(at: offset, nibble, 1, in: bytes, trailer)
      length = header &+ count
      self.init(.data, offset: offset, headerLength: header, value: UInt64(count))
    case 0x8:
      guard nibble < 8 else { throw DecodingFailure(.uidWidth, at: offset) }
      try Self.check(nibble + 1, after: offset, trailer)
      length = nibble &+ 2
      let value = bytes.bigEndian(at: offset + 1, width: nibble + 1)
      self.init(.uid, offset: offset, headerLength: nibble + 2, value: value)
    case 0xa, 0xb, 0xc:
      let (header, count) = try Self.count(
        at: offset, nibble, trailer.referenceWidth, in: bytes, trailer)
      length = header &+ count &* trailer.referenceWidth
      let kind: TapeKind =
        switch marker >> 4 {
        case 0xa: .array
        case 0xb: .orderedSet
        default: .set
        }
      self.init(kind, offset: offset, headerLength: header, value: UInt64(count))
    case 0xd:
      let (header, count) = try Self.count(
        at: offset, nibble, 2 * trailer.referenceWidth, in: bytes, trailer)
      length = header &+ 2 &* count &* trailer.referenceWidth
      self.init(.dictionary, offset: offset, headerLength: header, value: UInt64(count))
    default:
      length = 1
      switch marker {
      case 0x00: self.init(.null, offset: offset, headerLength: 1, value: 0)
      case 0x08: self.init(.boolean, offset: offset, headerLength: 1, value: 0)
      case 0x09: self.init(.boolean, offset: offset, headerLength: 1, value: 1)
      default: throw DecodingFailure(.marker(marker), at: offset)
      }
    }
  }

  /// Reads a string of one byte a unit, and enters it as ASCII without a look at its text.
  @inline(__always)
  static func narrowString(
    at offset: Int, in bytes: RawSpan, _ trailer: Trailer
  ) throws(DecodingFailure) -> TapeEntry {
    let nibble = Int(bytes.byte(at: offset) & 0xf)
    let (header, count) = try count(at: offset, nibble, 1, in: bytes, trailer)
    return TapeEntry(
      .ascii, offset: offset, headerLength: header, value: UInt64(truncatingIfNeeded: count))
  }

  /// Reads the count of an object of variable length.
  ///
  /// - Parameter unit: How many bytes each counted element takes.
  /// - Returns: The length of marker and count, and the count.
  @inline(__always)
  static func count(
    at offset: Int, _ nibble: Int, _ unit: Int, in bytes: RawSpan, _ trailer: Trailer
  ) throws(DecodingFailure) -> (headerLength: Int, count: Int) {
    if nibble < 15 {
      guard nibble * unit <= trailer.table - offset - 1 else {
        throw DecodingFailure(.objectTruncated, at: offset)
      }
      return (1, nibble)
    }
    // A count of one byte is by far the most frequent. Two bytes can be read after the marker, since
    // the trailer follows.
    if bytes.byte(at: offset &+ 1) == 0x10 {
      let count = Int(bytes.byte(at: offset &+ 2))
      if count &* unit <= trailer.table &- offset &- 3 { return (3, count) }
    }
    return try longCount(at: offset, unit, in: bytes, trailer)
  }

  @inline(never)
  private static func longCount(
    at offset: Int, _ unit: Int, in bytes: RawSpan, _ trailer: Trailer
  ) throws(DecodingFailure) -> (headerLength: Int, count: Int) {
    guard trailer.table - offset >= 2 else { throw DecodingFailure(.objectTruncated, at: offset) }
    let marker = bytes.byte(at: offset + 1)
    guard marker >> 4 == 1 else { throw DecodingFailure(.countType, at: offset + 1) }
    let isWide = marker & 0xf == 4
    guard marker & 0xf <= 3 || isWide && trailer.toleratesFlaws else {
      throw DecodingFailure(.countWidth, at: offset + 1)
    }
    let width = 1 << Int(marker & 0xf)
    guard trailer.table - offset >= 2 + width else {
      throw DecodingFailure(.objectTruncated, at: offset)
    }
    guard !isWide || bytes.bigEndianWord(at: offset + 2) == 0 else {
      throw DecodingFailure(.countTooLarge, at: offset)
    }
    let count = bytes.bigEndian(at: offset + (isWide ? 10 : 2), width: isWide ? 8 : width)
    guard count <= UInt64((trailer.table - offset - 2 - width) / unit) else {
      throw DecodingFailure(.countTooLarge, at: offset)
    }
    return (2 + width, Int(count))
  }

  @inline(__always)
  private static func check(
    _ width: Int, after offset: Int, _ trailer: Trailer
  ) throws(DecodingFailure) {
    guard width < trailer.table - offset else {
      throw DecodingFailure(.objectTruncated, at: offset)
    }
  }
}

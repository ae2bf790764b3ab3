/// The header and trailer of a property list, checked against each other and against the length.
struct Trailer: Sendable {
  let offsetWidth: Int
  let referenceWidth: Int
  let objectCount: Int
  let root: Int
  /// The offset of the offset table; all objects end before it.
  let table: Int
  /// ``DecodingOptions/toleratesFlaws``, for the readers of counts.
  let toleratesFlaws: Bool

  /// The header's length, and so the offset of the first object.
  static let headerLength = 8
  /// The trailer's length.
  static let length = 32
  /// `bplist00`, the first byte lowest.
  static let header: UInt64 = 0x3030_7473_696c_7062

  /// Reads header and trailer.
  init(of bytes: RawSpan, options: DecodingOptions) throws(DecodingFailure) {
    let length = bytes.byteCount
    guard length >= 8, bytes.littleEndianWord(at: 0) << 16 == Self.header << 16 else {
      throw DecodingFailure(.notBinaryPropertyList, at: 0)
    }
    // CoreFoundation takes any second digit of the version.
    let word = bytes.littleEndianWord(at: 0)
    guard word == Self.header || options.toleratesFlaws && word << 8 == Self.header << 8 else {
      throw DecodingFailure(.version(bytes.byte(at: 6), bytes.byte(at: 7)), at: 6)
    }
    guard length >= Self.headerLength + 2 + Self.length else {
      throw DecodingFailure(.tooShort, at: length)
    }
    guard length < TapeEntry.offsetLimit else {
      throw DecodingFailure(.tooLarge, at: TapeEntry.offsetLimit)
    }
    do throws(DecodingFailure) {
      try self.init(of: bytes, length: length, options)
    } catch {
      // The failure of all bytes is the one to report, unless they are right without the last one.
      guard bytes.byte(at: length - 1) == 0, length > Self.headerLength + 2 + Self.length,
        let shorter = try? Trailer(of: bytes, length: length - 1, options)
      else { throw error }
      guard options.toleratesTrailingNUL else {
        throw DecodingFailure(.trailingNUL, at: length - 1)
      }
      self = shorter
    }
  }

  @inline(__always)
  private init(
    of bytes: RawSpan, length: Int, _ options: DecodingOptions
  ) throws(DecodingFailure) {
    let start = length - Self.length
    let offsetWidth = Int(bytes.byte(at: start + 6))
    guard 1...8 ~= offsetWidth else { throw DecodingFailure(.offsetSize, at: start + 6) }
    let referenceWidth = Int(bytes.byte(at: start + 7))
    guard 1...8 ~= referenceWidth else { throw DecodingFailure(.referenceSize, at: start + 7) }
    let objectCount = bytes.bigEndianWord(at: start + 8)
    guard objectCount > 0 else { throw DecodingFailure(.noObjects, at: start + 8) }
    // Object numbers are kept in 32 bits.
    guard objectCount < UInt64(length), objectCount <= UInt64(UInt32.max) else {
      throw DecodingFailure(.objectCount, at: start + 8)
    }
    let root = bytes.bigEndianWord(at: start + 16)
    guard root < objectCount else { throw DecodingFailure(.rootOutside, at: start + 16) }
    let table = bytes.bigEndianWord(at: start + 24)
    guard table > UInt64(Self.headerLength), table < UInt64(start) else {
      throw DecodingFailure(.tableOutside, at: start + 24)
    }
    // The product does not overflow: the count is below the length, which is below 2^40.
    guard UInt64(offsetWidth) * objectCount == UInt64(start) - table else {
      throw DecodingFailure(.tableLength, at: start + 24)
    }
    // CoreFoundation refuses even 256 objects with references of one byte; but their numbers, 0 to
    // 255, fit, and reading them loses and guesses nothing.
    guard referenceWidth == 8 || (objectCount - 1) >> UInt64(8 * referenceWidth) == 0 else {
      throw DecodingFailure(.referenceSizeTooSmall, at: start + 7)
    }
    guard offsetWidth == 8 || (table - 1) >> UInt64(8 * offsetWidth) == 0 else {
      throw DecodingFailure(.offsetSizeTooSmall, at: start + 6)
    }
    self.offsetWidth = offsetWidth
    self.referenceWidth = referenceWidth
    self.objectCount = Int(objectCount)
    self.root = Int(root)
    self.table = Int(table)
    toleratesFlaws = options.toleratesFlaws
  }

  /// The same trailer, whose two widths must be 1, with widths that the compiler knows.
  @inline(__always)
  var withWidthsOfOne: Trailer {
    assert(offsetWidth == 1 && referenceWidth == 1)
    return Trailer(
      offsetWidth: 1, referenceWidth: 1, objectCount: objectCount, root: root, table: table,
      toleratesFlaws: toleratesFlaws)
  }

  private init(
    offsetWidth: Int, referenceWidth: Int, objectCount: Int, root: Int, table: Int,
    toleratesFlaws: Bool
  ) {
    self.offsetWidth = offsetWidth
    self.referenceWidth = referenceWidth
    self.objectCount = objectCount
    self.root = root
    self.table = table
    self.toleratesFlaws = toleratesFlaws
  }

  /// The offset of an object, checked to lie between header and offset table.
  @inline(__always)
  func offset(of object: Int, in bytes: RawSpan) throws(DecodingFailure) -> Int {
    let position = table &+ object &* offsetWidth
    let offset = bytes.bigEndian(at: position, width: offsetWidth)
    // Both bounds in one comparison: an offset inside the header wraps round.
    let header = UInt64(Self.headerLength)
    guard offset &- header < UInt64(truncatingIfNeeded: table) &- header else {
      throw DecodingFailure(.objectOutside, at: position)
    }
    return Int(truncatingIfNeeded: offset)
  }

  /// The object that a reference names, checked to be one of the table's.
  @inline(__always)
  func reference(at position: Int, in bytes: RawSpan) throws(DecodingFailure) -> Int {
    let reference = bytes.bigEndian(at: position, width: referenceWidth)
    guard reference < UInt64(truncatingIfNeeded: objectCount) else {
      throw DecodingFailure(.referenceOutside, at: position)
    }
    return Int(truncatingIfNeeded: reference)
  }

  /// The object that a reference names, once the reference was checked.
  @inline(__always)
  func checkedReference(at position: Int, in bytes: RawSpan) -> Int {
    Int(truncatingIfNeeded: bytes.bigEndian(at: position, width: referenceWidth))
  }
}

/// The index's entry for an object, in 16 bytes: its kind, its offset, and its value or count.
struct TapeEntry: Sendable {
  /// From the lowest bit: 4 bits kind, 4 bits length of marker and count, 4 bits flags, 12 bits
  /// height, 40 bits offset of the content after marker and count.
  private var head: UInt64
  /// The bits of a scalar's value, or the count of units, bytes, elements or pairs.
  let value: UInt64

  /// The first offset that does not fit.
  static let offsetLimit = 1 << 40

  init(_ kind: TapeKind, offset: Int, headerLength: Int, value: UInt64) {
    let lengthBits = headerLength == 18 ? 14 : min(headerLength, 15)
    head =
      UInt64(kind.rawValue) | UInt64(truncatingIfNeeded: lengthBits) << 4
      | UInt64(truncatingIfNeeded: offset &+ headerLength) << 24
    self.value = value
  }

  private init() {
    head = 0
    value = 0
  }

  /// Takes the place of an entry where there is no object.
  static var none: TapeEntry { TapeEntry() }

  /// Whether the entry is ``none``; the content of an object follows the header, so its offset
  /// is not 0.
  var isNone: Bool { head == 0 }

  @inline(__always)
  var kind: TapeKind {
    // The sixteen kinds are numbered in order, so every value of four bits is one of them.
    // `TapeKind(rawValue:)` would be a call, on every path that matters.
    unsafe unsafeBitCast(UInt8(truncatingIfNeeded: head & 0xf), to: TapeKind.self)
  }

  /// Whether the entry is a container's; only then have ``height`` and ``isOpen`` a meaning.
  @inline(__always)
  var isContainer: Bool { head & 0xf >= UInt64(TapeKind.array.rawValue) }

  /// Whether the entry is a dictionary's.
  @inline(__always)
  var isDictionary: Bool { head & 0xf == UInt64(TapeKind.dictionary.rawValue) }

  /// Whether the entry is a string's.
  @inline(__always)
  var isString: Bool {
    head & 0xf >= UInt64(TapeKind.ascii.rawValue) && head & 0xf <= UInt64(TapeKind.utf16.rawValue)
  }

  /// The offset of the marker.
  @inline(__always)
  var offset: Int { contentOffset &- headerLength }

  /// The length of marker and count; for a scalar, of the whole object.
  @inline(__always)
  private var headerLength: Int {
    let bits = Int(truncatingIfNeeded: head >> 4 & 0xf)
    // Only an integer of 16 bytes, and a count of as many, is longer than the four bits can tell.
    return bits < 14 ? bits : bits == 15 ? 17 : 18
  }

  /// The offset of the content after marker and count.
  @inline(__always)
  var contentOffset: Int { Int(truncatingIfNeeded: head >> 24) }

  /// The range of the content, for an object whose count is one of bytes.
  var contentRange: Range<Int> { contentOffset..<contentOffset + count }

  /// The count of units, bytes, elements or pairs.
  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: value) }

  /// Whether the object is referred to more than once.
  @inline(__always)
  var isShared: Bool { head & Self.shared != 0 }

  /// Whether a tree has the object's value in several places, and makes it for the first only.
  ///
  /// Where making a value costs less than finding the one that was made, it is made again.
  @inline(__always)
  var isMadeOnce: Bool { isShared && isWorthSharing }

  @inline(__always)
  private var isWorthSharing: Bool {
    switch kind {
    case .ascii: count > Self.smallTextLength
    case .latin1, .utf16, .data: count > 0
    case .array, .orderedSet, .set, .dictionary, .wideInteger: true
    default: false
    }
  }

  /// Texts of up to so many bytes lie inside a `String` and allocate nothing.
  static let smallTextLength = 15

  /// Notes a reference to the object, and adds the entry's flags to `flags`.
  @inline(__always)
  mutating func noteReference(_ flags: inout UInt64) {
    head |= head << 1 & Self.shared | Self.referenced
    flags |= head
  }

  /// Whether one of the objects whose flags were added up is shared.
  static func isAnyShared(_ flags: UInt64) -> Bool { flags & shared != 0 }

  /// Whether the walk is inside the container, so that a reference to it closes a cycle.
  var isOpen: Bool {
    get { head & Self.open != 0 }
    set { head = newValue ? head | Self.open : head & ~Self.open }
  }

  /// Whether a dictionary has equal keys or integers as keys, or a string lone surrogates.
  var isFlawed: Bool {
    get { head & Self.flawed != 0 }
    set { head = newValue ? head | Self.flawed : head & ~Self.flawed }
  }

  /// The levels of containers from this one down, itself included; 0 until the walk has left it.
  var height: Int {
    get { Int(truncatingIfNeeded: head >> 12 & 0xfff) }
    set { head = head & ~(0xfff << 12) | UInt64(truncatingIfNeeded: newValue & 0xfff) << 12 }
  }

  private static let referenced: UInt64 = 1 << 8
  private static let shared: UInt64 = 1 << 9
  private static let open: UInt64 = 1 << 10
  private static let flawed: UInt64 = 1 << 11
}

/// The kinds of objects, with one for each encoding of strings; strings stand together, and so do
/// containers.
enum TapeKind: UInt8 {
  case null, boolean, integer, wideInteger, float, real, date, uid
  case data, ascii, latin1, utf16
  case array, orderedSet, set, dictionary

  var objectKind: ObjectKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .wideInteger: .wideInteger
    case .float: .float
    case .real: .real
    case .date: .date
    case .uid: .uid
    case .data: .data
    case .ascii, .latin1, .utf16: .string
    case .array: .array
    case .orderedSet: .orderedSet
    case .set: .set
    case .dictionary: .dictionary
    }
  }
}

extension TapeEntry {
  /// The value of an integer of 16 bytes.
  func wideValue(in bytes: RawSpan) -> Int128 {
    let high = Int64(bitPattern: bytes.bigEndianWord(at: contentOffset - 16))
    return Int128(_low: value, _high: high)
  }

  /// The place of a string's text, or `nil` for another object.
  var stringRange: StringRange? {
    let encoding: StringEncoding? =
      switch kind {
      case .ascii: .ascii
      case .latin1: .latin1
      case .utf16: .utf16
      default: nil
      }
    return encoding.map {
      StringRange(offset: contentOffset, unitCount: count, encoding: $0)
    }
  }

  /// The text of a string.
  @inline(__always)
  func string(in bytes: RawSpan) -> String {
    switch kind {
    case .utf16: bytes.utf16String(at: contentOffset, count: count)
    case .latin1: bytes.wideCharactersString(at: contentOffset, count: count)
    default: bytes.checkedASCIIString(at: contentOffset, count: count)
    }
  }
}

extension TapeEntry {
  /// Whether two strings have the same text, whatever their encodings.
  @inline(__always)
  func hasSameText(as other: TapeEntry, in bytes: RawSpan) -> Bool {
    guard kind == .ascii, other.kind == .ascii else {
      return hasSameUnits(as: other, in: bytes)
    }
    guard value == other.value else { return false }
    return bytes.repeats(contentOffset, at: other.contentOffset, count: count)
  }

  @inline(never)
  private func hasSameUnits(as other: TapeEntry, in bytes: RawSpan) -> Bool {
    // In UTF-8, equal texts may differ in their counts.
    if kind == .latin1 || other.kind == .latin1 {
      return string(in: bytes).utf8.elementsEqual(other.string(in: bytes).utf8)
    }
    guard count == other.count else { return false }
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
    guard kind == .ascii else { return wideTextHash(in: bytes, key: key) }
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

  /// The hash of a text's UTF-16, the same as of bytes when all units are ASCII.
  @inline(never)
  private func wideTextHash(in bytes: RawSpan, key: HashKey) -> UInt64 {
    let units =
      kind == .utf16
      ? (0..<count).map { unit($0, in: bytes) } : Array(string(in: bytes).utf16)
    let unitsInWord = units.allSatisfy { $0 < 0x80 } ? 8 : 4
    var hash = FoldedHash(count: units.count, key: key)
    var word: UInt64 = 0
    for (index, unit) in units.enumerated() {
      if index > 0, index % unitsInWord == 0 {
        hash.combine(word)
        word = 0
      }
      word |= UInt64(unit) << UInt64(64 / unitsInWord * (index % unitsInWord))
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

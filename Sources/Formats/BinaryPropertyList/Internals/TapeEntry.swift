/// What the index keeps of an object, in 16 bytes: its kind, where it lies, and its value or count.
struct TapeEntry: Sendable {
  /// From the lowest bit: 4 bits kind, 4 bits length of marker and count, 4 bits flags, 12 bits
  /// height, 40 bits offset of what follows marker and count.
  private var head: UInt64
  /// The bits of a scalar's value, or the count of units, bytes, elements or pairs.
  let value: UInt64

  /// The offsets that fit.
  static let offsetLimit = 1 << 40

  init(_ kind: TapeKind, offset: Int, headerLength: Int, value: UInt64) {
    head =
      UInt64(kind.rawValue) | UInt64(truncatingIfNeeded: min(headerLength, 15)) << 4
      | UInt64(truncatingIfNeeded: offset &+ headerLength) << 24
    self.value = value
  }

  private init() {
    head = 0
    value = 0
  }

  /// In place of an entry where there is no object.
  static var none: TapeEntry { TapeEntry() }

  /// Whether there is no object; those there are lie behind the header, at no offset 0.
  var isNone: Bool { head == 0 }

  @inline(__always)
  var kind: TapeKind {
    // The sixteen kinds are numbered in order, so that each value of four bits is one. Written as
    // `TapeKind(rawValue:)` it is a call, on every path that matters.
    unsafe unsafeBitCast(UInt8(truncatingIfNeeded: head & 0xf), to: TapeKind.self)
  }

  /// Whether the entry is a container's; only then is the height's meaning and the walk's.
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

  /// Where the marker lies.
  @inline(__always)
  var offset: Int { contentOffset &- headerLength }

  /// The length of marker and count; with a scalar, of all of it.
  @inline(__always)
  private var headerLength: Int {
    let bits = Int(truncatingIfNeeded: head >> 4 & 0xf)
    // Only an integer of 16 bytes is so long that the four bits do not say it.
    return bits == 15 ? 17 : bits
  }

  /// Where the content behind marker and count lies.
  @inline(__always)
  var contentOffset: Int { Int(truncatingIfNeeded: head >> 24) }

  /// Where the content of an object of `count` bytes lies.
  var contentRange: Range<Int> { contentOffset..<contentOffset + count }

  /// The count of units, bytes, elements or pairs.
  @inline(__always)
  var count: Int { Int(truncatingIfNeeded: value) }

  /// Whether a second reference to the object was found.
  @inline(__always)
  var isShared: Bool { head & Self.shared != 0 }

  /// Whether making the object's value again would cost more than finding the one that was made.
  ///
  /// Short strings are memory of their own no more than numbers are.
  @inline(__always)
  var isWorthSharing: Bool {
    switch kind {
    case .ascii: count > Self.inlineLimit
    case .latin1, .utf16, .data: count > 0
    case .array, .orderedSet, .set, .dictionary, .wideInteger: true
    default: false
    }
  }

  /// Up to so many bytes of text lie in the string itself.
  private static let inlineLimit = 15

  /// Whether a tree has the object's value in several places, and makes it for the first only.
  @inline(__always)
  var isMadeOnce: Bool { isShared && isWorthSharing }

  /// Notes a reference to the object, and adds what is now known of it to `flags`.
  @inline(__always)
  mutating func noteReference(_ flags: inout UInt64) {
    head |= head << 1 & Self.shared | Self.referenced
    flags |= head
  }

  /// Whether one of the objects whose flags were gathered is shared.
  static func isAnyShared(_ flags: UInt64) -> Bool { flags & shared != 0 }

  /// Whether the walk is inside the container; a reference to it closes a cycle.
  var isOpen: Bool {
    get { head & Self.open != 0 }
    set { head = newValue ? head | Self.open : head & ~Self.open }
  }

  /// Whether a dictionary has keys twice, or a string surrogates alone.
  var isFlawed: Bool {
    get { head & Self.flawed != 0 }
    set { head = newValue ? head | Self.flawed : head & ~Self.flawed }
  }

  /// The levels of containers from this one down, itself included; 0 before the walk is done.
  var height: Int {
    get { Int(truncatingIfNeeded: head >> 12 & 0xfff) }
    set { head = head & ~(0xfff << 12) | UInt64(truncatingIfNeeded: newValue & 0xfff) << 12 }
  }

  private static let referenced: UInt64 = 1 << 8
  private static let shared: UInt64 = 1 << 9
  private static let open: UInt64 = 1 << 10
  private static let flawed: UInt64 = 1 << 11
}

/// The kinds of objects, strings by encoding; strings and containers stand together.
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

  /// Where the text of a string lies, or `nil` when it is none.
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
    case .latin1: bytes.latin1String(at: contentOffset, count: count)
    default: bytes.checkedASCIIString(at: contentOffset, count: count)
    }
  }
}

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

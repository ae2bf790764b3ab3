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

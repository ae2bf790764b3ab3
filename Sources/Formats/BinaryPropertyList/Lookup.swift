/// Finds up to eight keys in the dictionary at a property list's root, and skips everything else.
///
/// A lookup allocates nothing. It reads only the header, the trailer, the root, its keys and the
/// values of the wanted keys, and checks these bytes as strictly as the reader does. Damage in the
/// rest of the list goes unnoticed; make an ``ObjectTable`` to find it.
public struct Lookup: Sendable {
  /// Not an inline array: from one, the compiler copies all keys to compare with a single one.
  private let keys: [ShortKey]

  /// The most keys that one lookup finds.
  public static let maximumKeyCount = 8

  /// Makes a lookup of keys, which must differ; more than eight trap.
  public init(_ keys: ShortKey...) {
    precondition(keys.count <= Self.maximumKeyCount, "a lookup finds at most eight keys")
    self.keys = keys
  }

  /// Looks the keys up.
  ///
  /// - Returns: The values by the positions of their keys.
  /// - Throws: ``DecodingFailure`` for bytes that are no property list, for damage in the bytes that
  ///   are read, and for a wanted key that occurs twice, unless an option lets the first count.
  public func find(
    in bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> LookupResult {
    let trailer = try Trailer(of: bytes, options: options)
    let root = try trailer.offset(of: trailer.root, in: bytes)
    let marker = bytes.byte(at: root)
    guard marker >> 4 == 0xd else {
      let entry = try TapeEntry(at: root, in: bytes, trailer: trailer, options: options)
      return LookupResult(root: entry.kind.objectKind)
    }
    // Small lists have widths of one byte; knowing that, the compiler saves a fifth of the time.
    guard trailer.offsetWidth == 1, trailer.referenceWidth == 1 else {
      return try findInLargerList(at: root, in: bytes, trailer, options)
    }
    return try findInDictionary(at: root, in: bytes, trailer.withWidthsOfOne, options)
  }

  @inline(never)
  private func findInLargerList(
    at root: Int, in bytes: RawSpan, _ trailer: Trailer, _ options: DecodingOptions
  ) throws(DecodingFailure) -> LookupResult {
    try findInDictionary(at: root, in: bytes, trailer, options)
  }

  @inline(__always)
  private func findInDictionary(
    at root: Int, in bytes: RawSpan, _ trailer: Trailer, _ options: DecodingOptions
  ) throws(DecodingFailure) -> LookupResult {
    // Filled in place: entries are stored as two words, and a copy by vectors would stall.
    var result = LookupResult(root: .dictionary)
    let width = trailer.referenceWidth
    let (headerLength, pairCount) = try TapeEntry.count(
      at: root, Int(bytes.byte(at: root) & 0xf), 2 * width, in: bytes, trailer)
    let keyReferences = root &+ headerLength
    let valueReferences = keyReferences &+ pairCount &* width
    // Most writers keep the keys in one order, so each is first compared with the wanted key that
    // follows the one before.
    var expected = 0
    for pair in 0..<pairCount {
      let position = keyReferences &+ pair &* width
      let key = try trailer.reference(at: position, in: bytes)
      let wanted = try self.position(
        ofKey: key, at: position, expected: expected, in: bytes, trailer, options)
      guard wanted >= 0 else { continue }
      expected = wanted &+ 1
      guard result.values[wanted].isNone else {
        guard options.keepsFirstOfDuplicateKeys else {
          throw DecodingFailure(.duplicateKey, at: position)
        }
        continue
      }
      let value = try trailer.reference(at: valueReferences &+ pair &* width, in: bytes)
      let offset = try trailer.offset(of: value, in: bytes)
      if bytes.byte(at: offset) >> 4 == 5 {
        result.values[wanted] = try TapeEntry.narrowString(at: offset, in: bytes, trailer)
        result.hasString = true
      } else {
        let entry = try TapeEntry(at: offset, in: bytes, trailer: trailer, options: options)
        result.values[wanted] = entry
        result.hasString = result.hasString || entry.isString
        result.hasOther = result.hasOther || !entry.isString
      }
    }
    return result
  }

  /// The position of an object among the wanted keys, or -1 when it is none of them.
  @inline(__always)
  private func position(
    ofKey key: Int, at reference: Int, expected: Int, in bytes: RawSpan, _ trailer: Trailer,
    _ options: DecodingOptions
  ) throws(DecodingFailure) -> Int {
    let offset = try trailer.offset(of: key, in: bytes)
    let low = bytes.littleEndianWord(at: offset)
    let high = bytes.littleEndianWord(at: offset &+ 8)
    let marker = UInt8(truncatingIfNeeded: low)
    // 0x50 to 0x5e: ASCII with the count in the marker.
    guard marker &- 0x50 < 0xf else {
      return try slowPosition(ofKey: offset, at: reference, in: bytes, trailer, options)
    }
    guard Int(marker & 0xf) < trailer.table &- offset else {
      throw DecodingFailure(.objectTruncated, at: offset)
    }
    if expected < keys.count, keys[expected].matches(low, high) { return expected }
    for index in keys.indices where keys[index].matches(low, high) { return index }
    return -1
  }

  /// As ``position(ofKey:at:expected:in:_:_:)`` for a key in UTF-16, or with its count in an object.
  @inline(never)
  private func slowPosition(
    ofKey offset: Int, at reference: Int, in bytes: RawSpan, _ trailer: Trailer,
    _ options: DecodingOptions
  ) throws(DecodingFailure) -> Int {
    let entry = try TapeEntry(at: offset, in: bytes, trailer: trailer, options: options)
    guard entry.isString else {
      guard options.toleratesFlaws, entry.kind == .integer else {
        throw DecodingFailure(.keyType, at: reference)
      }
      return -1
    }
    for index in keys.indices where entry.hasText(of: keys[index], in: bytes) {
      return index
    }
    return -1
  }
}

/// The values that a lookup found.
public struct LookupResult: Sendable {
  /// The kind of the root; where it is no dictionary, all keys are absent.
  public let root: ObjectKind
  /// Whether a key has a string.
  public internal(set) var hasString = false
  /// Whether a key has a value that is no string.
  public internal(set) var hasOther = false
  /// Strings of one byte a unit are entered as ASCII without a check.
  var values = InlineArray<8, TapeEntry>(repeating: .none)

  @inline(__always)
  init(root: ObjectKind) {
    self.root = root
  }

  /// The value of a key, by its position among those looked up.
  public subscript(position: Int) -> LookupValue {
    let entry = values[position]
    guard !entry.isNone else { return .absent }
    return range(of: entry).map { .string($0) } ?? .other(entry.kind.objectKind)
  }

  /// Makes the string that a key has, or `nil` if it has none or a value of another kind.
  ///
  /// - Parameter bytes: The bytes in which the keys were looked up.
  /// - Throws: As ``StringRange/string(in:options:)``.
  public func string(
    _ position: Int, in bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> String? {
    let entry = values[position]
    guard isASCII(entry, in: bytes) else {
      return try range(of: entry)?.string(in: bytes, options: options)
    }
    return bytes.checkedASCIIString(at: entry.contentOffset, count: entry.count)
  }

  /// Throws what ``string(_:in:options:)`` would throw, and makes no string of ASCII text.
  public func check(
    _ position: Int, in bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    let entry = values[position]
    if entry.isNone || isASCII(entry, in: bytes) { return }
    _ = try range(of: entry)?.string(in: bytes, options: options)
  }

  /// Checks the values of all keys as ``check(_:in:options:)`` checks one.
  public func checkAll(
    in bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) {
    // Wanted strings mostly stand together, and the bytes between them are ASCII, too.
    var start = Int.max
    var end = 0
    var isNarrow = true
    func extend(over entry: TapeEntry) {
      if entry.isNone { return }
      isNarrow = isNarrow && entry.kind == .ascii
      start = min(start, entry.contentOffset)
      end = max(end, entry.contentOffset &+ entry.count)
    }
    // In a loop, the compiler copies all entries to look at one.
    extend(over: values[0])
    extend(over: values[1])
    extend(over: values[2])
    extend(over: values[3])
    extend(over: values[4])
    extend(over: values[5])
    extend(over: values[6])
    extend(over: values[7])
    if isNarrow, start < end, end &+ 8 <= bytes.byteCount,
      bytes.isASCII(at: start, count: end &- start)
    {
      return
    }
    for position in values.indices { try check(position, in: bytes, options: options) }
  }

  /// Whether an entry is a string of ASCII, with the eight bytes after it that the check needs.
  @inline(__always)
  private func isASCII(_ entry: TapeEntry, in bytes: RawSpan) -> Bool {
    let start = entry.contentOffset
    return entry.kind == .ascii && start &+ entry.count &+ 8 <= bytes.byteCount
      && bytes.isASCII(at: start, count: entry.count)
  }

  @inline(__always)
  private func range(of entry: TapeEntry) -> StringRange? {
    guard entry.isString, !entry.isNone else { return nil }
    return StringRange(
      offset: entry.contentOffset, unitCount: entry.count,
      encoding: entry.kind == .utf16 ? .utf16 : .narrow)
  }
}

/// The value of a key that was looked up.
public enum LookupValue: Hashable, Sendable {
  /// The dictionary has no such key.
  case absent
  /// A string, by the place of its text.
  case string(StringRange)
  /// A value of another kind.
  case other(ObjectKind)
}

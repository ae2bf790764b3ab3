/// Finds up to eight keys in the dictionary at a property list's root, making nothing of the rest.
///
/// It allocates nothing and reads, besides header and trailer, only the root, its keys, and the
/// values of the keys wanted; those bytes it checks as strictly as the reader does. The rest of
/// the list may be damaged: who needs to know makes an ``ObjectTable``.
public struct Lookup: Sendable {
  /// An array: out of one inline, the compiler copies all keys to compare with one.
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
  /// - Throws: ``DecodingFailure`` for bytes that are no property list, and for damage in what was
  ///   read; also for a wanted key that occurs twice, unless an option lets the first count.
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
    // Small lists have widths of one byte; where the compiler knows that, it takes a fifth less time.
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
    // Filled in place: entries are stored as two words, and a copy of them by vectors would wait.
    var result = LookupResult(root: .dictionary)
    let width = trailer.referenceWidth
    let (headerLength, pairCount) = try TapeEntry.count(
      at: root, Int(bytes.byte(at: root) & 0xf), 2 * width, in: bytes, trailer)
    let keyReferences = root &+ headerLength
    let valueReferences = keyReferences &+ pairCount &* width
    // Most writers keep the keys in one order, so each is looked for behind the one before.
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

  /// Which of the wanted keys an object is, or -1 for none.
  @inline(__always)
  private func position(
    ofKey key: Int, at reference: Int, expected: Int, in bytes: RawSpan, _ trailer: Trailer,
    _ options: DecodingOptions
  ) throws(DecodingFailure) -> Int {
    let offset = try trailer.offset(of: key, in: bytes)
    let low = bytes.littleEndianWord(at: offset)
    let high = bytes.littleEndianWord(at: offset &+ 8)
    let marker = UInt8(truncatingIfNeeded: low)
    // 0x50 to 0x5e: ASCII, and its count in the marker.
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

  /// As ``position(ofKey:at:in:_:_:)`` for a key in UTF-16, or with its count in an object.
  @inline(never)
  private func slowPosition(
    ofKey offset: Int, at reference: Int, in bytes: RawSpan, _ trailer: Trailer,
    _ options: DecodingOptions
  ) throws(DecodingFailure) -> Int {
    let entry = try TapeEntry(at: offset, in: bytes, trailer: trailer, options: options)
    guard entry.isString else { throw DecodingFailure(.keyType, at: reference) }
    for index in keys.indices where entry.hasText(of: keys[index], in: bytes) {
      return index
    }
    return -1
  }
}

// One of three writers of property lists, each for the speed that the other two do not reach.
//
// This one gives the four texts of the attribute as an array in 72 ns; a tree of values made of them
// and written by `ObjectWriter` takes 1390 ns.

/// Writes a few texts by key straight into memory; more than a few by way of a tree.
enum FlatWriter {
  /// Up to this count comparing all texts to find equal ones costs less than hashing them.
  private static let directLimit = 8
  /// Most dictionaries of few texts fit into so many bytes.
  private static let stackLength = 1024

  static func bytes(of entries: Span<FlatEntry>) throws(EncodingFailure) -> [UInt8] {
    guard entries.count <= directLimit else { return try bytesOfMany(entries) }
    // On the stack first, so that the array is then allocated in its size.
    let short = unsafe withUnsafeTemporaryAllocation(byteCount: stackLength, alignment: 8) {
      buffer in
      Result { () throws(EncodingFailure) in
        try unsafe write(entries, into: buffer).map { length in
          unsafe [UInt8](copying: UnsafeRawBufferPointer(buffer), count: length)
        }
      }
    }
    if let bytes = try short.get() { return bytes }
    return try bytesOfMany(entries)
  }

  private static func bytesOfMany(_ entries: Span<FlatEntry>) throws(EncodingFailure) -> [UInt8] {
    var dictionary = PropertyList.Dictionary()
    for index in entries.indices {
      let entry = entries[index]
      guard dictionary[entry.key] == nil else {
        throw EncodingFailure(reason: .duplicateKey, path: [.key(entry.key)])
      }
      dictionary[entry.key] = .string(entry.value)
    }
    return try PropertyList.dictionary(dictionary).binary()
  }

  /// Writes at most ``directLimit`` entries into a buffer's beginning.
  ///
  /// - Returns: Their length, or `nil` when the buffer may be too small: the fast stores need spare
  ///   room after each text.
  @unsafe @inline(__always)
  static func write(
    _ entries: Span<FlatEntry>, into buffer: UnsafeMutableRawBufferPointer
  ) throws(EncodingFailure) -> Int? {
    let count = entries.count
    let references = Trailer.headerLength + 1
    // Enough for everything before the texts; each text is then checked by itself.
    guard let output = unsafe FlatOutput(buffer), output.hasRoom(for: 64) else { return nil }
    output.store(littleEndianWord: Trailer.header, at: 0)
    output.store(0xd0 | UInt8(truncatingIfNeeded: count), at: Trailer.headerLength)
    var end = references &+ 2 &* count
    var room = InlineArray<16, UInt32>(repeating: 0)
    var offsets = room.mutableSpan
    // Two bits for each text so far: for a new text, both are rarely set already.
    var bits: UInt64 = 0
    for position in 0..<count {
      let start = end
      guard let text = storeKey(of: entries, position, in: output, at: start) else { return nil }
      end = text.end
      let own = text.sum.bits
      // All texts before a key are keys.
      if bits & own == own, output.number(of: start..<end, among: offsets.span, position) != nil {
        throw EncodingFailure(reason: .duplicateKey, path: [.key(entries[position].key)])
      }
      bits |= own
      offsets[position] = UInt32(truncatingIfNeeded: start)
      output.store(UInt8(truncatingIfNeeded: position &+ 1), at: references &+ position)
    }
    var textCount = count
    for position in 0..<count {
      let start = end
      guard let text = storeValue(of: entries, position, in: output, at: start) else { return nil }
      let own = text.sum.bits
      var number = textCount &+ 1
      if bits & own == own,
        let known = output.number(of: start..<text.end, among: offsets.span, textCount)
      {
        // The next text overwrites this one.
        number = known
      } else {
        end = text.end
        offsets[textCount] = UInt32(truncatingIfNeeded: start)
        textCount = number
        bits |= own
      }
      output.store(UInt8(truncatingIfNeeded: number), at: references &+ count &+ position)
    }
    return output.finish(offsets.span, textCount, at: end)
  }

  @inline(__always)
  private static func storeKey(
    of entries: Span<FlatEntry>, _ position: Int, in output: FlatOutput, at start: Int
  ) -> FlatText? {
    if let key = entries[position].shortKey { return output.store(key, at: start) }
    return storeLongKey(of: entries, position, in: output, at: start)
  }

  /// Never inlined, so that only one place stores a text inline: of two, the compiler makes calls.
  @inline(never)
  private static func storeLongKey(
    of entries: Span<FlatEntry>, _ position: Int, in output: FlatOutput, at start: Int
  ) -> FlatText? {
    if let text = output.storeShortASCII(entries[position].key, at: start) { return text }
    return output.storeSlowly(entries[position].key, at: start)
  }

  @inline(__always)
  private static func storeValue(
    of entries: Span<FlatEntry>, _ position: Int, in output: FlatOutput, at start: Int
  ) -> FlatText? {
    if let text = output.storeShortASCII(entries[position].value, at: start) { return text }
    return output.storeSlowly(entries[position].value, at: start)
  }
}

/// A text that was just written.
private struct FlatText {
  /// The offset after the text's last byte.
  let end: Int
  /// Tells the text quickly from most others.
  let sum: TextSum
}

/// The memory that a flat dictionary is written into.
///
/// It never changes and is passed in registers; the offset of the next byte is a local number of the
/// writer. An ``OutputBuffer``, which counts its bytes, would be kept in memory for the sake of the
/// rare calls that change it, and each text would wait for the count that the one before left.
@safe private struct FlatOutput {
  private let base: UnsafeMutableRawPointer
  private let capacity: Int

  /// Longer texts are left to ``ObjectWriter``, so that all offsets fit into 32 bits.
  private static let textLimit = 1 << 24

  private static let upperBits: UInt64 = 0x8080_8080_8080_8080

  /// - Parameter memory: outlives this struct.
  @unsafe @inline(__always)
  init?(_ memory: UnsafeMutableRawBufferPointer) {
    guard let base = memory.baseAddress else { return nil }
    unsafe self.base = base
    capacity = memory.count
  }

  /// Whether there is room for some bytes.
  @inline(__always)
  func hasRoom(for count: Int) -> Bool { count <= capacity }

  /// Stores a byte; the caller has checked the room.
  @inline(__always)
  func store(_ byte: UInt8, at offset: Int) {
    assert(offset >= 0 && offset < capacity)
    unsafe base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }

  /// Stores eight bytes, the first lowest; the caller has checked the room.
  @inline(__always)
  func store(littleEndianWord word: UInt64, at offset: Int) {
    assert(offset >= 0 && offset <= capacity - 8)
    unsafe base.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  /// Stores sixteen bytes; the caller has checked the room.
  @inline(__always)
  private func store(_ words: SIMD2<UInt64>, at offset: Int) {
    assert(offset >= 0 && offset <= capacity - 16)
    unsafe base.storeBytes(of: words, toByteOffset: offset, as: SIMD2<UInt64>.self)
  }

  /// Stores a ready key.
  ///
  /// - Returns: `nil` when there may be too little room.
  @inline(__always)
  func store(_ key: ShortKey, at start: Int) -> FlatText? {
    guard start <= capacity &- 16 else { return nil }
    store(littleEndianWord: key.low, at: start)
    store(littleEndianWord: key.high, at: start &+ 8)
    return FlatText(end: start &+ 1 &+ key.count, sum: TextSum(key.low, key.high))
  }

  /// Stores a text if it is short and ASCII; after `nil` the caller is to try
  /// ``storeSlowly(_:at:)``.
  ///
  /// These are two functions, and the caller passes the text to each of them separately, because a
  /// text that is passed on to the slow one is retained: a third of the time.
  ///
  /// - Returns: `nil` also when there may be too little room.
  @inline(__always)
  func storeShortASCII(_ text: String, at start: Int) -> FlatText? {
    let stored = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
      unsafe store(shortASCII: RawSpan(_unsafeElements: utf8), at: start)
    }
    return stored ?? nil
  }

  @inline(__always)
  private func store(shortASCII text: RawSpan, at start: Int) -> FlatText? {
    let length = text.byteCount
    guard length < 0x100, start <= capacity &- 20 &- length else { return nil }
    if length >= 16 {
      let marker = 0x105f | UInt32(truncatingIfNeeded: length) &<< 16
      unsafe base.storeBytes(of: marker.littleEndian, toByteOffset: start, as: UInt32.self)
      let target = start &+ 3
      // The last words repeat some bytes of the words before.
      let last = length &- 16
      var bits = text.words(at: last)
      store(bits, at: target &+ last)
      var position = 0
      while position < last {
        let words = text.words(at: position)
        store(words, at: target &+ position)
        bits |= words
        position &+= 16
      }
      guard (bits[0] | bits[1]) & Self.upperBits == 0 else { return nil }
      return FlatText(
        end: target &+ length,
        sum: TextSum(
          text.littleEndianWord(at: 0) &+ UInt64(truncatingIfNeeded: length),
          text.littleEndianWord(at: length &- 8)))
    }
    if length < 15 {
      let first = length >= 8 ? text.littleEndianWord(at: 0) : text.shortWord(at: 0)
      let second = length > 8 ? text.shortWord(at: 8) : 0
      guard (first | second) & Self.upperBits == 0 else { return nil }
      let low = first &<< 8 | UInt64(truncatingIfNeeded: 0x50 | length)
      let high = second &<< 8 | first &>> 56
      store(littleEndianWord: low, at: start)
      store(littleEndianWord: high, at: start &+ 8)
      return FlatText(end: start &+ 1 &+ length, sum: TextSum(low, high))
    }
    let first = text.littleEndianWord(at: 0)
    let second = text.littleEndianWord(at: 7)
    guard (first | second) & Self.upperBits == 0 else { return nil }
    store(littleEndianWord: 0x0f_105f, at: start)
    store(littleEndianWord: first, at: start &+ 3)
    store(littleEndianWord: second, at: start &+ 10)
    return FlatText(end: start &+ 18, sum: TextSum(first, second))
  }

  /// Stores a text of any length and alphabet.
  ///
  /// - Returns: `nil` when there may be too little room.
  @inline(never)
  func storeSlowly(_ text: String, at start: Int) -> FlatText? {
    var output = buffer(of: start)
    return text.readingUTF8 { utf8 in
      guard utf8.byteCount < Self.textLimit, output.hasRoom(for: 2 * utf8.byteCount + 9) else {
        return nil
      }
      var sum = TextSum(UInt64(utf8.byteCount), 0)
      output.append(utf8: utf8, digest: &sum)
      return FlatText(end: output.count, sum: sum)
    }
  }

  /// The number, from 1 up, of the earlier text that the one just written repeats, or `nil`.
  @inline(never)
  func number(of range: Range<Int>, among offsets: Span<UInt32>, _ textCount: Int) -> Int? {
    let output = buffer(of: range.upperBound)
    for index in 0..<textCount
    where output.repeats(Int(offsets[index]), from: range.lowerBound) {
      return index + 1
    }
    return nil
  }

  /// Stores the offset table, which begins with the dictionary's offset, and the trailer.
  ///
  /// - Returns: The property list's length, or `nil` when there may be too little room.
  @inline(__always)
  func finish(_ offsets: Span<UInt32>, _ textCount: Int, at table: Int) -> Int? {
    guard table < 0x100 else { return finishWidely(offsets, textCount, at: table) }
    let end = table &+ 1 &+ textCount &+ Trailer.length
    guard hasRoom(for: end) else { return nil }
    store(UInt8(truncatingIfNeeded: Trailer.headerLength), at: table)
    for index in 0..<textCount {
      store(UInt8(truncatingIfNeeded: offsets[index]), at: table &+ 1 &+ index)
    }
    let objectCount = UInt64(truncatingIfNeeded: textCount &+ 1)
    // Both widths are 1, and the root is object 0.
    store(littleEndianWord: UInt64(0x0101).byteSwapped, at: end &- 32)
    store(littleEndianWord: objectCount.byteSwapped, at: end &- 24)
    store(littleEndianWord: 0, at: end &- 16)
    store(littleEndianWord: UInt64(truncatingIfNeeded: table).byteSwapped, at: end &- 8)
    return end
  }

  @inline(never)
  private func finishWidely(_ offsets: Span<UInt32>, _ textCount: Int, at table: Int) -> Int? {
    var output = buffer(of: table)
    let width = IntegerWidth.bytes(for: UInt64(table))
    guard output.hasRoom(for: width * (textCount + 1) + Trailer.length) else { return nil }
    output.append(UInt64(Trailer.headerLength), width: width)
    for index in 0..<textCount {
      output.append(UInt64(offsets[index]), width: width)
    }
    output.appendTrailer(
      offsetWidth: width, referenceWidth: 1, objectCount: textCount + 1, table: table)
    return output.count
  }

  /// The memory as a buffer of which some bytes are written already.
  private func buffer(of count: Int) -> OutputBuffer {
    var output = unsafe OutputBuffer(
      filling: UnsafeMutableRawBufferPointer(start: base, count: capacity))
    output.skip(count)
    return output
  }
}

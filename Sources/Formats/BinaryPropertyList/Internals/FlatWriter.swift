/// Writes a few texts by key straight into a buffer; many by way of a value.
enum FlatWriter {
  /// Up to here finding equal texts by comparing all costs less than hashing them.
  private static let directLimit = 8
  /// What most dictionaries of few texts fit into.
  private static let stackLength = 1024

  static func sizeBound(entryCount: Int, textLength: Int) -> Int {
    // UTF-16 takes at most twice the bytes of UTF-8. For each of two texts: ten bytes of marker
    // and count, four of reference, eight of offset.
    let texts = 2 * textLength + 2 * entryCount * 22
    return Trailer.headerLength + 18 + texts + Trailer.length + OutputBuffer.slack
  }

  static func write(
    _ entries: Span<FlatEntry>, into buffer: inout MutableRawSpan
  ) throws(EncodingFailure) -> Int {
    if entries.count <= directLimit {
      let length = try unsafe buffer.withUnsafeMutableBytes {
        target throws(EncodingFailure) in
        try unsafe writeDirectly(entries, into: target)
      }
      if let length { return length }
    }
    // Perhaps it does fit, but not with the room that the fast way wants behind each text.
    let bytes = try bytes(of: entries)
    guard bytes.count <= buffer.byteCount else {
      throw EncodingFailure(reason: .bufferTooSmall, path: [])
    }
    unsafe buffer.withUnsafeMutableBytes { target in
      unsafe target.copyBytes(from: bytes)
    }
    return bytes.count
  }

  static func bytes(of entries: Span<FlatEntry>) throws(EncodingFailure) -> [UInt8] {
    guard entries.count <= directLimit else { return try bytesOfMany(entries) }
    // On the stack first: the array is then allocated in its size.
    let short = unsafe withUnsafeTemporaryAllocation(byteCount: stackLength, alignment: 8) {
      buffer in
      Result { () throws(EncodingFailure) in
        try unsafe writeDirectly(entries, into: buffer).map { length in
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

  /// Writes at most ``directLimit`` entries.
  ///
  /// - Returns: How many bytes they take, or `nil` when there is not plenty of room for them.
  @unsafe @inline(__always)
  private static func writeDirectly(
    _ entries: Span<FlatEntry>, into buffer: UnsafeMutableRawBufferPointer
  ) throws(EncodingFailure) -> Int? {
    let count = entries.count
    let references = Trailer.headerLength + 1
    // For what comes before the texts, and more; each of them is then checked for itself.
    guard let output = unsafe FlatOutput(buffer), output.hasRoom(for: 64) else { return nil }
    output.store(littleEndianWord: 0x3030_7473_696c_7062, at: 0)
    output.store(0xd0 | UInt8(truncatingIfNeeded: count), at: Trailer.headerLength)
    var end = references &+ 2 &* count
    var room = InlineArray<16, UInt32>(repeating: 0)
    var offsets = room.mutableSpan
    // Two bits for each text so far: one that is new rarely finds both.
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
    return storeUnreadKey(of: entries, position, in: output, at: start)
  }

  /// A call, so that a text is stored inline in one place only: of two, the compiler makes calls.
  @inline(never)
  private static func storeUnreadKey(
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

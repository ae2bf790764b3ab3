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
    guard buffer.count >= Trailer.headerLength + 1 + 2 * directLimit + OutputBuffer.slack else {
      return nil
    }
    var output = unsafe OutputBuffer(filling: buffer)
    output.appendWord(0x6270_6c69_7374_3030)
    output.append(0xd0 | UInt64(count), width: 1)
    let references = output.count
    output.skip(2 &* count)
    var room = InlineArray<16, FlatText>(repeating: FlatText(offset: 0, mark: 0))
    var texts = room.mutableSpan
    var textCount = 0
    var marks: UInt64 = 0
    for position in 0..<count {
      let start = output.count
      var sum = TextSum()
      if !output.appendShortASCII(entries[position].key, &sum) {
        guard let slow = output.appendSlowly(entries[position].key) else { return nil }
        sum = slow
      }
      let number = output.number(from: start, sum, among: &texts, &textCount, &marks)
      // All texts before a key are keys.
      guard number == position &+ 1 else {
        throw EncodingFailure(reason: .duplicateKey, path: [.key(entries[position].key)])
      }
    }
    var valueReferences: UInt64 = 0
    for position in 0..<count {
      let start = output.count
      var sum = TextSum()
      if !output.appendShortASCII(entries[position].value, &sum) {
        guard let slow = output.appendSlowly(entries[position].value) else { return nil }
        sum = slow
      }
      let number = output.number(from: start, sum, among: &texts, &textCount, &marks)
      valueReferences |= UInt64(number) &<< UInt64(8 &* position)
    }
    // Eight bytes each; those too many are the other ones' or the first key's.
    let firstText = output.word(at: references &+ 2 &* count)
    output.store(littleEndianWord: 0x0807_0605_0403_0201, at: references)
    output.store(littleEndianWord: valueReferences, at: references &+ count)
    output.store(littleEndianWord: firstText, at: references &+ 2 &* count)
    return output.finish(texts.span, textCount) ? output.count : nil
  }
}

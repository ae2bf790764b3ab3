/// Writes a few texts by key straight into a buffer; many by way of a value.
enum FlatWriter {
  /// Up to here finding equal texts by comparing all costs less than hashing them.
  private static let directLimit = 8

  static func sizeBound(entryCount: Int, textLength: Int) -> Int {
    // UTF-16 takes at most twice the bytes of UTF-8. For each of two texts: ten bytes of marker
    // and count, four of reference, eight of offset.
    let texts = 2 * textLength + 2 * entryCount * 22
    return Trailer.headerLength + 18 + texts + Trailer.length + OutputBuffer.slack
  }

  static func write(
    _ entries: Span<FlatEntry>, into buffer: inout MutableRawSpan
  ) throws(EncodingFailure) -> Int {
    guard entries.count <= directLimit, buffer.byteCount >= FlatDictionary.sizeBound(of: entries)
    else {
      let bytes = try bytes(of: entries)
      guard bytes.count <= buffer.byteCount else {
        throw EncodingFailure(reason: .bufferTooSmall, path: [])
      }
      unsafe buffer.withUnsafeMutableBytes { target in
        unsafe target.copyBytes(from: bytes)
      }
      return bytes.count
    }
    return try unsafe buffer.withUnsafeMutableBytes {
      target throws(EncodingFailure) in
      try unsafe writeDirectly(entries, into: target)
    }
  }

  static func bytes(of entries: Span<FlatEntry>) throws(EncodingFailure) -> [UInt8] {
    guard entries.count <= directLimit else { return try bytesOfMany(entries) }
    var failure: EncodingFailure?
    let bytes = unsafe [UInt8](
      unsafeUninitializedCapacity: FlatDictionary.sizeBound(of: entries)
    ) { target, initialized in
      do throws(EncodingFailure) {
        initialized = try unsafe writeDirectly(entries, into: UnsafeMutableRawBufferPointer(target))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
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

  /// Writes at most ``directLimit`` entries into a buffer of at least the bound's size.
  @inline(__always)
  private static func writeDirectly(
    _ entries: Span<FlatEntry>, into buffer: UnsafeMutableRawBufferPointer
  ) throws(EncodingFailure) -> Int {
    var output = unsafe OutputBuffer(filling: buffer)
    let count = entries.count
    output.appendWord(0x6270_6c69_7374_3030)
    output.append(0xd0 | UInt64(count), width: 1)
    let references = output.count
    output.skip(2 &* count)
    var texts = InlineArray<16, FlatText>(repeating: FlatText(offset: 0, mark: 0))
    var textCount = 0
    for position in 0..<2 &* count {
      let isKey = position < count
      let start = output.count
      output.append(string: isKey ? entries[position].key : entries[position &- count].value)
      let mark = output.mark(from: start)
      var known = 0
      while known < textCount {
        if texts[known].mark == mark, output.repeats(texts[known].offset, from: start) { break }
        known &+= 1
      }
      if known == textCount {
        texts[known] = FlatText(offset: start, mark: mark)
        textCount &+= 1
      } else {
        // All texts before a key are keys.
        guard !isKey else {
          throw EncodingFailure(reason: .duplicateKey, path: [.key(entries[position].key)])
        }
        output.truncate(to: start)
      }
      output.store(UInt32(known &+ 1), at: references &+ position, width: 1)
    }
    let table = output.count
    let width = IntegerWidth.bytes(for: UInt64(table))
    output.append(UInt64(Trailer.headerLength), width: width)
    for text in 0..<textCount {
      output.append(UInt64(texts[text].offset), width: width)
    }
    output.appendTrailer(
      offsetWidth: width, referenceWidth: 1, objectCount: textCount &+ 1, table: table)
    return output.count
  }
}

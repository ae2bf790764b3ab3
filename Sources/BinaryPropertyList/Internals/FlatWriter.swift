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
    var texts = InlineArray<16, FlatText>(repeating: FlatText(offset: 0, mark: TextMark(count: 0)))
    var known = texts.mutableSpan
    var textCount = 0
    for position in 0..<count {
      let number = entries[position].key.readingUTF8 {
        output.append($0, among: &known, &textCount)
      }
      // All texts before a key are keys.
      guard number == position &+ 1 else {
        throw EncodingFailure(reason: .duplicateKey, path: [.key(entries[position].key)])
      }
      output.store(UInt32(number), at: references &+ position, width: 1)
    }
    for position in 0..<count {
      let number = entries[position].value.readingUTF8 {
        output.append($0, among: &known, &textCount)
      }
      output.store(UInt32(number), at: references &+ count &+ position, width: 1)
    }
    let table = output.count
    let width = IntegerWidth.bytes(for: UInt64(table))
    output.append(UInt64(Trailer.headerLength), width: width)
    for text in 0..<textCount {
      output.append(UInt64(known[text].offset), width: width)
    }
    output.appendTrailer(
      offsetWidth: width, referenceWidth: 1, objectCount: textCount &+ 1, table: table)
    return output.count
  }
}

extension OutputBuffer {
  /// Appends a text unless it is among those before.
  ///
  /// - Returns: The number of its object; the first text's is 1.
  @inline(__always)
  fileprivate mutating func append(
    _ utf8: RawSpan, among known: inout MutableSpan<FlatText>, _ count: inout Int
  ) -> Int {
    let start = self.count
    var mark = TextMark(count: utf8.byteCount)
    append(utf8: utf8, digest: &mark)
    for index in 0..<count
    where known[index].mark == mark && repeats(known[index].offset, from: start) {
      truncate(to: start)
      return index &+ 1
    }
    known[count] = FlatText(offset: start, mark: mark)
    count &+= 1
    return count
  }
}

extension OutputBuffer {
  /// Longer texts are written another way, so that all offsets fit into 32 bits.
  private static let flatTextLimit = 1 << 24

  /// Appends a text if it is short and ASCII; otherwise ``appendSlowly(_:)`` remains to be called.
  ///
  /// The two are apart, and the caller hands each of them the text anew, because a text that is
  /// still wanted behind a call would be retained: a third of the time.
  @inline(__always)
  mutating func appendShortASCII(_ text: String, _ sum: inout TextSum) -> Bool {
    let start = count
    let isASCII = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
      let utf8 = unsafe RawSpan(_unsafeElements: utf8)
      let length = utf8.byteCount
      guard length < 0x100, hasRoom(for: length &+ 9) else { return false }
      appendShort(type: 0x50, count: length)
      sum = TextSum(count: length)
      return append(text: utf8, digest: &sum)
    }
    if isASCII == true { return true }
    truncate(to: start)
    return false
  }

  /// Appends any text where there is plenty of room.
  @inline(never)
  mutating func appendSlowly(_ text: String) -> TextSum? {
    text.readingUTF8 { utf8 in
      guard utf8.byteCount < Self.flatTextLimit, hasRoom(for: 2 * utf8.byteCount + 9) else {
        return nil
      }
      var sum = TextSum(count: utf8.byteCount)
      append(utf8: utf8, digest: &sum)
      return sum
    }
  }

  /// The number of the text just written, 1 for the first, unless an equal one was before it,
  /// which then stays alone.
  ///
  /// - Parameter marks: Two bits for each mark that there is among the texts.
  @inline(__always)
  mutating func number(
    from start: Int, _ sum: TextSum, among texts: inout MutableSpan<FlatText>,
    _ textCount: inout Int, _ marks: inout UInt64
  ) -> Int {
    let mark = sum.mark
    let bits = sum.bits
    if marks & bits == bits,
      let known = number(of: mark, from: start, among: texts.span, textCount)
    {
      truncate(to: start)
      return known
    }
    marks |= bits
    texts[textCount] = FlatText(offset: UInt32(truncatingIfNeeded: start), mark: mark)
    textCount &+= 1
    return textCount
  }

  /// The number of the object that the last bytes repeat, or `nil`.
  @inline(never)
  private func number(
    of mark: UInt32, from start: Int, among texts: Span<FlatText>, _ textCount: Int
  ) -> Int? {
    for index in 0..<textCount
    where texts[index].mark == mark && repeats(Int(texts[index].offset), from: start) {
      return index + 1
    }
    return nil
  }

  /// Appends the offset table, with that of the dictionary first, and the trailer.
  ///
  /// - Returns: Whether there was plenty of room for them.
  @inline(__always)
  mutating func finish(_ texts: Span<FlatText>, _ textCount: Int) -> Bool {
    let table = count
    let width = IntegerWidth.bytes(for: UInt64(table))
    guard hasRoom(for: width &* (textCount &+ 1) &+ Trailer.length) else { return false }
    append(UInt64(Trailer.headerLength), width: width)
    if width == 1 {
      append(bytes: textCount) { UInt8(truncatingIfNeeded: texts[$0].offset) }
    } else {
      for index in 0..<textCount {
        append(UInt64(texts[index].offset), width: width)
      }
    }
    appendTrailer(
      offsetWidth: width, referenceWidth: 1, objectCount: textCount &+ 1, table: table)
    return true
  }
}

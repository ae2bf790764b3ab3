/// Numbers in the first bytes of a file.
struct BigEndianBytes {
  let head: [UInt8]
  /// Of the whole file.
  let length: Int

  /// The number at an offset.
  func number<Number: FixedWidthInteger>(at offset: Int) throws(MarkFailure) -> Number {
    let end = offset + Number.bitWidth / 8
    try check(offset, end)
    return head[offset..<end].reduce(0) { $0 << 8 | Number($1) }
  }

  /// The bytes of a range.
  func bytes(_ range: Range<Int>) throws(MarkFailure) -> [UInt8] {
    try check(range.lowerBound, range.upperBound)
    return Array(head[range])
  }

  private func check(_ start: Int, _ end: Int) throws(MarkFailure) {
    guard end <= length else { throw MarkFailure(.truncated, at: min(start, length)) }
    guard end <= head.count else { throw MarkFailure(.headTooLong, at: start) }
  }
}

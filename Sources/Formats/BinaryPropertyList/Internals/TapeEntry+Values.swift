extension TapeEntry {
  /// The value of an integer of 16 bytes.
  func wideValue(in bytes: RawSpan) -> Int128 {
    let high = Int64(bitPattern: bytes.bigEndianWord(at: contentOffset - 16))
    return Int128(_low: value, _high: high)
  }

  /// Where the text of a string lies, or `nil` when it is none.
  var stringRange: StringRange? {
    let encoding: StringEncoding? =
      switch kind {
      case .ascii: .ascii
      case .latin1: .latin1
      case .utf16: .utf16
      default: nil
      }
    return encoding.map {
      StringRange(offset: contentOffset, unitCount: count, encoding: $0)
    }
  }

  /// The text of a string.
  @inline(__always)
  func string(in bytes: RawSpan) -> String {
    switch kind {
    case .utf16: bytes.utf16String(at: contentOffset, count: count)
    case .latin1: bytes.latin1String(at: contentOffset, count: count)
    default: bytes.checkedASCIIString(at: contentOffset, count: count)
    }
  }
}

import BinaryPropertyList

extension ObjectTable {
  /// Whether Foundation, too, reads what is in the table: see the disagreements with CoreFoundation
  /// in the documentation of `BinaryPropertyList`.
  var isReadByFoundation: Bool {
    hasRoomForOneMore && (0..<count).allSatisfy(isReadByFoundation)
  }

  private func isReadByFoundation(_ object: Int) -> Bool {
    switch kind(of: object) {
    case .set, .orderedSet: return false
    case .uid: return uid(object).map { $0 <= UInt32.max } == true
    case .string:
      guard let range = stringRange(object), let text = string(object) else { return false }
      // UTF-8 where ASCII belongs is Latin-1 to Foundation, a character for each byte.
      return range.encoding == .utf16
        ? range.unitCount > 0 : text.unicodeScalars.count == range.unitCount
    case .dictionary:
      // Keys that differ in their normal form only are one to Foundation.
      let contents = contents(of: object)
      let texts = (0..<contents.count).compactMap { string(key($0, of: contents)) }
      // Half a surrogate pair is U+FFFD here, and in Foundation's keys what no text is equal to.
      return Set(texts).count == Set(texts.map { Array($0.utf8) }).count
        && !texts.contains { $0.unicodeScalars.contains("\u{fffd}") }
    default: return true
    }
  }

  /// Whether offsets and references could be one larger, as CoreFoundation demands.
  private var hasRoomForOneMore: Bool {
    let trailer = bytes.suffix(32)
    func number(_ range: Range<Int>) -> UInt64 {
      trailer.dropFirst(range.lowerBound).prefix(range.count).reduce(0) { $0 << 8 | UInt64($1) }
    }
    // A shift by 64 gives 0.
    return number(24..<32) >> (8 * number(6..<7)) == 0 && number(8..<16) >> (8 * number(7..<8)) == 0
  }
}

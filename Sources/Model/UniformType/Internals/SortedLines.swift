/// The lines of a table that is compiled in, sorted by their first words without regard to the case
/// of ASCII letters.
///
/// The text stays where the linker puts it: nothing is made of it before it is asked, so that a
/// program does not start later for having it.
@safe
struct SortedLines: Sendable {
  private let text: StaticString

  init(_ text: StaticString) { self.text = text }

  private var bytes: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Where the line of a word begins; `nil` if no line has that first word.
  func position(of word: String) -> Int? {
    var word = word
    return word.withUTF8 { word in unsafe position(of: word) }
  }

  private func position(of word: UnsafeBufferPointer<UInt8>) -> Int? {
    let bytes = unsafe bytes
    // The first line that does not come before the word begins in this range, or at its end.
    var (low, high) = (0, bytes.count)
    while low < high {
      var start = (low + high) / 2
      while start > low, unsafe bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
      switch unsafe Self.order(bytes, start, word) {
      case 0: return start
      case ..<0:
        while start < high, unsafe bytes[start] != UInt8(ascii: "\n") { start += 1 }
        low = start + 1
      default: high = start
      }
    }
    return nil
  }

  /// How the first word of a line compares with a word: negative where it comes before it.
  private static func order(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ word: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var offset = 0
    while true {
      let position = start + offset
      let own = unsafe position < bytes.count && bytes[position] > 0x20 ? bytes[position] : 0
      guard offset < word.count else { return Int(own) }
      let other = unsafe word[offset].lowercasedASCII
      // No word of a table holds a blank, and so none is found by one that does.
      guard own != 0, other > 0x20 else { return own == 0 ? -1 : 1 }
      if own.lowercasedASCII != other { return Int(own.lowercasedASCII) - Int(other) }
      offset += 1
    }
  }

  /// A word of the line that begins at a position; `nil` if the line has fewer, or a period there.
  func word(_ number: Int, ofLineAt start: Int) -> String? {
    let bytes = unsafe bytes
    var (start, number) = (start, number)
    while true {
      var end = start
      while end < bytes.count, unsafe bytes[end] > 0x20 { end += 1 }
      if number == 0 {
        let word = unsafe UnsafeBufferPointer(rebasing: bytes[start..<end])
        return unsafe word.count == 1 && word[0] == UInt8(ascii: ".")
          ? nil : String(decoding: word, as: UTF8.self)
      }
      guard end < bytes.count, unsafe bytes[end] == 0x20 else { return nil }
      start = end + 1
      number -= 1
    }
  }

  /// The words between the commas of a word of a line.
  func words(_ number: Int, ofLineAt start: Int) -> [Substring] {
    word(number, ofLineAt: start)?.split(separator: ",") ?? []
  }

  /// Where each line begins.
  var positions: [Int] {
    let bytes = unsafe bytes
    return [0] + bytes.indices.filter { unsafe bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// Larger than any position.
  var end: Int { text.utf8CodeUnitCount }
}

extension UInt8 {
  /// The small letter of a capital one; any other byte as it is.
  @inline(__always)
  package var lowercasedASCII: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }
}

extension String {
  /// The text with small letters for capital ones of ASCII, as type identifiers are compared.
  package var lowercasedASCII: String {
    if !utf8.contains(where: { $0 != $0.lowercasedASCII }) { return self }
    return String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self)
  }
}

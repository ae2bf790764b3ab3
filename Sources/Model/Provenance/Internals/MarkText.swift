/// Text in the values of marks.
enum MarkText {
  /// The value without the NUL that Samba, and some programs, put behind text.
  static func withoutNUL(_ value: [UInt8]) -> ArraySlice<UInt8> {
    value.last == 0 ? value.dropLast() : value[...]
  }

  /// The text of bytes.
  ///
  /// - Throws: `MarkFailure` with the offset, in the array that the slice is of, of the first byte
  ///   that is no UTF-8, or that is NUL.
  static func utf8(_ bytes: ArraySlice<UInt8>) throws(MarkFailure) -> String {
    if let nul = bytes.firstIndex(of: 0) { throw MarkFailure(.nul, at: nul) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var position = bytes.startIndex
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
      position += scalar.count
    }
    throw MarkFailure(.notUTF8, at: position)
  }

  static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Whether bytes are a text but for the case of ASCII letters.
  static func matches(_ bytes: some Collection<UInt8>, _ text: String) -> Bool {
    bytes.count == text.utf8.count
      && zip(bytes, text.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }
}

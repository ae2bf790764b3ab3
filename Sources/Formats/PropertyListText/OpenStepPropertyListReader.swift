package import BinaryPropertyList

/// Reads property lists in the form of NeXT's OpenStep, which Xcode and older programs write:
/// `{ key = value; list = (a, "b c"); }`. Every value is a string, data or a container.
package struct OpenStepPropertyListReader {
  /// More levels than any real list has.
  package static let depthLimit = 128

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a whole document, which is UTF-8.
  package static func read(_ bytes: [UInt8]) throws(ReadingFailure) -> PropertyList {
    var reader = OpenStepPropertyListReader(bytes)
    try reader.passBlanks()
    let list = try reader.value()
    try reader.passBlanks()
    guard reader.position == bytes.count else {
      throw reader.failure("expected the end of the list")
    }
    return list
  }

  /// Whether bytes look like such a list, rather than like JSON, which begins with a brace as well.
  package static func seemsToRead(_ bytes: [UInt8]) -> Bool {
    var reader = OpenStepPropertyListReader(bytes)
    guard (try? reader.passBlanks()) != nil else { return false }
    if reader.position > 0, bytes.first == UInt8(ascii: "/") { return true }
    switch reader.next {
    case UInt8(ascii: "("): return true
    case UInt8(ascii: "{"):
      reader.position += 1
      guard (try? reader.passBlanks()) != nil, let next = reader.next else { return false }
      guard next == UInt8(ascii: "\"") else { return Self.isPlain(next) }
      guard (try? reader.quoted()) != nil, (try? reader.passBlanks()) != nil else { return false }
      return reader.next == UInt8(ascii: "=") || reader.next == UInt8(ascii: ";")
    default: return false
    }
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func failure(_ reason: String) -> ReadingFailure {
    ReadingFailure(reason, at: position, in: bytes)
  }

  /// Passes over white space and comments.
  private mutating func passBlanks() throws(ReadingFailure) {
    while let byte = next {
      if byte == 0x20 || 0x09...0x0d ~= byte {
        position += 1
      } else if bytes[position...].starts(with: "//".utf8) {
        while let byte = next, byte != 0x0a, byte != 0x0d { position += 1 }
      } else if bytes[position...].starts(with: "/*".utf8) {
        let start = position
        position += 2
        while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
        guard position < bytes.count else {
          position = start
          throw failure("a comment has no end")
        }
        position += 2
      } else {
        return
      }
    }
  }

  private mutating func take(_ sign: Unicode.Scalar) throws(ReadingFailure) {
    try passBlanks()
    guard next == UInt8(ascii: sign) else { throw failure("expected '\(sign)'") }
    position += 1
  }

  private mutating func value() throws(ReadingFailure) -> PropertyList {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw failure("nested deeper than \(Self.depthLimit) levels")
    }
    switch next {
    case UInt8(ascii: "{"): return try dictionary()
    case UInt8(ascii: "("): return try array()
    case UInt8(ascii: "<"): return try data()
    default: return .string(try string())
    }
  }

  private mutating func dictionary() throws(ReadingFailure) -> PropertyList {
    position += 1
    var pairs: [(String, PropertyList)] = []
    try passBlanks()
    while next != UInt8(ascii: "}") {
      let key = try string()
      try passBlanks()
      // A key without a value stands for itself.
      var value = PropertyList.string(key)
      if next == UInt8(ascii: "=") {
        position += 1
        try passBlanks()
        value = try self.value()
      }
      pairs.append((key, value))
      try take(";")
      try passBlanks()
    }
    position += 1
    do throws(PropertyList.Dictionary.DuplicateKey) {
      return .dictionary(try PropertyList.Dictionary(pairs))
    } catch {
      throw failure("the \(error)")
    }
  }

  private mutating func array() throws(ReadingFailure) -> PropertyList {
    position += 1
    var elements: [PropertyList] = []
    try passBlanks()
    while next != UInt8(ascii: ")") {
      elements.append(try value())
      try passBlanks()
      if next == UInt8(ascii: ",") {
        position += 1
        try passBlanks()
      } else if next != UInt8(ascii: ")") {
        throw failure("expected ',' or ')'")
      }
    }
    position += 1
    return .array(elements)
  }

  private mutating func data() throws(ReadingFailure) -> PropertyList {
    position += 1
    var digits: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: ">") {
      if byte > 0x20 {
        guard byte != UInt8(ascii: "+"), byte < 0x80,
          let digit = UInt8(String(Unicode.Scalar(byte)), radix: 16)
        else { throw failure("expected hexadecimal digits") }
        digits.append(digit)
      }
      position += 1
    }
    guard next != nil, digits.count.isMultiple(of: 2) else {
      throw failure("data has no end, or half a byte")
    }
    position += 1
    return .data(
      stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  private mutating func string() throws(ReadingFailure) -> String {
    guard let first = next else { throw failure("expected a value, not the end") }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quoted() }
    let start = position
    while let byte = next, Self.isPlain(byte) { position += 1 }
    guard position > start else { throw failure("expected a value") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Whether a byte stands in a string without quotes.
  private static func isPlain(_ byte: UInt8) -> Bool {
    0x61...0x7a ~= byte | 0x20 || 0x30...0x39 ~= byte || "_$/:.-".utf8.contains(byte)
  }

  private mutating func quoted() throws(ReadingFailure) -> String {
    let (mark, start) = (bytes[position], position)
    var content: [UInt8] = []
    position += 1
    while let byte = next, byte != mark {
      position += 1
      guard byte == UInt8(ascii: "\\") else {
        content.append(byte)
        continue
      }
      guard let letter = next else { break }
      position += 1
      switch letter {
      case UInt8(ascii: "n"): content.append(0x0a)
      case UInt8(ascii: "r"): content.append(0x0d)
      case UInt8(ascii: "t"): content.append(0x09)
      case UInt8(ascii: "U"), UInt8(ascii: "u"): content += try character()
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        // Up to three octal digits.
        var value = Int(letter) - 0x30
        for _ in 0..<2 {
          guard let digit = next, 0x30...0x37 ~= digit else { break }
          value = value * 8 + Int(digit) - 0x30
          position += 1
        }
        guard value < 0x80 else { throw failure("an octal escape beyond ASCII") }
        content.append(UInt8(value))
      default: content.append(letter)
      }
    }
    guard next == mark else {
      position = start
      throw failure("a string has no end")
    }
    position += 1
    guard let text = String(validating: content, as: UTF8.self) else {
      throw failure("a string is not UTF-8")
    }
    return text
  }

  /// The character of four hexadecimal digits, or of two times four.
  private mutating func character() throws(ReadingFailure) -> [UInt8] {
    var units = [try unit()]
    if 0xd800..<0xdc00 ~= units[0], bytes[position...].starts(with: "\\U".utf8) {
      position += 2
      units.append(try unit())
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw failure("half a surrogate pair")
    }
    return Array(text.utf8)
  }

  private mutating func unit() throws(ReadingFailure) -> UInt16 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("expected four hexadecimal digits") }
    position += 4
    return unit
  }
}

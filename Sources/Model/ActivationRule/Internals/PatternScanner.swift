/// Reads the text of a regular expression as single characters: what stands between `\Q` and `\E`,
/// and characters that are written as `\n`, `\x41` and the like, have no other meaning any more.
struct PatternScanner {
  struct Character {
    let scalar: Unicode.Scalar
    /// Whether it stands for nothing but itself.
    let isQuoted: Bool
  }

  private let scalars: [Unicode.Scalar]
  /// The next character; `nil` at the end.
  private(set) var next: Character?
  /// Where the next character begins, and where it ends.
  private(set) var position = 0
  private var end = 0
  private var isQuoting = false
  private var isAfterBackslash = false
  /// Whether blanks and comments are left out.
  var isSpaced = false
  /// Whether the next `#` begins no comment.
  private var isSparingHash = false
  /// Whether the pattern has half of a surrogate pair, which ICU takes and no text here has.
  private(set) var hasSurrogate = false

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  func malformed(_ reason: String) -> TextPattern.Failure {
    .malformed("\(reason) at character \(position + 1)")
  }

  /// Whether a character is next that is not quoted.
  func isAt(_ scalar: Unicode.Scalar) -> Bool {
    next.map { !$0.isQuoted && $0.scalar == scalar } ?? false
  }

  /// Whether a character is next that is not quoted; passes over it then.
  mutating func take(_ scalar: Unicode.Scalar) throws(TextPattern.Failure) -> Bool {
    guard isAt(scalar) else { return false }
    try advance()
    return true
  }

  /// Passes over `?` after a parenthesis, after which `#` has a meaning of its own.
  mutating func takeGroupMark() throws(TextPattern.Failure) -> Bool {
    isSparingHash = true
    defer { isSparingHash = false }
    return try take("?")
  }

  mutating func advance() throws(TextPattern.Failure) {
    while true {
      position = end
      guard let scalar = raw else {
        next = nil
        return
      }
      end += 1
      if isQuoting {
        if scalar == "\\", raw == "E" {
          end += 1
          isQuoting = false
          continue
        }
        next = Character(scalar: scalar, isQuoted: true)
        return
      }
      if isAfterBackslash {
        isAfterBackslash = false
      } else if isSpaced, scalar.properties.isPatternWhitespace {
        continue
      } else if isSpaced, scalar == "#", !isSparingHash {
        while let scalar = raw, !["\n", "\r", "\u{85}", "\u{2028}"].contains(scalar) { end += 1 }
        continue
      } else if scalar == "\\" {
        if raw == "Q" {
          end += 1
          isQuoting = true
          continue
        }
        if let scalar = try escaped() {
          next = Character(scalar: scalar, isQuoted: true)
          return
        }
        isAfterBackslash = true
      }
      next = Character(scalar: scalar, isQuoted: false)
      return
    }
  }

  /// The scalar after the next character.
  private var raw: Unicode.Scalar? { end < scalars.count ? scalars[end] : nil }

  private func malformedHere(_ reason: String) -> TextPattern.Failure {
    .malformed("\(reason) at character \(end + 1)")
  }

  /// The character that a backslash and what follows stand for; `nil` for what is not one character.
  private mutating func escaped() throws(TextPattern.Failure) -> Unicode.Scalar? {
    guard let letter = raw else { return nil }
    guard letter != "u", letter != "U", letter != "x" else { return try character(try code()) }
    let scalar: Unicode.Scalar
    switch letter {
    case "a": scalar = "\u{7}"
    case "e": scalar = "\u{1b}"
    case "f": scalar = "\u{c}"
    case "n": scalar = "\n"
    case "r": scalar = "\r"
    case "t": scalar = "\t"
    case "c":
      end += 1
      // At the end it is the letter.
      guard let control = raw else { return "c" }
      scalar = Unicode.Scalar(UInt8(control.value & 0x1f))
    case "0":
      end += 1
      return try octal()
    default: return nil
    }
    end += 1
    return scalar
  }

  /// Up to three digits, as far as they are a byte.
  private mutating func octal() throws(TextPattern.Failure) -> Unicode.Scalar {
    let start = end
    var value: UInt32 = 0
    while end < start + 3, let digit = raw?.hexadecimalValue, digit < 8, value << 3 + digit < 256 {
      value = value << 3 + digit
      end += 1
    }
    guard end > start else { throw malformedHere("expected digits of base 8") }
    return Unicode.Scalar(UInt8(value))
  }

  /// The number that `u`, `U` or `x` and digits stand for.
  private mutating func code() throws(TextPattern.Failure) -> UInt32 {
    let letter = raw
    end += 1
    var count = letter == "u" ? 4...4 : letter == "U" ? 8...8 : 1...2
    let hasBraces = letter == "x" && raw == "{"
    if hasBraces {
      end += 1
      count = 1...8
    }
    var value: UInt32 = 0
    var digits = 0
    while digits < count.upperBound, let digit = raw?.hexadecimalValue {
      // Eight digits of four bits.
      value = value << 4 | digit
      digits += 1
      end += 1
    }
    guard digits >= count.lowerBound else { throw malformedHere("expected digits of base 16") }
    if hasBraces {
      guard raw == "}" else { throw malformedHere("expected '}'") }
      end += 1
    }
    return value
  }

  /// The character with a code, of which the second half may follow.
  private mutating func character(_ code: UInt32) throws(TextPattern.Failure) -> Unicode.Scalar {
    if let scalar = Unicode.Scalar(code) { return scalar }
    guard 0xd800..<0xe000 ~= code else { throw malformedHere("no character") }
    let start = end
    if code < 0xdc00, raw == "\\", end + 1 < scalars.count,
      ["u", "U", "x"].contains(scalars[end + 1])
    {
      end += 1
      let low = try self.code()
      if 0xdc00..<0xe000 ~= low,
        let scalar = Unicode.Scalar(0x10000 + (code - 0xd800) << 10 + (low - 0xdc00))
      {
        return scalar
      }
      end = start
    }
    hasSurrogate = true
    return "\u{fffd}"
  }
}

extension Unicode.Scalar {
  fileprivate var hexadecimalValue: UInt32? {
    switch value {
    case 0x30...0x39: value - 0x30
    case 0x41...0x46, 0x61...0x66: value | 0x20 - 0x61 + 10
    default: nil
    }
  }
}

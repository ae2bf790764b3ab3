/// The plain text of a document in the Rich Text Format, as an attributed text arrives in another
/// process on Apple's systems.
///
/// Fonts, colors, styles, pictures and fields' instructions are lost. Bytes that are not ASCII are read
/// as Windows-1252; of another code page they become U+FFFD. Time and memory are linear in the bytes.
package enum RichText {
  /// Whether bytes begin as such a document does.
  package static func isRichText(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: "{\\rtf".utf8)
  }

  /// The text; `nil` if the bytes are no such document.
  package static func plainText(of bytes: [UInt8]) -> String? {
    guard isRichText(bytes) else { return nil }
    var reader = RichTextReader(bytes)
    reader.run()
    return String(reader.text)
  }
}

private struct RichTextReader {
  /// What holds until the end of a group.
  private struct Group {
    /// Whether the group is no text: a table of fonts, a picture.
    var isSkipped = false
    /// How many characters after `\u` stand for the same one.
    var replacementCount = 1
    /// Whether nothing but `{` has been read of the group, or `{\*`.
    var isAtStart = true
  }

  /// Groups nested deeper are no text.
  private static let depthLimit = 1000
  private static let tables: Set<String> = [
    "fonttbl", "colortbl", "stylesheet", "info", "pict", "header", "footer", "headerl", "headerr",
    "footerl", "footerr", "fldinst", "object", "listtable", "listoverridetable", "xe", "tc",
  ]
  private static let characters: [String: Unicode.Scalar] = [
    "par": "\n", "line": "\n", "row": "\n", "sect": "\n", "page": "\n", "tab": "\t", "cell": "\t",
    "emdash": "\u{2014}", "endash": "\u{2013}", "lquote": "\u{2018}", "rquote": "\u{2019}",
    "ldblquote": "\u{201c}", "rdblquote": "\u{201d}", "bullet": "\u{2022}", "emspace": "\u{2003}",
    "enspace": "\u{2002}",
  ]
  /// What Windows-1252 has from 0x80 to 0x9f.
  private static let upper = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ".unicodeScalars)

  private let bytes: [UInt8]
  private var position = 0
  private var group = Group()
  private var outer: [Group] = []
  private var depth = 0
  private var skippedCharacters = 0
  /// The first half of a pair that `\u` has given.
  private var highSurrogate: UInt16?
  private var isWestern = true
  private(set) var text = String.UnicodeScalarView()

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func run() {
    defer { endPair() }
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "{"): open()
      case UInt8(ascii: "}"):
        close()
        if depth == 0 { return }
      case UInt8(ascii: "\\"): control()
      case 0x0a, 0x0d, 0: break
      default: add(byte)
      }
    }
  }

  private mutating func open() {
    depth += 1
    skippedCharacters = 0
    guard depth <= Self.depthLimit else { return }
    outer.append(group)
    group.isAtStart = true
  }

  private mutating func close() {
    if depth <= Self.depthLimit, let last = outer.popLast() { group = last }
    depth -= 1
    skippedCharacters = 0
  }

  private mutating func add(_ byte: UInt8) {
    switch byte {
    case 0..<0x80: add(Unicode.Scalar(byte))
    case _ where !isWestern: add("\u{fffd}")
    case 0x80..<0xa0: add(Self.upper[Int(byte) - 0x80])
    default: add(Unicode.Scalar(byte))
    }
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    group.isAtStart = false
    guard !group.isSkipped, depth <= Self.depthLimit else { return }
    if skippedCharacters > 0 {
      skippedCharacters -= 1
      return
    }
    endPair()
    text.append(scalar)
  }

  /// Half a pair that no other half follows is no character.
  private mutating func endPair() {
    if highSurrogate != nil { text.append("\u{fffd}") }
    highSurrogate = nil
  }

  /// Reads what follows a backslash.
  private mutating func control() {
    guard position < bytes.count else { return }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "'"):
      let digits = bytes[position...].prefix(2)
      guard digits.count == 2, let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return }
      position += 2
      add(code)
    case UInt8(ascii: "*"): if group.isAtStart { group.isSkipped = true }
    case UInt8(ascii: "~"): add("\u{a0}")
    case UInt8(ascii: "_"): add("\u{2011}")
    case UInt8(ascii: "-"): add("\u{ad}")
    case 0x0a, 0x0d: add("\n")
    case _ where Self.isLetter(byte):
      position -= 1
      word()
    default: add(byte)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Reads a control word, its number and the space that ends it.
  private mutating func word() {
    let letters = bytes[position...].prefix(32).prefix(while: Self.isLetter)
    position = letters.endIndex
    let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
    let digits = bytes[(isNegative ? position + 1 : position)...].prefix(10)
      .prefix { (0x30...0x39).contains($0) }
    var number: Int?
    if !digits.isEmpty {
      position = digits.endIndex
      number = Int(String(decoding: digits, as: UTF8.self)).map { isNegative ? -$0 : $0 }
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
    carryOut(String(decoding: letters, as: UTF8.self), number)
  }

  private mutating func carryOut(_ word: String, _ number: Int?) {
    let isAtStart = group.isAtStart
    group.isAtStart = false
    switch word {
    case "u": if let number { unicode(number) }
    case "uc": group.replacementCount = max(0, min(number ?? 1, 8))
    case "bin": position = min(bytes.count, position + max(0, number ?? 0))
    case "ansicpg": isWestern = number == 1252 || number == 0
    case "mac", "pc", "pca": isWestern = false
    case _ where isAtStart && Self.tables.contains(word): group.isSkipped = true
    default: if let character = Self.characters[word] { add(character) }
    }
  }

  /// A character by its number, which has a sign above 32767, and is half a pair outside the basic
  /// plane.
  private mutating func unicode(_ number: Int) {
    guard !group.isSkipped, depth <= Self.depthLimit else { return }
    skippedCharacters = 0
    let unit = UInt16(truncatingIfNeeded: number)
    switch unit {
    case 0xd800..<0xdc00:
      endPair()
      highSurrogate = unit
    case 0xdc00..<0xe000:
      if let high = highSurrogate,
        let scalar = Unicode.Scalar(
          0x10000 + (UInt32(high) - 0xd800) << 10 + (UInt32(unit) - 0xdc00))
      {
        highSurrogate = nil
        add(scalar)
      } else {
        add("\u{fffd}")
      }
    default: add(Unicode.Scalar(unit) ?? "\u{fffd}")
    }
    skippedCharacters = group.replacementCount
  }
}

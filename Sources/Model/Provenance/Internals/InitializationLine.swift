/// A line of an INI file.
struct InitializationLine {
  enum Content {
    case section(String)
    case pair(String, String)
    /// A comment, or what means nothing.
    case other
  }

  let content: Content
  /// Where it begins, in bytes of the file.
  let offset: Int

  /// The lines of a file, in UTF-8, or in UTF-16 where a byte order mark or the first character
  /// says so. One NUL character at the end is passed over.
  static func all(in file: [UInt8]) throws(MarkFailure) -> [InitializationLine] {
    let isMarked = file.starts(with: [0xff, 0xfe]) || file.starts(with: [0xfe, 0xff])
    if isMarked || file.starts(with: [0x5b, 0]) || file.starts(with: [0, 0x5b]) {
      return try utf16(
        file, start: isMarked ? 2 : 0, isLittle: file[0] == 0xff || file[0] == 0x5b)
    }
    let start = file.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let bytes = MarkText.withoutNUL(file).dropFirst(start)
    var lines: [InitializationLine] = []
    for line in bytes.split(omittingEmptySubsequences: true, whereSeparator: isEnd) {
      lines.append(Self(try MarkText.utf8(line), at: line.startIndex))
    }
    return lines
  }

  private static func isEnd(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }

  private static func utf16(
    _ file: [UInt8], start: Int, isLittle: Bool
  ) throws(MarkFailure) -> [InitializationLine] {
    var units: [UInt16] = []
    var position = start
    while position + 1 < file.count {
      let (first, second) = (UInt16(file[position]), UInt16(file[position + 1]))
      units.append(isLittle ? second << 8 | first : first << 8 | second)
      position += 2
    }
    // An odd byte is Samba's NUL, or the half of a character.
    if position < file.count, file[position] != 0 { throw MarkFailure(.notUTF16, at: position) }
    if units.last == 0 { units.removeLast() }
    if let nul = units.firstIndex(of: 0) { throw MarkFailure(.nul, at: start + nul * 2) }
    var lines: [InitializationLine] = []
    for line in units.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      let offset = start + line.startIndex * 2
      guard let text = String(validating: line, as: UTF16.self) else {
        throw MarkFailure(.notUTF16, at: offset)
      }
      lines.append(Self(text, at: offset))
    }
    return lines
  }

  private init(_ line: String, at offset: Int) {
    self.offset = offset
    let text = Self.trimmed(line[...])
    if text.first == "[", let end = text.firstIndex(of: "]") {
      content = .section(String(Self.trimmed(text[text.index(after: text.startIndex)..<end])))
    } else if text.first != ";", let equals = text.firstIndex(of: "=") {
      content = .pair(
        String(Self.trimmed(text[..<equals])),
        String(Self.trimmed(text[text.index(after: equals)...])))
    } else {
      content = .other
    }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
    let start = text.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
    return start[...last]
  }
}

/// The encodings of XML documents that are read.
enum XMLEncoding {
  /// A document as UTF-8 without the mark of the byte order, of the characters that XML allows.
  ///
  /// A mark of the byte order, or the two bytes of the first `<`, decide before the declaration.
  static func utf8(of document: [UInt8]) throws(ReadingFailure) -> [UInt8] {
    let bytes: [UInt8]
    switch (document.first, document.dropFirst().first) {
    case (0xff, 0xfe): bytes = try utf16(document.dropFirst(2), isBig: false)
    case (0xfe, 0xff): bytes = try utf16(document.dropFirst(2), isBig: true)
    case (UInt8(ascii: "<"), 0): bytes = try utf16(document[...], isBig: false)
    case (0, UInt8(ascii: "<")): bytes = try utf16(document[...], isBig: true)
    default:
      if document.starts(with: [0xef, 0xbb, 0xbf]) {
        bytes = Array(document.dropFirst(3))
      } else {
        bytes = try declared(document)
      }
    }
    try check(bytes)
    return bytes
  }

  private static func declared(_ document: [UInt8]) throws(ReadingFailure) -> [UInt8] {
    guard let name = XMLDeclaration(document)?.encoding else { return document }
    switch name.lowercased() {
    case "utf-8", "utf8", "us-ascii", "ascii": return document
    case "iso-8859-1", "latin1":
      var bytes: [UInt8] = []
      bytes.reserveCapacity(document.count)
      for byte in document {
        if byte < 0x80 {
          bytes.append(byte)
        } else {
          bytes.append(0xc0 | byte >> 6)
          bytes.append(0x80 | byte & 0x3f)
        }
      }
      return bytes
    case "utf-16": throw noUTF16
    default:
      throw ReadingFailure(
        "the encoding '\(XMLScanner.shown(name))' is none of UTF-8, UTF-16, ISO-8859-1 and ASCII",
        at: 0, in: [])
    }
  }

  private static let noUTF16 = ReadingFailure("the document is not UTF-16", at: 0, in: [])

  private static func utf16(
    _ document: ArraySlice<UInt8>, isBig: Bool
  ) throws(ReadingFailure) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(document.count / 2)
    var index = document.startIndex
    while index + 1 < document.endIndex {
      let (first, second) = (UInt16(document[index]), UInt16(document[index + 1]))
      units.append(isBig ? first << 8 | second : second << 8 | first)
      index += 2
    }
    guard index == document.endIndex, let text = String(validating: units, as: UTF16.self) else {
      throw noUTF16
    }
    return Array(text.utf8)
  }

  /// Section 2.2 of XML 1.0.
  private static func check(_ bytes: [UInt8]) throws(ReadingFailure) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw ReadingFailure("a text is not UTF-8", at: error.byteOffsets.lowerBound, in: bytes)
    }
    for (offset, byte) in bytes.enumerated() {
      let isRefused =
        byte < 0x20
        ? byte != 0x09 && byte != 0x0a && byte != 0x0d
        : byte >= 0xbe && offset >= 2 && byte <= 0xbf && bytes[offset - 1] == 0xbf
          && bytes[offset - 2] == 0xef
      if isRefused {
        throw ReadingFailure("a character that XML does not allow", at: offset, in: bytes)
      }
    }
  }
}

/// `<?xml version="1.0" encoding="UTF-8"?>`, of bytes that have ASCII where it stands. Section 2.8 of
/// XML 1.0.
struct XMLDeclaration {
  private(set) var encoding: String?
  /// Whether it is as it should be.
  private(set) var isWhole = false
  /// Where it ends, in bytes.
  private(set) var end = 0

  /// - Returns: `nil` if the bytes begin with none.
  init?(_ bytes: [UInt8]) {
    let start = "<?xml".utf8
    guard bytes.starts(with: start), let next = bytes.dropFirst(start.count).first, next <= 0x20
    else { return nil }
    // It is short, and ends before anything that could be long.
    guard let sign = bytes.firstIndex(of: UInt8(ascii: ">")), bytes[sign - 1] == UInt8(ascii: "?")
    else { return }
    let text = bytes[..<sign]
    end = sign + 1
    var rest = text.dropFirst(start.count).dropLast()
    var names: [String] = []
    while true {
      let blanks = rest.prefix(while: XMLScanner.isBlank)
      rest = rest.dropFirst(blanks.count)
      if rest.isEmpty { break }
      guard !blanks.isEmpty, let (name, value) = Self.pair(&rest) else { return }
      names.append(name)
      switch name {
      case "version": guard value.hasPrefix("1.") else { return }
      case "encoding": encoding = value
      case "standalone": guard value == "yes" || value == "no" else { return }
      default: return
      }
    }
    switch names {
    case ["version"], ["version", "encoding"], ["version", "standalone"],
      ["version", "encoding", "standalone"]:
      isWhole = true
    default: break
    }
  }

  /// Takes `name="value"`.
  private static func pair(_ rest: inout ArraySlice<UInt8>) -> (String, String)? {
    guard let sign = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    var name = rest[..<sign]
    while let last = name.last, XMLScanner.isBlank(last) { name.removeLast() }
    rest = rest[(sign + 1)...].drop(while: XMLScanner.isBlank)
    guard let mark = rest.popFirst(), mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'"),
      let end = rest.firstIndex(of: mark)
    else { return nil }
    let value = rest[..<end]
    rest = rest[(end + 1)...]
    return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }
}

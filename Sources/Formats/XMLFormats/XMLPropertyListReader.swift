package import BinaryPropertyList
internal import CXML2
internal import ForeignFormats
internal import TextFormats

/// Reads XML property lists with libxml2's pull parser.
///
/// See `BookmarkList` for what is refused.
@safe
package struct XMLPropertyListReader {
  /// What is wrong, and where.
  package struct Failure: Error, CustomStringConvertible {
    let reason: String
    let line: Int

    package var description: String { "\(EscapedText(reason)) (line \(line))" }
  }

  /// A container that is being read.
  private enum Open {
    case array([PropertyList])
    case dictionary([(String, PropertyList)], keys: Set<[UInt8]>, key: String?)
  }

  private let reader: xmlTextReaderPtr
  private var open: [Open] = []
  private var root: PropertyList?

  private init(_ reader: xmlTextReaderPtr) { unsafe self.reader = reader }

  /// Reads a whole document.
  package static func read(_ bytes: [UInt8]) throws(Failure) -> PropertyList {
    try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(Failure) in try unsafe read(bytes) }
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> PropertyList {
    let safeLength: Int
    do throws(XMLFlaw) {
      safeLength = try unsafe GuardedParser.safeLength(of: bytes)
    } catch {
      throw Failure(reason: "\(error.reason.markFailureReason)", line: error.line)
    }
    guard let length = CInt(exactly: safeLength) else {
      throw Failure(reason: "too long", line: 0)
    }
    guard let reader = unsafe GuardedParser.pullParser(bytes, length) else {
      throw Failure(reason: "out of memory", line: 0)
    }
    defer { unsafe xmlFreeTextReader(reader) }
    var list = unsafe XMLPropertyListReader(reader)
    return try list.read()
  }

  private mutating func read() throws(Failure) -> PropertyList {
    while try advance() {
      switch unsafe xmlTextReaderNodeType(reader) {
      case CInt(XML_READER_TYPE_ELEMENT.rawValue): try begin(name)
      case CInt(XML_READER_TYPE_END_ELEMENT.rawValue): try end(name)
      case CInt(XML_READER_TYPE_TEXT.rawValue), CInt(XML_READER_TYPE_CDATA.rawValue):
        throw failure("text outside a value")
      case CInt(XML_READER_TYPE_ENTITY_REFERENCE.rawValue):
        throw failure("the entity '&\(name);' is not predefined in XML")
      default: break
      }
    }
    guard let root else { throw failure("no value") }
    return root
  }

  /// Moves to the next node; `false` at the end.
  private func advance() throws(Failure) -> Bool {
    switch unsafe xmlTextReaderRead(reader) {
    case 1: return true
    case 0: return false
    default:
      let words = unsafe xmlGetLastError()?.pointee.message.map { unsafe String(cString: $0) }
      throw failure((words ?? "not well-formed XML").trimmed)
    }
  }

  private var name: String { unsafe String(xml: xmlTextReaderConstLocalName(reader)) }

  private func failure(_ reason: String) -> Failure {
    Failure(reason: reason, line: Int(unsafe xmlTextReaderGetParserLineNumber(reader)))
  }

  private mutating func begin(_ element: String) throws(Failure) {
    let isEmpty = unsafe xmlTextReaderIsEmptyElement(reader) == 1
    switch element {
    case "plist":
      guard open.isEmpty, root == nil else { throw failure("<plist> inside a value") }
    case "array", "dict":
      open.append(element == "array" ? .array([]) : .dictionary([], keys: [], key: nil))
      if isEmpty { try end(element) }
    case "key":
      try takeKey(isEmpty ? "" : try content(of: element))
    default:
      let text = isEmpty ? "" : try content(of: element)
      try take(try scalar(element, text))
    }
  }

  /// The text up to the end of an element that holds nothing else.
  private func content(of element: String) throws(Failure) -> String {
    var content = ""
    while try advance() {
      switch unsafe xmlTextReaderNodeType(reader) {
      case CInt(XML_READER_TYPE_TEXT.rawValue), CInt(XML_READER_TYPE_CDATA.rawValue),
        CInt(XML_READER_TYPE_WHITESPACE.rawValue),
        CInt(XML_READER_TYPE_SIGNIFICANT_WHITESPACE.rawValue):
        content += unsafe String(xml: xmlTextReaderConstValue(reader))
      case CInt(XML_READER_TYPE_END_ELEMENT.rawValue): return content
      case CInt(XML_READER_TYPE_COMMENT.rawValue),
        CInt(XML_READER_TYPE_PROCESSING_INSTRUCTION.rawValue):
        break
      case CInt(XML_READER_TYPE_ENTITY_REFERENCE.rawValue):
        throw failure("the entity '&\(name);' is not predefined in XML")
      default: throw failure("<\(name)> inside <\(element)>")
      }
    }
    throw failure("<\(element)> is not closed")
  }

  private func scalar(_ element: String, _ text: String) throws(Failure) -> PropertyList {
    switch element {
    case "string": return .string(text)
    case "true", "false":
      guard text.trimmed.isEmpty else { throw failure("<\(element)> contains text") }
      return .boolean(element == "true")
    case "integer": if let integer = Self.integer(text.trimmed) { return integer }
    case "real": if let real = Self.real(text.trimmed) { return .real(real) }
    case "date":
      if let seconds = CalendarDate.seconds(of: text.trimmed) {
        return .date(secondsSinceReferenceDate: seconds)
      }
    case "data":
      let digits = text.utf8.filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
      if let bytes = Base64.bytes(of: String(decoding: digits, as: UTF8.self)) {
        return .data(bytes)
      }
    default: throw failure("<\(element)> is not a property list element")
    }
    throw failure("<\(element)> holds '\(text.prefix(40))'")
  }

  /// Decimal, or hexadecimal as CoreFoundation reads it.
  private static func integer(_ text: String) -> PropertyList? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let number = isHexadecimal ? digits.dropFirst(2) : digits
    guard let first = number.first, first != "-", first != "+",
      let integer = Int128((isNegative ? "-" : "") + number, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    return Int64(exactly: integer).map { .integer($0) } ?? .wideInteger(integer)
  }

  /// Digits, and the words that CoreFoundation and plistlib write.
  private static func real(_ text: String) -> Double? {
    switch text.lowercased() {
    case "nan", "+nan", "-nan": .nan
    case "inf", "+inf", "infinity", "+infinity": .infinity
    case "-inf", "-infinity": -.infinity
    default: Double(text)
    }
  }

  private mutating func takeKey(_ key: String) throws(Failure) {
    guard case .dictionary(let pairs, var keys, nil)? = open.popLast() else {
      throw failure("unexpected <key>")
    }
    guard keys.insert(Array(key.utf8)).inserted else {
      throw failure("the key '\(key)' occurs twice in a dictionary")
    }
    open.append(.dictionary(pairs, keys: keys, key: key))
  }

  private mutating func take(_ value: PropertyList) throws(Failure) {
    switch open.popLast() {
    case nil:
      guard root == nil else { throw failure("more than one value") }
      root = value
    case .array(var elements):
      elements.append(value)
      open.append(.array(elements))
    case .dictionary(var pairs, let keys, let key?):
      pairs.append((key, value))
      open.append(.dictionary(pairs, keys: keys, key: nil))
    case .dictionary(_, _, nil): throw failure("a value in a dictionary has no key")
    }
  }

  private mutating func end(_ element: String) throws(Failure) {
    switch (element, open.popLast()) {
    case ("plist", nil): break
    case ("array", .array(let elements)?): try take(.array(elements))
    case ("dict", .dictionary(let pairs, _, nil)?): try take(Self.dictionary(pairs))
    case (_, .dictionary(_, _, let key?)?): throw failure("the key '\(key)' has no value")
    default: throw failure("unexpected </\(element)>")
    }
  }

  /// Keyed archives name objects by `{CF$UID: n}` in XML.
  private static func dictionary(_ pairs: [(String, PropertyList)]) -> PropertyList {
    if pairs.count == 1, let (key, value) = pairs.first, key == "CF$UID",
      case .integer(let number) = value, let uid = UInt64(exactly: number)
    {
      return .uid(uid)
    }
    // Keys are unique, as `takeKey` has seen to.
    return .dictionary(PropertyList.Dictionary(pairs) { first, _ in first })
  }
}

extension String {
  /// Without XML's white space at either end.
  fileprivate var trimmed: String {
    let space: Set<UInt8> = [0x20, 0x09, 0x0a, 0x0d]
    guard let first = utf8.firstIndex(where: { !space.contains($0) }),
      let last = utf8.lastIndex(where: { !space.contains($0) })
    else { return "" }
    return String(self[first...last])
  }
}

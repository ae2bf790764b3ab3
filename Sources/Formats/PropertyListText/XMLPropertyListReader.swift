package import BinaryPropertyList
internal import TextFormats

/// Reads property lists in XML, as CoreFoundation, plutil and plistlib write them.
///
/// Apple's document type PropertyList-1.0.dtd has the elements; `<plist>` may be missing, as
/// CoreFoundation allows. `XMLScanner` describes what XML is read.
package struct XMLPropertyListReader {
  /// How deep elements may be nested.
  package static let depthLimit = 256

  private enum Element: String {
    case plist, array, dict, key, string, data, date, integer, real
    case `true`, `false`
  }

  /// An element with other elements, whose end has not come.
  private struct Container {
    let element: Element
    /// Where its values and keys begin among those of all that are open.
    let firstValue: Int
    let firstKey: Int
  }

  private var scanner: XMLScanner
  private var open: [Container] = []
  private var values: [PropertyList] = []
  private var keys: [(name: String, offset: Int)] = []
  /// Whether the outermost element has ended.
  private var isOver = false

  /// Reads a whole document.
  package static func read(_ bytes: [UInt8]) throws(ReadingFailure) -> PropertyList {
    var reader = XMLPropertyListReader(scanner: try XMLScanner(bytes))
    return try reader.read()
  }

  /// The list of a document as a binary one; `nil` if it cannot be read. The value of an attribute counts
  /// as damaged then.
  @Sendable package static func binary(_ bytes: [UInt8]) -> [UInt8]? {
    try? read(bytes).binary()
  }

  private init(scanner: XMLScanner) { self.scanner = scanner }

  private mutating func read() throws(ReadingFailure) -> PropertyList {
    while let tag = try scanner.tag() {
      switch tag {
      case .start(let name, let isEmpty):
        guard !isOver else { throw failure("more than one value") }
        guard let element = Element(rawValue: name) else {
          throw failure("<\(XMLScanner.shown(name))> is not a property list element")
        }
        try begin(element, isEmpty: isEmpty)
      case .end(let name):
        guard let element = open.last?.element else {
          throw failure("</\(XMLScanner.shown(name))> ends no element")
        }
        guard element.rawValue == name else {
          throw scanner.mismatch(name, element.rawValue, at: scanner.tagStart)
        }
        try end()
      }
      isOver = open.isEmpty
    }
    if let last = open.last { throw failure("<\(last.element.rawValue)> is not closed") }
    guard let value = values.first else { throw failure("no value") }
    return value
  }

  /// Why the last tag is wrong.
  private func failure(_ reason: String) -> ReadingFailure {
    scanner.failure(reason, at: scanner.tagStart)
  }

  private mutating func begin(_ element: Element, isEmpty: Bool) throws(ReadingFailure) {
    switch element {
    case .plist, .array, .dict:
      guard element != .plist || open.isEmpty else { throw failure("<plist> inside a value") }
      guard open.count < Self.depthLimit else {
        throw failure("nested deeper than \(Self.depthLimit) levels")
      }
      open.append(
        Container(element: element, firstValue: values.count, firstKey: keys.count))
      if isEmpty { try end() }
    case .key:
      let offset = scanner.tagStart
      guard let last = open.last, last.element == .dict, !isKeyPending(in: last) else {
        throw failure("unexpected <key>")
      }
      keys.append((isEmpty ? "" : try scanner.content(of: element.rawValue), offset))
    default:
      let text = isEmpty ? "" : try scanner.content(of: element.rawValue)
      try take(try scalar(element, text))
    }
  }

  private func isKeyPending(in dictionary: Container) -> Bool {
    keys.count - dictionary.firstKey > values.count - dictionary.firstValue
  }

  /// Adds a value to the innermost container.
  private mutating func take(_ value: PropertyList) throws(ReadingFailure) {
    switch open.last?.element {
    case .dict?:
      guard let last = open.last, isKeyPending(in: last) else {
        throw failure("a value in a dictionary has no key")
      }
    case .array?: break
    default: guard values.isEmpty else { throw failure("more than one value") }
    }
    values.append(value)
  }

  /// Ends the innermost container.
  private mutating func end() throws(ReadingFailure) {
    guard let last = open.last else { return }
    if last.element == .plist {
      open.removeLast()
      return
    }
    if last.element == .dict, let key = keys.last, isKeyPending(in: last) {
      throw failure("the key '\(XMLScanner.shown(key.name))' has no value")
    }
    // No slice may be left, or the rest would be copied for each container.
    let value = try self.value(of: last)
    values.removeLast(values.count - last.firstValue)
    keys.removeLast(keys.count - last.firstKey)
    open.removeLast()
    try take(value)
  }

  private func value(of container: Container) throws(ReadingFailure) -> PropertyList {
    let (keys, values) = (keys[container.firstKey...], values[container.firstValue...])
    if container.element == .array { return .array(Array(values)) }
    // Keyed archives name objects by `{CF$UID: n}` in XML.
    if keys.count == 1, keys.first?.name == "CF$UID", case .integer(let number)? = values.first,
      let uid = UInt64(exactly: number)
    {
      return .uid(uid)
    }
    do throws(PropertyList.Dictionary.DuplicateKey) {
      return .dictionary(
        try PropertyList.Dictionary(zip(keys, values).lazy.map { ($0.name, $1) }))
    } catch {
      throw scanner.failure(
        "the key '\(XMLScanner.shown(error.key))' occurs twice in a dictionary",
        at: keys[keys.startIndex + error.position].offset)
    }
  }

  private func scalar(_ element: Element, _ text: String) throws(ReadingFailure) -> PropertyList {
    switch element {
    case .string: return .string(text)
    case .true, .false:
      guard text.trimmed.isEmpty else { throw failure("<\(element.rawValue)> contains text") }
      return .boolean(element == .true)
    case .integer: if let integer = Self.integer(text.trimmed) { return integer }
    case .real: if let real = Self.real(text.trimmed) { return .real(real) }
    case .date:
      if let seconds = CalendarDate.seconds(of: text.trimmed) {
        return .date(secondsSinceReferenceDate: seconds)
      }
    case .data:
      let digits = text.utf8.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a && $0 != 0x0d }
      if let bytes = Base64.bytes(of: digits[...]) { return .data(bytes) }
    case .plist, .array, .dict, .key: break
    }
    throw failure("<\(element.rawValue)> holds '\(XMLScanner.shown(text))'")
  }

  /// Decimal, or hexadecimal as CoreFoundation reads it.
  private static func integer(_ text: Substring) -> PropertyList? {
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let number = isHexadecimal ? digits.dropFirst(2) : digits
    guard let first = number.first, first != "-", first != "+",
      let integer = Int128((isNegative ? "-" : "") + number, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    return Int64(exactly: integer).map { .integer($0) } ?? .wideInteger(integer)
  }

  /// Digits, and the words that CoreFoundation and plistlib write.
  private static func real(_ text: Substring) -> Double? {
    switch text.lowercased() {
    case "nan", "+nan", "-nan": .nan
    case "inf", "+inf", "infinity", "+infinity": .infinity
    case "-inf", "-infinity": -.infinity
    default: Double(text)
    }
  }
}

extension String {
  /// Without XML's white space at either end.
  fileprivate var trimmed: Substring {
    guard let first = utf8.firstIndex(where: { !XMLScanner.isBlank($0) }),
      let last = utf8.lastIndex(where: { !XMLScanner.isBlank($0) })
    else { return "" }
    return self[first...last]
  }
}

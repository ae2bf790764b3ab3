/// Takes an XML document apart for `XMLPropertyListReader`.
///
/// It accepts XML 1.0 (fifth edition) in UTF-8, UTF-16, ISO-8859-1 and ASCII. The document type may
/// name a file, which is not read; what it declares itself is refused, so that no entity has a value but
/// XML's own five. Values of attributes are passed over. Time and memory grow with the document alone.
struct XMLScanner {
  /// What stands between `<` and `>` of an element.
  enum Tag {
    case start(String, isEmpty: Bool)
    case end(String)
  }

  /// The most attributes of a tag, each of which is compared with the others.
  static let attributeLimit = 256
  /// As much of a text of the document as a failure shows.
  static func shown(_ text: String) -> Substring { text.prefix(40) }

  /// The document in UTF-8.
  private let bytes: [UInt8]
  private var position = 0
  /// Where the last tag begins, in bytes.
  private(set) var tagStart = 0

  /// Begins to read a document: up to its first element.
  init(_ document: [UInt8]) throws(ReadingFailure) {
    bytes = try XMLEncoding.utf8(of: document)
    try passDeclaration()
    try passMisc()
    if hasNext("<!DOCTYPE") { try passDocumentType() }
  }

  func failure(_ reason: String, at offset: Int) -> ReadingFailure {
    ReadingFailure(reason, at: offset, in: bytes)
  }

  private func failure(_ reason: String) -> ReadingFailure { failure(reason, at: position) }

  // MARK: Elements

  /// The next tag, after blanks, comments and processing instructions; `nil` at the end of the
  /// document.
  mutating func tag() throws(ReadingFailure) -> Tag? {
    try passMisc()
    guard let next else { return nil }
    guard next == UInt8(ascii: "<"), !hasNext("<![CDATA[") else {
      throw failure("text outside a value")
    }
    if hasNext("<!") { throw failure("a declaration among the elements") }
    tagStart = position
    return hasNext("</") ? .end(try endTag()) : try startTag()
  }

  /// The text of an element that has only text, and the tag that ends the element.
  mutating func content(of element: String) throws(ReadingFailure) -> String {
    var (before, start): ([UInt8], Int) = ([], position)
    while let byte = next {
      switch byte {
      case UInt8(ascii: "<"):
        let piece = bytes[start..<position]
        if hasNext("</") {
          let text = String(decoding: before.isEmpty ? piece : before[...] + piece, as: UTF8.self)
          let offset = position
          let name = try endTag()
          guard name == element else { throw mismatch(name, element, at: offset) }
          return text
        }
        before += piece
        if take("<![CDATA[") {
          appendLines(of: try text(before: "]]>", "a CDATA section has no end"), to: &before)
        } else if try !passComment(), try !passInstruction() {
          position += 1
          throw failure("<\(Self.shown(try name()))> inside <\(element)>")
        }
        start = position
      case UInt8(ascii: "&"):
        before += bytes[start..<position]
        before += String(try reference()).utf8
        start = position
      case 0x0d:
        before += bytes[start..<position]
        position += 1
        if next != 0x0a { before.append(0x0a) }
        start = position
      case UInt8(ascii: "]") where hasNext("]]>"): throw failure("']]>' ends no CDATA section")
      default: position += 1
      }
    }
    throw failure("the document ends inside <\(element)>")
  }

  /// The failure if a tag ends another element than it should.
  func mismatch(_ name: String, _ element: String, at offset: Int) -> ReadingFailure {
    failure("expected </\(element)>, not </\(Self.shown(name))>", at: offset)
  }

  private mutating func startTag() throws(ReadingFailure) -> Tag {
    let start = position
    position += 1
    let element = try name()
    let shown = Self.shown(element)
    var attributes: [ArraySlice<UInt8>] = []
    while let byte = next {
      if take(">") { return .start(element, isEmpty: false) }
      if take("/>") { return .start(element, isEmpty: true) }
      guard Self.isBlank(byte) else { throw failure("expected '>' after <\(shown)") }
      passBlanks()
      if let next, next != UInt8(ascii: ">"), next != UInt8(ascii: "/") {
        let offset = position
        let attribute = try attributeName()
        guard !attributes.contains(attribute) else {
          throw failure("an attribute of <\(shown)> occurs twice", at: offset)
        }
        attributes.append(attribute)
        guard attributes.count <= Self.attributeLimit else {
          throw failure("a tag has more than \(Self.attributeLimit) attributes", at: start)
        }
      }
    }
    throw failure("a tag has no end", at: start)
  }

  private mutating func endTag() throws(ReadingFailure) -> String {
    let start = position
    position += 2
    let name = try name()
    passBlanks()
    guard take(">") else { throw failure("a tag has no end", at: start) }
    return name
  }

  /// The name of an attribute, whose value is passed over.
  private mutating func attributeName() throws(ReadingFailure) -> ArraySlice<UInt8> {
    let start = position
    _ = try name()
    let name = bytes[start..<position]
    passBlanks()
    guard take("=") else { throw failure("an attribute has no value") }
    passBlanks()
    guard let mark = next, mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else {
      throw failure("the value of an attribute is not quoted")
    }
    position += 1
    while let byte = next, byte != mark {
      switch byte {
      case UInt8(ascii: "<"): throw failure("'<' in the value of an attribute")
      case UInt8(ascii: "&"): _ = try reference()
      default: position += 1
      }
    }
    guard next == mark else { throw failure("the value of an attribute has no end", at: start) }
    position += 1
    return name
  }

  private mutating func name() throws(ReadingFailure) -> String {
    let start = position
    while let byte = next, Self.isName(byte) { position += 1 }
    let name = bytes[start..<position]
    // A digit, '-' or '.' begins no name.
    guard let first = name.first, first == UInt8(ascii: ":") || first > 0x39 else {
      throw failure("expected a name", at: start)
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The character that a reference stands for. Section 4.1 of XML 1.0.
  private mutating func reference() throws(ReadingFailure) -> Unicode.Scalar {
    let start = position
    position += 1
    guard take("#") else {
      let name = try name()
      guard take(";") else { throw failure("a reference has no ';'", at: start) }
      switch name {
      case "lt": return "<"
      case "gt": return ">"
      case "amp": return "&"
      case "quot": return "\""
      case "apos": return "'"
      default:
        throw failure("the entity '&\(Self.shown(name));' is not predefined in XML", at: start)
      }
    }
    let radix: UInt32 = take("x") ? 16 : 10
    var (number, count): (UInt32, Int) = (0, 0)
    while let byte = next, let digit = Self.digit(byte), digit < radix {
      // Larger than any character, and no less with more digits.
      number = min(number * radix + digit, 0x110000)
      position += 1
      count += 1
    }
    guard count > 0, take(";"), let scalar = Unicode.Scalar(number), Self.isCharacter(scalar) else {
      throw failure("a reference is to no character", at: start)
    }
    return scalar
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte & 0xf)
    case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
      UInt32(byte & 0xf) + 9
    default: nil
    }
  }

  private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\t", "\n", "\r": true
    case "\0"..<" ", "\u{fffe}", "\u{ffff}": false
    default: true
    }
  }

  // MARK: What is passed over

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func hasNext(_ word: String) -> Bool { bytes[position...].starts(with: word.utf8) }

  private mutating func take(_ word: String) -> Bool {
    guard hasNext(word) else { return false }
    position += word.utf8.count
    return true
  }

  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default:
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), 0x80...:
        true
      default: false
      }
    }
  }

  private mutating func passBlanks() {
    while let byte = next, Self.isBlank(byte) { position += 1 }
  }

  /// Passes over blanks, comments and processing instructions.
  private mutating func passMisc() throws(ReadingFailure) {
    while true {
      passBlanks()
      if try passComment() { continue }
      guard try passInstruction() else { return }
    }
  }

  /// The text up to a mark, both of which are passed over.
  private mutating func text(
    before mark: String, _ reason: String
  ) throws(ReadingFailure) -> ArraySlice<UInt8> {
    let (start, first) = (position, mark.utf8.first)
    while let byte = next {
      if byte == first, hasNext(mark) {
        let text = bytes[start..<position]
        position += mark.utf8.count
        return text
      }
      position += 1
    }
    throw failure(reason, at: start)
  }

  /// - Returns: whether there was one.
  private mutating func passComment() throws(ReadingFailure) -> Bool {
    guard take("<!--") else { return false }
    _ = try text(before: "--", "a comment has no end")
    guard take(">") else { throw failure("'--' inside a comment") }
    return true
  }

  /// - Returns: whether there was one.
  private mutating func passInstruction() throws(ReadingFailure) -> Bool {
    guard take("<?") else { return false }
    let start = position
    let name = try name()
    guard name.lowercased() != "xml" else {
      throw failure("an XML declaration that is not at the start", at: start)
    }
    guard hasNext("?>") || next.map(Self.isBlank) == true else {
      throw failure("expected a blank after '<?\(Self.shown(name))'")
    }
    _ = try text(before: "?>", "a processing instruction has no end")
    return true
  }

  private mutating func passDeclaration() throws(ReadingFailure) {
    guard let declaration = XMLDeclaration(bytes) else { return }
    guard declaration.isWhole else { throw failure("the XML declaration is malformed") }
    position = declaration.end
  }

  /// Section 2.8 of XML 1.0.
  private mutating func passDocumentType() throws(ReadingFailure) {
    let start = position
    position += "<!DOCTYPE".utf8.count
    passBlanks()
    _ = try name()
    passBlanks()
    let literals = take("PUBLIC") ? 2 : take("SYSTEM") ? 1 : 0
    for _ in 0..<literals {
      passBlanks()
      let isDouble = take("\"")
      guard isDouble || take("'") else { throw failure("the document type is malformed") }
      _ = try text(before: isDouble ? "\"" : "'", "the document type has no end")
      passBlanks()
    }
    if take("[") {
      try passMisc()
      if hasNext("<!ENTITY") { throw failure("the document declares entities") }
      if hasNext("<!") || next == UInt8(ascii: "%") {
        throw failure("the document type contains declarations")
      }
      guard take("]") else { throw failure("the document type is malformed") }
      passBlanks()
    }
    guard take(">") else { throw failure("the document type has no end", at: start) }
  }

  /// Appends text with a line feed for each end of a line. Section 2.11 of XML 1.0.
  private func appendLines(of text: ArraySlice<UInt8>, to target: inout [UInt8]) {
    for index in text.indices {
      let byte = text[index]
      if byte != 0x0d {
        target.append(byte)
      } else if index + 1 == text.endIndex || text[index + 1] != 0x0a {
        target.append(0x0a)
      }
    }
  }
}

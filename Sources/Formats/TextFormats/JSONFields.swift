/// The members of a JSON object, in their order; those without a value are left out.
///
///     ["file": .path(path), "outcome": "failed", "error": .text(reason)]
package struct JSONFields: Sendable, ExpressibleByDictionaryLiteral {
  /// The value of a member.
  package struct Field: Sendable {
    fileprivate indirect enum Content: Sendable {
      case null
      case flag(Bool)
      case number(Int)
      case text(String)
      case texts([String])
      case path(ArraySlice<UInt8>)
      case data([UInt8])
      case words([[UInt8]])
      case object(JSONFields)
      case objects([JSONFields])
      case json([UInt8])
    }

    fileprivate let content: Content

    package static let null = Field(content: .null)

    package static func flag(_ flag: Bool) -> Field { Field(content: .flag(flag)) }

    package static func texts(_ texts: [String]) -> Field { Field(content: .texts(texts)) }

    /// Words such as arguments and paths, in an array; and if one of them is not UTF-8, another member,
    /// whose key ends in `Base64`, has the bytes of all of them.
    package static func words(_ words: [[UInt8]]) -> Field { Field(content: .words(words)) }

    /// Bytes that are no text, in Base64.
    package static func data(_ bytes: [UInt8]) -> Field { Field(content: .data(bytes)) }

    package static func object(_ fields: JSONFields) -> Field { Field(content: .object(fields)) }

    package static func objects(_ objects: some Sequence<JSONFields>) -> Field {
      Field(content: .objects(Array(objects)))
    }

    /// A value that is JSON already.
    package static func json(_ text: [UInt8]) -> Field { Field(content: .json(text)) }

    // Of what there may not be.

    package static func text(_ text: String?) -> Field? { text.map { Field(content: .text($0)) } }

    package static func number(_ number: Int?) -> Field? {
      number.map { Field(content: .number($0)) }
    }

    /// A path, or other bytes that are mostly text; and where they are not UTF-8, and the text is
    /// therefore not exact, another member, whose key ends in `Base64`, has the bytes.
    package static func path(_ bytes: ArraySlice<UInt8>?) -> Field? {
      bytes.map { Field(content: .path($0)) }
    }

    package static func path(_ bytes: [UInt8]) -> Field? { path(bytes[...]) }
  }

  private var members: [(key: String, value: Field)] = []

  package typealias Key = String
  package typealias Value = Field?

  package init(dictionaryLiteral elements: (String, Value)...) {
    members.reserveCapacity(elements.count)
    for (key, value) in elements {
      if let value { members.append((key, value)) }
    }
  }

  package var isEmpty: Bool { members.isEmpty }

  /// Adds members whose keys are not constants.
  package init(_ members: some Sequence<(key: String, value: Field?)>) {
    self.members = members.compactMap { key, value in value.map { (key, $0) } }
  }

  package static func + (one: JSONFields, other: JSONFields) -> JSONFields {
    var sum = one
    sum.members += other.members
    return sum
  }

  package static func += (one: inout JSONFields, other: JSONFields) { one.members += other.members }

  /// The object as JSON text.
  package var text: String {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the object as JSON text.
  package func append(to bytes: inout [UInt8]) { write(to: &bytes) { _ in } }

  /// More bytes of data than are made Base64 of at once; a multiple of three.
  private static let piece = 48 << 10

  /// Appends the object as JSON text.
  ///
  /// - Parameter passOn: called often, with what has been appended, which it can take.
  package func write(to bytes: inout [UInt8], passingOn passOn: (inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    for (position, member) in members.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      Self.append(member.key, member.value, to: &bytes, passOn)
      passOn(&bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func append(
    _ key: String, _ value: Field, to bytes: inout [UInt8], _ passOn: (inout [UInt8]) -> Void
  ) {
    JSONText.append(key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    func exact(_ append: (inout [UInt8]) -> Void) {
      bytes.append(UInt8(ascii: ","))
      JSONText.append(key + "Base64", to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      append(&bytes)
    }
    switch value.content {
    case .null: bytes += "null".utf8
    case .flag(let flag): bytes += (flag ? "true" : "false").utf8
    case .number(let number): bytes += String(number).utf8
    case .text(let text): JSONText.append(text, to: &bytes)
    case .texts(let texts): appendArray(texts, to: &bytes) { JSONText.append($0, to: &$1) }
    case .path(let path):
      let text = String(decoding: path, as: UTF8.self)
      JSONText.append(text, to: &bytes)
      guard !text.utf8.elementsEqual(path) else { return }
      exact { JSONText.append(Base64.text(of: path), to: &$0) }
    case .words(let words):
      appendArray(words, to: &bytes) {
        JSONText.append(String(decoding: $0, as: UTF8.self), to: &$1)
      }
      guard words.contains(where: { String(validating: $0, as: UTF8.self) == nil }) else { return }
      exact { appendArray(words, to: &$0) { JSONText.append(Base64.text(of: $0[...]), to: &$1) } }
    case .data(let data):
      bytes.append(UInt8(ascii: "\""))
      var rest = data[...]
      while !rest.isEmpty {
        Base64.append(rest.prefix(piece), to: &bytes)
        rest = rest.dropFirst(piece)
        passOn(&bytes)
      }
      bytes.append(UInt8(ascii: "\""))
    case .object(let fields): fields.write(to: &bytes, passingOn: passOn)
    case .objects(let objects):
      appendArray(objects, to: &bytes) { $0.write(to: &$1, passingOn: passOn) }
    case .json(let json): bytes += json
    }
  }

  private static func appendArray<Element>(
    _ elements: [Element], to bytes: inout [UInt8], _ append: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    for (position, element) in elements.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      append(element, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

extension JSONFields.Field: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  package init(stringLiteral text: String) { self.init(content: .text(text)) }

  package init(booleanLiteral flag: Bool) { self.init(content: .flag(flag)) }
}

internal import CJansson

/// A JSON value as Jansson holds it: RFC 8259, UTF-8 only, 2048 levels at most.
///
/// Members and elements are the same values that the document holds: a change of one is a change of
/// the document. For writing a line of JSON, `JSONText` is enough.
@safe
package final class JSONValue {
  /// What is read beyond RFC 8259's objects and arrays, or refused.
  package struct Options: OptionSet {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    // The standard library's own looks up conformances, which takes longer than a small document.
    package init(arrayLiteral options: Options...) {
      rawValue = options.reduce(0) { $0 | $1.rawValue }
    }

    /// A document may be any value, not only an object or an array.
    package static let anyValue = Options(rawValue: Int(JSON_DECODE_ANY))
    /// A string may hold `\u0000`.
    package static let nul = Options(rawValue: Int(JSON_ALLOW_NUL))
    /// An integer is read as a real, whose range is wider.
    package static let integersAsReals = Options(rawValue: Int(JSON_DECODE_INT_AS_REAL))
    /// An object with the same key twice is an error; otherwise the last one counts.
    package static let uniqueKeys = Options(rawValue: Int(JSON_REJECT_DUPLICATES))
  }

  /// Where and why bytes are no JSON, as Jansson tells it.
  package struct SyntaxError: Error {
    package let reason: String
    /// From 1.
    package let line: Int
    /// From 1, in characters.
    package let column: Int
    /// In bytes from the start, where reading stopped.
    package let offset: Int
    package let isNumberTooLarge: Bool
    package let isRepeatedKey: Bool
    package var place: String { "line \(line), column \(column)" }

    fileprivate init(_ error: json_error_t) {
      reason = unsafe withUnsafeBytes(of: error.text) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      line = Int(error.line)
      column = Int(error.column)
      offset = Int(error.position)
      var error = error
      let code = unsafe json_error_code(&error)
      isNumberTooLarge = code == json_error_numeric_overflow
      isRepeatedKey = code == json_error_duplicate_key
    }
  }

  /// The content of a value; an array's and an object's is asked for by ``elements`` and
  /// ``members``.
  package enum Content {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case array
    case object
  }

  private let value: UnsafeMutablePointer<json_t>

  /// Takes over a reference that the caller owns.
  private init(owning value: UnsafeMutablePointer<json_t>) { unsafe self.value = value }

  /// Shares a value that a document holds.
  private init(sharing value: UnsafeMutablePointer<json_t>) {
    unsafe self.value = unsafe json_incref(value)
  }

  deinit { unsafe json_decref(value) }

  /// Reads a document. Jansson's limit of 2048 levels bounds the stack.
  ///
  /// The corresponding C function is `json_loadb`.
  package static func parse(
    _ json: ArraySlice<UInt8>, _ options: Options = []
  ) throws(SyntaxError) -> JSONValue {
    var error = json_error_t()
    let root = unsafe json.withUnsafeBytes { bytes in
      unsafe json_loadb(bytes.baseAddress, bytes.count, options.rawValue, &error)
    }
    guard let root = unsafe root else { throw SyntaxError(error) }
    return unsafe JSONValue(owning: root)
  }

  package var content: Content {
    switch unsafe value.pointee.type {
    case JSON_NULL: .null
    case JSON_TRUE: .boolean(true)
    case JSON_FALSE: .boolean(false)
    case JSON_INTEGER: unsafe .integer(Int64(json_integer_value(value)))
    case JSON_REAL: unsafe .real(json_real_value(value))
    case JSON_STRING: .string(text ?? "")
    case JSON_ARRAY: .array
    default: .object
    }
  }

  package var isNull: Bool { unsafe value.pointee.type == JSON_NULL }
  package var isArray: Bool { unsafe value.pointee.type == JSON_ARRAY }
  package var isObject: Bool { unsafe value.pointee.type == JSON_OBJECT }

  /// The text of a string; `nil` for other values.
  package var text: String? { unsafe Self.text(value) }

  /// The type in words: "a string", "null".
  package var kind: String {
    switch unsafe value.pointee.type {
    case JSON_NULL: "null"
    case JSON_TRUE, JSON_FALSE: "a boolean"
    case JSON_INTEGER, JSON_REAL: "a number"
    case JSON_STRING: "a string"
    case JSON_ARRAY: "an array"
    default: "an object"
    }
  }

  /// An array's elements; none of other values.
  package var elements: some Sequence<JSONValue> {
    unsafe (0..<json_array_size(value)).lazy.compactMap { position in
      unsafe json_array_get(self.value, position).map { unsafe JSONValue(sharing: $0) }
    }
  }

  /// How many members an object has; 0 for other values.
  package var memberCount: Int { unsafe json_object_size(value) }

  /// An object's members in their order; none of other values.
  package var members: [(key: String, value: JSONValue)] {
    unsafe entries { key, member in (key, unsafe JSONValue(sharing: member)) }
  }

  /// The keys of an object in their order; none of other values.
  package var keys: [String] { unsafe entries { key, _ in key } }

  private func entries<Entry>(
    _ entry: (String, UnsafeMutablePointer<json_t>) -> Entry
  ) -> [Entry] {
    var entries: [Entry] = []
    var iterator = unsafe json_object_iter(value)
    while let position = unsafe iterator {
      if let key = unsafe json_object_iter_key(position),
        let member = unsafe json_object_iter_value(position)
      {
        let name = unsafe Self.string(key, json_object_iter_key_len(position))
        entries.append(unsafe entry(name, member))
      }
      unsafe iterator = json_object_iter_next(value, position)
    }
    return entries
  }

  /// A member of an object; `nil` if there is none, and for other values.
  package subscript(key: String) -> JSONValue? {
    unsafe json_object_get(value, key).map { unsafe JSONValue(sharing: $0) }
  }

  /// Something else than a string where one was asked for.
  package struct OtherType: Error {
    /// What it is, as `JSONValue.kind` says it.
    package let kind: String
  }

  /// The text of an object's member, for which no value is made; `nil` if there is none.
  package func text(of key: String) throws(OtherType) -> String? {
    guard let member = unsafe json_object_get(value, key) else { return nil }
    guard let text = unsafe Self.text(member) else {
      throw OtherType(kind: unsafe JSONValue(sharing: member).kind)
    }
    return text
  }

  private static func text(_ value: UnsafeMutablePointer<json_t>) -> String? {
    guard unsafe value.pointee.type == JSON_STRING, let text = unsafe json_string_value(value)
    else { return nil }
    return unsafe string(text, json_string_length(value))
  }

  private static func string(_ text: UnsafePointer<CChar>, _ length: Int) -> String {
    unsafe String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
  }
}

// Changing a document, and writing it whole.
extension JSONValue {
  /// A new object without members; `nil` if memory is short, as for all that is made here.
  package static func object() -> JSONValue? {
    unsafe json_object().map { unsafe .init(owning: $0) }
  }

  /// A new array of strings.
  package static func array(_ texts: [String] = []) -> JSONValue? {
    guard let array = unsafe json_array().map({ unsafe JSONValue(owning: $0) }) else { return nil }
    for text in texts { if let text = string(text) { array.append(text) } }
    return array
  }

  package static func boolean(_ value: Bool) -> JSONValue? {
    unsafe (value ? json_true() : json_false()).map { unsafe .init(owning: $0) }
  }

  package static func string(_ text: String) -> JSONValue? {
    var text = text
    let value = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
        unsafe json_stringn(bytes.baseAddress, bytes.count)
      }
    }
    return unsafe value.map { unsafe .init(owning: $0) }
  }

  /// Sets a member of an object.
  ///
  /// - Returns: whether the object could be changed.
  @discardableResult
  package func set(_ key: String, to member: JSONValue?) -> Bool {
    guard let member else { return false }
    return unsafe json_object_set(value, key, member.value) == 0
  }

  /// Removes a member of an object.
  ///
  /// - Returns: whether there was one.
  package func remove(_ key: String) -> Bool { unsafe json_object_del(value, key) == 0 }

  package func append(_ element: JSONValue) { unsafe json_array_append(value, element.value) }

  package func removeElement(at position: Int) { unsafe json_array_remove(value, position) }

  /// The value as JSON on lines of their own, two spaces a level, with a line end; `nil` if memory
  /// is short.
  package var indented: [UInt8]? {
    // The lowest five bits of the flags are the spaces of a level.
    let indent = 2
    let size = unsafe json_dumpb(value, nil, 0, indent)
    guard size > 0 else { return nil }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
        count = unsafe min(size, json_dumpb(value, buffer.baseAddress, size, indent))
      }
    }
    return bytes + [UInt8(ascii: "\n")]
  }
}

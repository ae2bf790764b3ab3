internal import CJansson
internal import CommandLineInterface
internal import DocumentSource
internal import LinuxSystem
internal import TextFormats

/// An entry as one line of JSON. The parser is Jansson: RFC 8259, UTF-8 only, depth 2048 at most.
enum JSONLine {
  static func append(_ entry: ManifestEntry, to text: inout [UInt8]) {
    var members = JSONText.path(entry.path.bytes)
    if let source = Content.source(in: entry.value) {
      let fields = DocumentSource.Field.allCases.compactMap { field in
        source[field].map { (key: field.key, value: JSONText.string($0)) }
      }
      members.append((key: "source", value: JSONText.object(fields)))
    }
    members.append((key: "value", value: JSONText.string(Base64.text(of: entry.value[...]))))
    text += JSONText.ascii(JSONText.object(members)).utf8
    text.append(UInt8(ascii: "\n"))
  }

  /// Reads a line; `nil` where there is nothing in it, or where it says that a file has no source,
  /// as `show --json` does.
  static func entry(
    of line: ArraySlice<UInt8>, by rules: WritingRules
  ) throws(ManifestFailure.Reason) -> ManifestEntry? {
    guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else {
      return nil
    }
    let json = try JSONObject(line)
    let path = try path(json)
    guard let value = try value(json, rules) else { return nil }
    return ManifestEntry(path: path, value: value)
  }

  private static func path(_ json: borrowing JSONObject) throws(ManifestFailure.Reason) -> FilePath
  {
    let text = try json.text("file")
    var bytes = text.map { Array($0.utf8) }
    if let exact = try base64("fileBase64", of: json) {
      guard text.map({ $0 == String(decoding: exact, as: UTF8.self) }) ?? true else {
        throw .member("file", "is another than \"fileBase64\" has")
      }
      bytes = exact
    }
    guard let bytes else { throw .member("file", "is missing") }
    guard let path = FilePath(bytes: bytes) else { throw .badFileName }
    return path
  }

  private static func value(
    _ json: borrowing JSONObject, _ rules: WritingRules
  ) throws(ManifestFailure.Reason) -> [UInt8]? {
    let value = try base64("value", of: json)
    if json.isNull("source") {
      guard value.flatMap(Content.source(in:)) == nil else { throw .disagreement }
      return value
    }
    guard let members = try json.object("source") else {
      guard let value else { throw .member("value", "is missing, and there is no \"source\"") }
      return value
    }
    let source = try source(members)
    if let value {
      guard Content.source(in: value) == source else { throw .disagreement }
      return value
    }
    for field in DocumentSource.Field.allCases {
      guard let text = source[field] else { continue }
      do throws(RefusedValue) {
        try rules.check(text, for: field)
      } catch {
        throw .member(field.key, "cannot be written: \(error.reason)")
      }
    }
    do {
      return try source.encoded()
    } catch {
      throw .member("source", "cannot be written: \(error)")
    }
  }

  private static func source(
    _ json: borrowing JSONObject
  ) throws(ManifestFailure.Reason) -> DocumentSource {
    var source = DocumentSource()
    for field in DocumentSource.Field.allCases { source[field] = try json.text(field.key) }
    if let stranger = json.key(besides: DocumentSource.Field.allCases.map(\.key)) {
      throw .member("source", "has no field \"\(stranger)\"")
    }
    guard !source.isEmpty else { throw .member("source", "has no field") }
    return source
  }

  private static func base64(
    _ key: String, of json: borrowing JSONObject
  ) throws(ManifestFailure.Reason) -> [UInt8]? {
    guard let text = try json.text(key) else { return nil }
    guard let bytes = Base64.bytes(of: Array(text.utf8)[...]) else {
      throw .member(key, "is not Base64")
    }
    return bytes
  }
}

/// A JSON object and its members, as Jansson has read them.
@safe
struct JSONObject: ~Copyable {
  private let object: UnsafeMutablePointer<json_t>

  /// Parses a text that is an object and nothing else.
  init(_ text: ArraySlice<UInt8>) throws(ManifestFailure.Reason) {
    var error = json_error_t()
    let flags = Int(JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL)
    let parsed = unsafe text.withUnsafeBytes { bytes in
      unsafe json_loadb(bytes.baseAddress, bytes.count, flags, &error)
    }
    guard let parsed = unsafe parsed else {
      let words = unsafe withUnsafeBytes(of: error.text) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw .syntax(column: Int(error.column), words)
    }
    guard unsafe parsed.pointee.type == JSON_OBJECT else {
      unsafe json_decref(parsed)
      throw .syntax(column: 1, "it is an array")
    }
    unsafe object = parsed
  }

  /// Shares a member of another object.
  private init(sharing object: UnsafeMutablePointer<json_t>) {
    unsafe self.object = unsafe json_incref(object)
  }

  deinit { unsafe json_decref(object) }

  /// The text of a member; `nil` where it is missing.
  func text(_ key: String) throws(ManifestFailure.Reason) -> String? {
    guard let member = unsafe json_object_get(object, key) else { return nil }
    guard unsafe member.pointee.type == JSON_STRING, let text = unsafe json_string_value(member)
    else { throw .member(key, "is no string") }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: json_string_length(member))
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a member is there and null.
  func isNull(_ key: String) -> Bool {
    guard let member = unsafe json_object_get(object, key) else { return false }
    return unsafe member.pointee.type == JSON_NULL
  }

  /// The object that a member is; `nil` where it is missing.
  func object(_ key: String) throws(ManifestFailure.Reason) -> JSONObject? {
    guard let member = unsafe json_object_get(object, key) else { return nil }
    guard unsafe member.pointee.type == JSON_OBJECT else { throw .member(key, "is no object") }
    return unsafe JSONObject(sharing: member)
  }

  /// A key that is none of those known.
  func key(besides known: [String]) -> String? {
    var iterator = unsafe json_object_iter(object)
    while let member = unsafe iterator {
      if let text = unsafe json_object_iter_key(member) {
        let length = unsafe json_object_iter_key_len(member)
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
        let key = unsafe String(decoding: bytes, as: UTF8.self)
        if !known.contains(key) { return key }
      }
      unsafe iterator = json_object_iter_next(object, member)
    }
    return nil
  }
}

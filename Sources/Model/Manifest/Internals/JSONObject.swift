internal import CJansson

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

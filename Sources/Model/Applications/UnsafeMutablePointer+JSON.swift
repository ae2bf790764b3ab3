package import CJansson

/// A value of Jansson's.
extension UnsafeMutablePointer where Pointee == json_t {
  /// Reads JSON with Jansson, whose depth limit of 2048 bounds the stack.
  ///
  /// - Parameter flags: those of `json_loadb`.
  /// - Returns: a new reference.
  package static func parse(_ json: [UInt8], flags: Int) throws(JSONSyntaxError)
    -> UnsafeMutablePointer<json_t>
  {
    var error = json_error_t()
    let root = unsafe json.withUnsafeBytes { bytes in
      unsafe json_loadb(bytes.baseAddress, bytes.count, flags, &error)
    }
    if let root = unsafe root { return unsafe root }
    let reason = unsafe withUnsafeBytes(of: error.text) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let code = unsafe json_error_code(&error)
    throw JSONSyntaxError(
      reason: reason, line: Int(error.line), column: Int(error.column),
      offset: Int(error.position),
      isNumberTooLarge: code == json_error_numeric_overflow,
      isRepeatedKey: code == json_error_duplicate_key)
  }

  /// The text of a string; `nil` for other values.
  package var text: String? {
    guard unsafe pointee.type == JSON_STRING, let text = unsafe json_string_value(self) else {
      return nil
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: json_string_length(self))
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// It as JSON on lines of its own, two spaces a level; `nil` where memory is short.
  package var indented: [UInt8]? {
    // The lowest five bits of the flags are the spaces of a level.
    let indent = 2
    let size = unsafe json_dumpb(self, nil, 0, indent)
    guard size > 0 else { return nil }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      unsafe buffer.withMemoryRebound(to: CChar.self) { buffer in
        count = unsafe min(size, json_dumpb(self, buffer.baseAddress, size, indent))
      }
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  /// What it is, in words.
  package var kind: String {
    switch unsafe pointee.type {
    case JSON_NULL: "null"
    case JSON_TRUE, JSON_FALSE: "a boolean"
    case JSON_INTEGER, JSON_REAL: "a number"
    case JSON_STRING: "a string"
    case JSON_ARRAY: "an array"
    default: "an object"
    }
  }
}

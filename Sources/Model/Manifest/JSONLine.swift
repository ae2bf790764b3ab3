internal import DocumentSource
internal import JSON
internal import LinuxSystem
internal import TextFormats

/// An entry as one line of JSON.
enum JSONLine {
  static func append(_ entry: ManifestEntry, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "{"))
    JSONText.appendPath(entry.path.bytes, to: &text, .ascii)
    if let source = Content.source(in: entry.converted ?? entry.value) {
      text += ",\"source\":".utf8
      var lead = UInt8(ascii: "{")
      for field in DocumentSource.Field.allCases {
        guard let value = source[field] else { continue }
        text.append(lead)
        JSONText.append(field.key, to: &text, .ascii)
        text.append(UInt8(ascii: ":"))
        JSONText.append(value, to: &text, .ascii)
        lead = UInt8(ascii: ",")
      }
      text.append(UInt8(ascii: "}"))
    }
    text += ",\"value\":\"".utf8
    Base64.append(entry.value[...], to: &text)
    text += "\"}\n".utf8
  }

  /// Reads a line; `nil` if it is empty, or says that a file has no source, as the lines of
  /// `show --json` may.
  static func entry(
    of line: ArraySlice<UInt8>, by rules: WritingRules
  ) throws(ManifestFailure.Reason) -> ManifestEntry? {
    let plain = unsafe line.withUnsafeBufferPointer { unsafe PlainManifest.entry(at: $0, nil) }
    if let plain { return plain.entry }
    guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else {
      return nil
    }
    let object: JSONObject?
    do throws(JSONValue.SyntaxError) {
      object = try JSONObject.parse(line)
    } catch {
      throw .syntax(column: error.column, error.reason)
    }
    guard let json = object else { throw .syntax(column: 1, "found an array") }
    let path = try path(json)
    return try value(json, rules).map { ManifestEntry(path: path, value: $0) }
  }

  private static func path(_ json: JSONObject) throws(ManifestFailure.Reason) -> FilePath {
    let text = try text("file", of: json)
    var bytes = text.map { Array($0.utf8) }
    if let exact = try base64("fileBase64", of: json) {
      guard text.map({ $0 == String(decoding: exact, as: UTF8.self) }) ?? true else {
        throw .member("file", "differs from \"fileBase64\"")
      }
      bytes = exact
    }
    guard let bytes else { throw .member("file", "is missing") }
    guard let path = FilePath(bytes: bytes) else { throw .badFileName }
    return path
  }

  private static func value(
    _ json: JSONObject, _ rules: WritingRules
  ) throws(ManifestFailure.Reason) -> [UInt8]? {
    let value = try base64("value", of: json)
    guard let member = json["source"] else {
      guard let value else { throw .member("value", "is missing, and there is no \"source\"") }
      return value
    }
    if case .null = member {
      guard value.flatMap(Content.source(in:)) == nil else { throw .disagreement }
      return value
    }
    guard case .object(let fields) = member else { throw .member("source", "is not an object") }
    let source = try source(fields)
    if let value {
      // What XML says is not known here; the value counts.
      guard Content.source(in: value) == source || AttributeValue.isXML(value) else {
        throw .disagreement
      }
      return value
    }
    for field in DocumentSource.Field.allCases {
      guard let text = source[field] else { continue }
      do throws(RefusedValue) {
        try rules.check(text, for: field)
      } catch {
        throw .member(field.key, "cannot be written: \(error.reason)", error.remedy)
      }
    }
    do {
      return try source.encoded()
    } catch {
      throw .member("source", "cannot be written: \(error)")
    }
  }

  private static func source(_ json: JSONObject) throws(ManifestFailure.Reason) -> DocumentSource {
    var source = DocumentSource()
    var known = 0
    for field in DocumentSource.Field.allCases {
      guard let text = try text(field.key, of: json) else { continue }
      source[field] = text
      known += 1
    }
    if known < json.memberCount,
      let unknown = json.keys.first(where: { DocumentSource.Field(rawValue: $0) == nil })
    {
      throw .member("source", "has an unknown field \"\(unknown)\"")
    }
    guard !source.isEmpty else { throw .member("source", "has no field") }
    return source
  }

  private static func base64(
    _ key: String, of json: JSONObject
  ) throws(ManifestFailure.Reason) -> [UInt8]? {
    guard let text = try text(key, of: json) else { return nil }
    guard let bytes = Base64.bytes(of: text) else {
      throw .member(key, "is not Base64")
    }
    return bytes
  }

  /// The text of a member; `nil` if it is missing.
  private static func text(
    _ key: String, of json: JSONObject
  ) throws(ManifestFailure.Reason) -> String? {
    switch json[key] {
    case nil: return nil
    case .text(let text): return text
    default: throw .member(key, "is not a string")
    }
  }
}

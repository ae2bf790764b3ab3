internal import DocumentSource
internal import JSON
internal import LinuxSystem
internal import TextFormats

/// An entry as one line of JSON.
enum JSONLine {
  private static let options: JSONValue.Options = [.uniqueKeys, .nul]

  static func append(_ entry: ManifestEntry, to text: inout [UInt8]) {
    var members = JSONText.path(entry.path.bytes)
    if let source = Content.source(in: entry.converted ?? entry.value) {
      let fields = DocumentSource.Field.allCases.compactMap { field in
        source[field].map { (key: field.key, value: JSONText.string($0)) }
      }
      members.append((key: "source", value: JSONText.object(fields)))
    }
    members.append((key: "value", value: JSONText.string(Base64.text(of: entry.value[...]))))
    text += JSONText.ascii(JSONText.object(members)).utf8
    text.append(UInt8(ascii: "\n"))
  }

  /// Reads a line; `nil` where it is empty, or says that a file has no source, as the lines of
  /// `show --json` may.
  static func entry(
    of line: ArraySlice<UInt8>, by rules: WritingRules
  ) throws(ManifestFailure.Reason) -> ManifestEntry? {
    guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else {
      return nil
    }
    let json: JSONValue
    do throws(JSONValue.SyntaxError) {
      json = try JSONValue.parse(line, options)
    } catch {
      throw .syntax(column: error.column, error.reason)
    }
    guard json.isObject else { throw .syntax(column: 1, "found an array") }
    let path = try path(json)
    return try value(json, rules).map { ManifestEntry(path: path, value: $0) }
  }

  private static func path(_ json: JSONValue) throws(ManifestFailure.Reason) -> FilePath {
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
    _ json: JSONValue, _ rules: WritingRules
  ) throws(ManifestFailure.Reason) -> [UInt8]? {
    let value = try base64("value", of: json)
    guard let member = json["source"] else {
      guard let value else { throw .member("value", "is missing, and there is no \"source\"") }
      return value
    }
    if member.isNull {
      guard value.flatMap(Content.source(in:)) == nil else { throw .disagreement }
      return value
    }
    guard member.isObject else { throw .member("source", "is not an object") }
    let source = try source(member)
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

  private static func source(_ json: JSONValue) throws(ManifestFailure.Reason) -> DocumentSource {
    var source = DocumentSource()
    var known = 0
    for field in DocumentSource.Field.allCases {
      guard let text = try text(field.key, of: json) else { continue }
      source[field] = text
      known += 1
    }
    if known < json.memberCount,
      let stranger = json.keys.first(where: { DocumentSource.Field(rawValue: $0) == nil })
    {
      throw .member("source", "has an unknown field \"\(stranger)\"")
    }
    guard !source.isEmpty else { throw .member("source", "has no field") }
    return source
  }

  private static func base64(
    _ key: String, of json: JSONValue
  ) throws(ManifestFailure.Reason) -> [UInt8]? {
    guard let text = try text(key, of: json) else { return nil }
    guard let bytes = Base64.bytes(of: Array(text.utf8)[...]) else {
      throw .member(key, "is not Base64")
    }
    return bytes
  }

  /// The text of a member; `nil` where it is missing.
  private static func text(
    _ key: String, of json: JSONValue
  ) throws(ManifestFailure.Reason) -> String? {
    do throws(JSONValue.OtherType) {
      return try json.text(of: key)
    } catch {
      throw .member(key, "is not a string")
    }
  }
}

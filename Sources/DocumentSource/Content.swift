internal import BinaryPropertyList

/// What a value of the attribute says.
public enum Content: Hashable, Sendable {
  /// At least one of the four fields is there. Keys that hold no string are told beside it.
  case source(DocumentSource, mistyped: [MistypedField])
  case none(Absence)

  /// In the order of `DocumentSource.Field.allCases`.
  private static let lookup = Lookup(
    LookupKey("identifier"), LookupKey("name"), LookupKey("path"), LookupKey("appInfoURL"))

  /// Reads the attribute's bytes.
  ///
  /// Only the four fields are read, and strings are all that is made; damage elsewhere in the value
  /// goes unnoticed. One NUL behind the value is passed over, as Samba adds it.
  ///
  /// - Throws: `DamagedValue` for bytes that are no binary property list, or damaged where the
  ///   fields stand.
  public init(of bytes: [UInt8]) throws(DamagedValue) {
    if StoredValue.isEmpty(bytes) {
      self = .none(.empty)
      return
    }
    do throws(DecodingFailure) {
      try self.init(reading: unsafe bytes.span.bytes)
    } catch {
      throw DamagedValue(failure: error, bytes: bytes)
    }
  }

  @inline(__always)
  private init(reading bytes: RawSpan) throws(DecodingFailure) {
    let found = try Self.lookup.find(in: bytes, options: AttributeValue.tolerant)
    guard found.root == .dictionary else {
      self = .none(.notDictionary(kind: found.root.withArticle))
      return
    }
    var mistyped: [MistypedField] = []
    var hasField = false
    for position in 0..<4 {
      switch found[position] {
      case .absent: break
      case .string: hasField = true
      case .other(let kind):
        let field = DocumentSource.Field.allCases[position]
        mistyped.append(MistypedField(field: field, kind: kind.withArticle))
      }
    }
    guard hasField else {
      self = .none(.noField(mistyped: mistyped))
      return
    }
    let identifier = try Self.text(found[0], in: bytes)
    let name = try Self.text(found[1], in: bytes)
    let path = try Self.text(found[2], in: bytes)
    let appInfoURL = try Self.text(found[3], in: bytes)
    self = .source(
      DocumentSource(identifier: identifier, name: name, path: path, appInfoURL: appInfoURL),
      mistyped: mistyped)
  }

  private static func text(
    _ value: LookupValue, in bytes: RawSpan
  ) throws(DecodingFailure) -> String? {
    guard case .string(let range) = value else { return nil }
    return try range.string(in: bytes)
  }
}

extension ObjectKind {
  /// The kind for a sentence: `an integer`.
  fileprivate var withArticle: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .wideInteger: "an integer"
    case .float, .real: "a real number"
    case .date: "a date"
    case .data: "data"
    case .string: "a string"
    case .uid: "a UID"
    case .array: "an array"
    case .orderedSet: "an ordered set"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}

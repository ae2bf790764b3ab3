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
      self = unsafe try Content(of: bytes.span.bytes)
    } catch {
      throw DamagedValue(failure: error, bytes: bytes)
    }
  }

  private init(of bytes: RawSpan) throws(DecodingFailure) {
    let found = try Self.lookup.find(in: bytes, options: AttributeValue.tolerant)
    guard found.root == .dictionary else {
      self = .none(.notDictionary(kind: found.root.withArticle))
      return
    }
    var source = DocumentSource()
    var mistyped: [MistypedField] = []
    for (position, field) in DocumentSource.Field.allCases.enumerated() {
      switch found[position] {
      case .absent: break
      case .string(let range): source[field] = try range.string(in: bytes)
      case .other(let kind):
        mistyped.append(MistypedField(field: field, kind: kind.withArticle))
      }
    }
    self =
      source.isEmpty
      ? .none(.noField(mistyped: mistyped)) : .source(source, mistyped: mistyped)
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

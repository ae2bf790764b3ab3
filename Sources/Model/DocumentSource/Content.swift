internal import BinaryPropertyList

/// What a value of the attribute says.
public enum Content: Hashable, Sendable {
  /// At least one of the four fields is there. Keys that hold no string are told beside it.
  case source(DocumentSource, mistyped: [MistypedField])
  case none(Absence)

  /// In the order of `DocumentSource.Field.allCases`.
  static let lookup = Lookup(
    ShortKey("identifier"), ShortKey("name"), ShortKey("path"), ShortKey("appInfoURL"))

  /// Reads the attribute's bytes.
  ///
  /// Only the four fields are read, and strings are all that is made; damage elsewhere in the value
  /// goes unnoticed. One NUL behind the value is passed over, as Samba adds it.
  ///
  /// - Throws: `DamagedValue` for bytes that are no binary property list, or damaged where the
  ///   fields stand.
  public init(of bytes: [UInt8]) throws(DamagedValue) {
    self = try Self.read(bytes)
  }

  /// The source that a value holds; `nil` where it holds none or is damaged.
  public static func source(in bytes: [UInt8]) -> DocumentSource? {
    do throws(DamagedValue) {
      guard case .source(let source, _) = try Content(of: bytes) else { return nil }
      return source
    } catch {
      return nil
    }
  }

  @inline(__always)
  private static func read(_ bytes: [UInt8]) throws(DamagedValue) -> Content {
    if StoredValue.isEmpty(bytes) { return .none(.empty) }
    do throws(DecodingFailure) {
      return try read(unsafe bytes.span.bytes)
    } catch {
      throw DamagedValue(failure: error, bytes: bytes)
    }
  }

  @inline(__always)
  private static func read(_ bytes: RawSpan) throws(DecodingFailure) -> Content {
    let found = try lookup.find(in: bytes, options: AttributeValue.tolerant)
    guard found.hasString else { return withoutField(found) }
    let mistyped = found.hasOther ? mistyped(in: found) : []
    return .source(
      DocumentSource(
        identifier: try found.string(0, in: bytes), name: try found.string(1, in: bytes),
        path: try found.string(2, in: bytes), appInfoURL: try found.string(3, in: bytes)),
      mistyped: mistyped)
  }

  /// Reads some fields only; the others are checked and left out of the source.
  ///
  /// - Throws: As `init(of:)`.
  init(_ fields: DocumentSource.FieldSet, of bytes: Span<UInt8>) throws(DamagedValue) {
    if bytes.isEmpty || (bytes.count == 1 && bytes[0] == 0) {
      self = .none(.empty)
      return
    }
    do throws(DecodingFailure) {
      self = try Self.read(fields, unsafe bytes.bytes)
    } catch {
      let copy = bytes.indices.map { bytes[$0] }
      throw DamagedValue(failure: error, bytes: copy)
    }
  }

  @inline(__always)
  private static func read(
    _ fields: DocumentSource.FieldSet, _ bytes: RawSpan
  ) throws(DecodingFailure) -> Content {
    if fields == .all { return try read(bytes) }
    let found = try lookup.find(in: bytes, options: AttributeValue.tolerant)
    guard found.hasString else { return withoutField(found) }
    var source = DocumentSource()
    for (position, field) in DocumentSource.Field.allCases.enumerated() {
      if fields.contains(field) {
        source[field] = try found.string(position, in: bytes)
      } else {
        try found.check(position, in: bytes)
      }
    }
    return .source(source, mistyped: found.hasOther ? mistyped(in: found) : [])
  }

  @inline(never)
  private static func withoutField(_ found: LookupResult) -> Content {
    found.root == .dictionary
      ? .none(.noField(mistyped: mistyped(in: found)))
      : .none(.notDictionary(kind: found.root.withArticle))
  }

  /// The fields that hold no string.
  @inline(never)
  private static func mistyped(in found: LookupResult) -> [MistypedField] {
    DocumentSource.Field.allCases.enumerated().compactMap { position, field in
      guard case .other(let kind) = found[position] else { return nil }
      return MistypedField(field: field, kind: kind.withArticle)
    }
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

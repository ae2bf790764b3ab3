public import BinaryPropertyList
internal import Glibc

/// What a value of the attribute says.
public enum Content: Hashable, Sendable {
  /// The value has at least one of the four fields. Keys of fields that hold no string are listed.
  case source(DocumentSource, mistyped: [MistypedField])
  case none(Absence)

  /// In the order of `DocumentSource.Field.allCases`.
  static let lookup = Lookup(
    ShortKey("identifier"), ShortKey("name"), ShortKey("path"), ShortKey("appInfoURL"))

  /// Reads the attribute's bytes.
  ///
  /// Only the four fields are read and made into strings; damage elsewhere in the value goes
  /// unnoticed. One NUL after the value is ignored, as Samba adds it; so are flaws that the readers
  /// on Apple's systems pass over, which `flaw(in:)` tells.
  ///
  /// - Throws: `DamagedValue` for bytes that are no binary property list, or damaged where the
  ///   fields stand.
  public init(of bytes: [UInt8]) throws(DamagedValue) {
    if StoredValue.isEmpty(bytes) {
      self = .none(.empty)
      return
    }
    do throws(DecodingFailure) {
      self = try Self.read(unsafe bytes.span.bytes, AttributeValue.tolerant)
    } catch {
      let failure = error
      do throws(DecodingFailure) {
        self = try Self.readFlawed(unsafe bytes.span.bytes)
      } catch {
        throw DamagedValue(failure: failure, bytes: bytes)
      }
    }
  }

  /// Reads a value as the readers on Apple's systems do.
  @inline(never)
  private static func readFlawed(_ bytes: RawSpan) throws(DecodingFailure) -> Content {
    try read(bytes, AttributeValue.lenient)
  }

  /// What is wrong anywhere in a value that is read all the same; `nil` if nothing is, or the value
  /// cannot be read.
  public static func flaw(in bytes: [UInt8]) -> DecodingFailure? {
    if StoredValue.isEmpty(bytes) { return nil }
    do throws(DecodingFailure) {
      try PropertyList.check(binary: unsafe bytes.span.bytes, options: AttributeValue.tolerant)
      return nil
    } catch {
      if AttributeValue.decoded(bytes, AttributeValue.lenient) != nil { return error }
    }
    // Where the whole cannot be read, only the fields count.
    do throws(DecodingFailure) {
      let span = unsafe bytes.span.bytes
      try lookup.find(in: span, options: AttributeValue.tolerant).checkAll(in: span)
      return nil
    } catch {
      return (try? readFlawed(unsafe bytes.span.bytes)) == nil ? nil : error
    }
  }

  /// The source that a value holds; `nil` if it holds none or is damaged.
  public static func source(in bytes: [UInt8]) -> DocumentSource? {
    guard case .source(let source, _)? = try? Content(of: bytes) else { return nil }
    return source
  }

  /// Whether a value has these fields and no other: texts of ASCII, in the order of
  /// `DocumentSource.Field.allCases`.
  ///
  /// - Returns: `false` also where a closer look is needed.
  package static func hasFields(
    _ texts: InlineArray<4, UnsafeBufferPointer<UInt8>?>, in value: [UInt8]
  ) -> Bool {
    let found: LookupResult
    do throws(DecodingFailure) {
      found = try lookup.find(in: unsafe value.span.bytes, options: AttributeValue.tolerant)
    } catch {
      return false
    }
    guard found.hasString, !found.hasOther else { return false }
    return unsafe value.withUnsafeBytes { value in
      for position in unsafe texts.indices {
        switch (found[position], unsafe texts[position]) {
        case (.absent, nil): continue
        case (.string(let range), let text?):
          guard range.encoding != .utf16, range.byteCount == text.count,
            let one = value.baseAddress, let other = text.baseAddress,
            unsafe memcmp(one + range.offset, other, text.count) == 0
          else { return false }
        default: return false
        }
      }
      return true
    }
  }

  @inline(__always)
  private static func read(
    _ bytes: RawSpan, _ options: DecodingOptions
  ) throws(DecodingFailure) -> Content {
    let found = try lookup.find(in: bytes, options: options)
    guard found.hasString else { return withoutField(found) }
    return .source(
      DocumentSource(
        identifier: try found.string(0, in: bytes, options: options),
        name: try found.string(1, in: bytes, options: options),
        path: try found.string(2, in: bytes, options: options),
        appInfoURL: try found.string(3, in: bytes, options: options)),
      mistyped: found.hasOther ? mistyped(in: found) : [])
  }

  /// Reads some fields only; the others are checked and left out of the source.
  ///
  /// - Throws: As `init(of:)`.
  init(_ fields: DocumentSource.FieldSet, of bytes: Span<UInt8>) throws(DamagedValue) {
    if StoredValue.isEmpty(bytes) {
      self = .none(.empty)
      return
    }
    do throws(DecodingFailure) {
      self = try Self.read(fields, unsafe bytes.bytes)
    } catch {
      let failure = error
      do throws(DecodingFailure) {
        self = try Self.readFlawed(unsafe bytes.bytes).reduced(to: fields)
      } catch {
        throw DamagedValue(failure: failure, bytes: bytes.indices.map { bytes[$0] })
      }
    }
  }

  @inline(__always)
  private static func read(
    _ fields: DocumentSource.FieldSet, _ bytes: RawSpan
  ) throws(DecodingFailure) -> Content {
    if fields == .all { return try read(bytes, AttributeValue.tolerant) }
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

  /// The content with some fields only.
  func reduced(to fields: DocumentSource.FieldSet) -> Content {
    guard case .source(var source, let mistyped) = self else { return self }
    for field in DocumentSource.Field.allCases where !fields.contains(field) {
      source[field] = nil
    }
    return .source(source, mistyped: mistyped)
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

/// Why a file that could be read has no document source.
public enum Absence: Hashable, Sendable, CustomStringConvertible {
  /// No carrier of the attribute is there.
  case noAttribute
  /// The attribute has an empty value: no byte, or the one NUL that Samba leaves when a write did
  /// not fit.
  case empty
  /// The value is a property list, but no dictionary.
  case notDictionary(kind: String)
  /// A dictionary with none of the four keys holding a string.
  case noField(mistyped: [MistypedField])

  /// In words that follow a file's name.
  public var description: String {
    switch self {
    case .noAttribute: "no document source"
    case .empty: "no document source: the attribute is empty"
    case .notDictionary(let kind):
      "no document source: the attribute holds \(kind), not a dictionary"
    case .noField(let mistyped):
      "no document source: the attribute has no string value for "
        + DocumentSource.Field.allCases.map(\.key).joined(separator: ", ")
        + (mistyped.isEmpty ? "" : " (\(mistyped.map(\.description).joined(separator: ", ")))")
    }
  }
}

/// A field that does not count because its key holds no string.
public struct MistypedField: Hashable, Sendable, CustomStringConvertible {
  public let field: DocumentSource.Field
  /// What it holds, with its article: `an integer`.
  public let kind: String

  public var description: String { "\(field.key) is \(kind), not a string" }
}

/// A value that is not a readable binary property list.
public struct DamagedValue: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and at which byte.
  public let failure: DecodingFailure
  /// The format that the bytes look like instead, with its article, where one can be recognized.
  public let guess: String?
  private static let xml = "an XML property list"

  /// Whether the value looks like an XML property list.
  var isOfXML: Bool { guess == Self.xml }

  init(failure: DecodingFailure, bytes: [UInt8]) {
    self.failure = failure
    guess = Self.guess(bytes)
  }

  private static func guess(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: "bplist".utf8) { return nil }
    if AttributeValue.isXML(bytes) { return xml }
    let text = bytes.drop { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
    if text.first == UInt8(ascii: "{") { return "JSON or an old-style property list" }
    return String(validating: bytes, as: UTF8.self) == nil ? nil : "plain text"
  }

  public var description: String {
    "the attribute is damaged: " + (guess.map { "\($0), " } ?? "") + failure.description
  }
}

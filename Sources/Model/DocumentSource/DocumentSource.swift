public import BinaryPropertyList

/// Which application a document came from, according to `x-document-source`.
///
/// The attribute's value is a binary property list: a dictionary with up to four strings. A reader
/// accepts a key only if it holds a string.
public struct DocumentSource: Hashable, Sendable {
  private var fields: Fields

  public init(
    identifier: String? = nil, name: String? = nil, path: String? = nil, appInfoURL: String? = nil
  ) {
    self.init(
      fields: Fields(identifier: identifier, name: name, path: path, appInfoURL: appInfoURL))
  }

  private init(fields: Fields) { self.fields = fields }

  /// The source application's reverse-DNS bundle identifier: `com.appliedphasor.working-copy`.
  public var identifier: String? {
    get { fields.identifier }
    set { fields.identifier = newValue }
  }

  /// The application's name for people: `Working Copy`.
  public var name: String? {
    get { fields.name }
    set { fields.name = newValue }
  }

  /// The document's path inside the application, relative to the application's root.
  public var path: String? {
    get { fields.path }
    set { fields.path = newValue }
  }

  /// An https URL of JSON that lists the application's icons.
  public var appInfoURL: String? {
    get { fields.appInfoURL }
    set { fields.appInfoURL = newValue }
  }

  /// Whether all four fields are missing, which is the same as having no source.
  public var isEmpty: Bool {
    identifier == nil && name == nil && path == nil && appInfoURL == nil
  }

  /// One of the four by its key.
  public subscript(field: Field) -> String? {
    get {
      switch field {
      case .identifier: identifier
      case .name: name
      case .path: path
      case .appInfoURL: appInfoURL
      }
    }
    set {
      switch field {
      case .identifier: identifier = newValue
      case .name: name = newValue
      case .path: path = newValue
      case .appInfoURL: appInfoURL = newValue
      }
    }
  }

  /// The stored fields, in a struct whose initialiser the compiler makes: a handwritten one of this
  /// size fills a copy first, which costs a retain and a release of each field.
  private struct Fields: Hashable {
    var identifier: String?
    var name: String?
    var path: String?
    var appInfoURL: String?
  }

  /// The keys of the attribute's dictionary, in the order in which they are written.
  public enum Field: String, CaseIterable, Sendable {
    case identifier, name, path, appInfoURL

    /// The key in the property list.
    public var key: String { rawValue }
  }

  /// Some of the four fields.
  public struct FieldSet: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public init(_ fields: some Sequence<Field>) {
      self.init(rawValue: fields.reduce(0) { $0 | Self.bit(of: $1) })
    }

    public static let all = FieldSet(Field.allCases)

    public func contains(_ field: Field) -> Bool { rawValue & Self.bit(of: field) != 0 }

    private static func bit(of field: Field) -> UInt8 {
      switch field {
      case .identifier: 1
      case .name: 2
      case .path: 4
      case .appInfoURL: 8
      }
    }
  }

  /// The binary property list of the fields that are set, and of nothing else. Equal sources have
  /// equal bytes.
  public func encoded() throws(EncodingFailure) -> [UInt8] { try encoded(mark: nil) }

  /// The same, with a note of watch's, and with another path if one is given.
  func encoded(path: String? = nil, mark: String?) throws(EncodingFailure) -> [UInt8] {
    // Not on the heap, since watch does this for each file.
    var entries = InlineArray<5, FlatEntry>(repeating: FlatEntry(key: "", value: ""))
    var count = 0
    func add(_ text: String?, _ key: ShortKey) {
      guard let text else { return }
      entries[count] = FlatEntry(key: key, value: text)
      count += 1
    }
    add(fields.identifier, Self.keys.identifier)
    add(fields.name, Self.keys.name)
    add(path ?? fields.path, Self.keys.path)
    add(fields.appInfoURL, Self.keys.appInfoURL)
    add(mark, WatchMark.shortKey)
    return try FlatDictionary.bytes(of: entries.span.extracting(0..<count))
  }

  /// They are written in the order of `Field.allCases`.
  private static let keys:
    (identifier: ShortKey, name: ShortKey, path: ShortKey, appInfoURL: ShortKey) = (
      "identifier", "name", "path", "appInfoURL"
    )
}

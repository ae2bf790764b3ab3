/// Which application a document came from, as `x-document-source` tells it.
///
/// The attribute's value is a binary property list: a dictionary with up to four strings. A reader
/// takes a key only if it holds a string.
public struct DocumentSource: Hashable, Sendable {
  private var fields: Fields

  public init(
    identifier: String? = nil, name: String? = nil, path: String? = nil, appInfoURL: String? = nil
  ) {
    self.init(
      fields: Fields(identifier: identifier, name: name, path: path, appInfoURL: appInfoURL))
  }

  private init(fields: Fields) {
    self.fields = fields
  }

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

  /// Whether none of the four is there, which is the same as having no source.
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

  /// The fields as they are kept, for a struct whose initialiser the compiler makes: one of this
  /// size that is written out fills a copy first, which costs a retain and a release of each.
  private struct Fields: Hashable {
    var identifier: String?
    var name: String?
    var path: String?
    var appInfoURL: String?
  }
}

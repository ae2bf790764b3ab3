/// Which application a document came from, as `x-document-source` tells it.
///
/// The attribute's value is a binary property list: a dictionary with up to four strings. A reader
/// takes a key only if it holds a string.
public struct DocumentSource: Hashable, Sendable {
  /// The source application's reverse-DNS bundle identifier: `com.appliedphasor.working-copy`.
  public var identifier: String?
  /// The application's name for people: `Working Copy`.
  public var name: String?
  /// The document's path inside the application, relative to the application's root.
  public var path: String?
  /// An https URL of JSON that lists the application's icons.
  public var appInfoURL: String?

  public init(
    identifier: String? = nil, name: String? = nil, path: String? = nil, appInfoURL: String? = nil
  ) {
    self.identifier = identifier
    self.name = name
    self.path = path
    self.appInfoURL = appInfoURL
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
}

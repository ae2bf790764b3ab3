/// A change to a file's document source: what is not mentioned stays as it is.
public struct SourceChange: Hashable, Sendable {
  /// What becomes of the value that is there.
  public enum Base: Sendable {
    /// Its other fields and its unknown keys are kept.
    case existing
    /// It is thrown away, be it damaged or not.
    case nothing
  }

  public var base: Base
  public var identifier: FieldChange
  public var name: FieldChange
  public var path: FieldChange
  public var appInfoURL: FieldChange

  public init(
    base: Base = .existing, identifier: FieldChange = .keep, name: FieldChange = .keep,
    path: FieldChange = .keep, appInfoURL: FieldChange = .keep
  ) {
    self.base = base
    self.identifier = identifier
    self.name = name
    self.path = path
    self.appInfoURL = appInfoURL
  }

  /// The change that leaves exactly this source.
  public init(to source: DocumentSource) {
    self.init(base: .nothing)
    for field in DocumentSource.Field.allCases {
      if let value = source[field] { self[field] = .set(value) }
    }
  }

  /// The change of one field.
  public subscript(field: DocumentSource.Field) -> FieldChange {
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

  /// Whether no field is mentioned.
  public var isEmpty: Bool {
    DocumentSource.Field.allCases.allSatisfy { self[$0] == .keep }
  }
}

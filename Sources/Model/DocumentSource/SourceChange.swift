internal import BinaryPropertyList
internal import LinuxSystem

/// A change to a file's document source: fields that it does not mention stay as they are.
public struct SourceChange: Hashable, Sendable {
  /// What becomes of the file's present value.
  public enum Base: Sendable {
    /// Other fields and unknown keys are kept. If the change sets an identifier that the file does
    /// not have, the name, path and URL of the old application are removed.
    case existing
    /// Other fields and unknown keys are kept, even if they belong to another application.
    case existingOfAnyApplication
    /// The present value is discarded, damaged or not.
    case nothing
  }

  public var base: Base
  public var identifier: FieldChange
  public var name: FieldChange
  public var path: FieldChange
  public var appInfoURL: FieldChange
  package var watchMark = WatchMark.Change.remove

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

  /// The change after which the file has exactly this source.
  public init(to source: DocumentSource) {
    self.init(base: .nothing)
    for field in DocumentSource.Field.allCases {
      if let value = source[field] { self[field] = .set(value) }
    }
  }

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

/// What a change does to one field.
public enum FieldChange: Hashable, Sendable {
  case keep
  case set(String)
  case remove
}

/// A change for many files: its values are checked, and encoded for files without a source, once.
public final class PreparedChange: Sendable {
  package let change: SourceChange
  /// The write for a file without the attribute; `nil` if the change has no value to write, or one
  /// that changes with the time.
  let writeToUntagged: PlannedWrite?
  /// The source of a file without one after the change; `nil` if there is no field.
  let source: DocumentSource?

  /// - Throws: `RefusedValue`: a value that must not be written.
  public convenience init(
    _ change: SourceChange, by rules: WritingRules = WritingRules()
  ) throws(RefusedValue) {
    for field in DocumentSource.Field.allCases {
      if case .set(let value) = change[field] { try rules.check(value, for: field) }
    }
    self.init(checked: change)
  }

  private init(checked change: SourceChange) {
    self.change = change
    var source = DocumentSource()
    for field in DocumentSource.Field.allCases {
      if case .set(let value) = change[field] { source[field] = value }
    }
    // Where there is no field or no encoding, planning the write says so.
    self.source = source.isEmpty ? nil : source
    let isFixed = !source.isEmpty && change.watchMark != .write
    let bytes = isFixed ? try? source.encoded() : nil
    writeToUntagged = bytes.map {
      PlannedWrite(source: source, values: [StoredValue(carrier: .native, bytes: $0)], former: [])
    }
  }

  /// The source of a file without one after the change with another path in it, if one is given;
  /// `nil` if there is no field.
  package func source(at path: String?) -> DocumentSource? {
    var source = source
    if let path { source?.path = path }
    return source
  }

  /// The change with another path in it.
  ///
  /// - Throws: `RefusedValue`: a path that must not be written.
  public func setting(path: String) throws(RefusedValue) -> PreparedChange {
    try WritingRules().check(path, for: .path)
    var change = change
    change.path = .set(path)
    return PreparedChange(checked: change)
  }
}

struct ChangedValue {
  let value: PropertyList
  let bytes: [UInt8]
  let source: DocumentSource

  /// - Parameter base: the value to change; `nil` to start afresh.
  init(
    of base: [UInt8]?, by change: SourceChange, at path: FilePath
  ) throws(DocumentSourceError) {
    var dictionary = try Self.dictionary(base, path)
    var source = DocumentSource()
    let isForeign = Self.isForeign(dictionary[DocumentSource.Field.identifier.key], to: change)
    for field in DocumentSource.Field.allCases {
      switch change[field] {
      case .keep: if isForeign { dictionary[field.key] = nil }
      case .set(let text): dictionary[field.key] = .string(text)
      case .remove: dictionary[field.key] = nil
      }
      if case .string(let text) = dictionary[field.key] { source[field] = text }
    }
    guard !source.isEmpty else { throw DocumentSourceError(.write, path, .noFieldLeft) }
    let mark = change.watchMark.text
    if change.watchMark != .keep { dictionary[WatchMark.key] = mark.map { .string($0) } }
    self.source = source
    value = .dictionary(dictionary)
    do throws(EncodingFailure) {
      // What starts afresh has the fields alone, in their order.
      bytes = base == nil ? try source.encoded(mark: mark) : try value.binary()
    } catch {
      throw DocumentSourceError(.write, path, .unencodable(error))
    }
  }

  /// Whether the other fields are, or may be, another application's. Letters of identifiers match in
  /// either case.
  private static func isForeign(_ former: PropertyList?, to change: SourceChange) -> Bool {
    guard change.base == .existing, case .set(let identifier) = change.identifier else {
      return false
    }
    guard case .string(let former) = former else { return true }
    return former.lowercased() != identifier.lowercased()
  }

  private static func dictionary(
    _ base: [UInt8]?, _ path: FilePath
  ) throws(DocumentSourceError) -> PropertyList.Dictionary {
    guard let base else { return PropertyList.Dictionary() }
    let value: PropertyList
    do throws(DamagedValue) {
      value = try AttributeValue.propertyList(base)
    } catch {
      throw DocumentSourceError(.write, path, .damaged(error))
    }
    guard case .dictionary(let dictionary) = value else {
      throw DocumentSourceError(.write, path, .notDictionary)
    }
    return dictionary
  }
}

internal import BinaryPropertyList

/// A change that is made to many files: checked, and encoded for files without a source, once.
public final class PreparedChange: Sendable {
  let change: SourceChange
  /// What is written to a file that carries nothing; `nil` where that cannot be.
  let writeToUntagged: PlannedWrite?

  /// - Throws: `RefusedValue`: a value that must not be written.
  public init(
    _ change: SourceChange, by rules: WritingRules = WritingRules()
  ) throws(RefusedValue) {
    for field in DocumentSource.Field.allCases {
      if case .set(let value) = change[field] { try rules.check(value, for: field) }
    }
    self.change = change
    writeToUntagged = Self.writeToUntagged(change)
  }

  private init(checked change: SourceChange) {
    self.change = change
    writeToUntagged = Self.writeToUntagged(change)
  }

  private static func writeToUntagged(_ change: SourceChange) -> PlannedWrite? {
    var source = DocumentSource()
    for field in DocumentSource.Field.allCases {
      if case .set(let value) = change[field] { source[field] = value }
    }
    // Where there is no field or no encoding, planning the write says so.
    let bytes = source.isEmpty ? nil : try? source.encoded()
    return bytes.map { bytes in
      PlannedWrite(
        source: source, values: [StoredValue(carrier: .native, bytes: bytes)], former: [])
    }
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

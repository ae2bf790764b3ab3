/// A write that has been worked out and can be carried out.
public struct PlannedWrite: Hashable, Sendable {
  /// What the file's source is afterwards.
  public let source: DocumentSource
  /// The values to write, carrier by carrier. Empty where the file says all of it already.
  let values: [StoredValue]
  /// What the carriers held, to be put back if a later one fails.
  let former: [StoredValue]

  /// Whether nothing needs to be written.
  public var isUnchanged: Bool { values.isEmpty }
}

/// A write that has been worked out and can be carried out.
public struct PlannedWrite: Hashable, Sendable {
  /// What the file's source is afterwards.
  public let source: DocumentSource
  /// The values to write, carrier by carrier. Empty where the file says all of it already.
  let values: [StoredValue]
  /// What the carriers held, to be put back if a later one fails.
  let former: [StoredValue]

  /// The values, those first that grow least over what they replace.
  var valuesByGrowth: [StoredValue] {
    values.count < 2 ? values : values.sorted { growth($0) < growth($1) }
  }

  private func growth(_ value: StoredValue) -> Int {
    value.bytes.count - (former.first { $0.carrier == value.carrier }?.bytes.count ?? 0)
  }

  /// Whether nothing needs to be written.
  public var isUnchanged: Bool { values.isEmpty }
}

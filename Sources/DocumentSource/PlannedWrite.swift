/// A write that has been worked out and can be carried out.
public struct PlannedWrite: Hashable, Sendable {
  /// What the file's source is afterwards; an empty one where the value that is stored says none.
  public let source: DocumentSource
  /// The values to write, carrier by carrier. Empty where the file says all of it already.
  let values: [StoredValue]
  /// What the carriers held, to be put back if a later one fails.
  let former: [StoredValue]

  /// What a reader takes for the file's value until then; `nil` where there is none.
  public var replaced: StoredValue? { former.first { !$0.isEmpty } ?? former.first }

  /// The values, those first that grow least over what they replace.
  var valuesByGrowth: [StoredValue] {
    values.sorted { growth($0) < growth($1) }
  }

  private func growth(_ value: StoredValue) -> Int {
    value.bytes.count - (former.first { $0.carrier == value.carrier }?.bytes.count ?? 0)
  }

  /// Whether nothing needs to be written.
  public var isUnchanged: Bool { values.isEmpty }
}

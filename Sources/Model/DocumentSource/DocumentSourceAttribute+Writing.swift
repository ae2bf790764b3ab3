/// A write that has been worked out and can be carried out.
public struct PlannedWrite: Hashable, Sendable {
  /// In one place, so that a write to many files is not copied for each of them.
  private let parts: Parts

  init(source: DocumentSource, values: [StoredValue], former: [StoredValue]) {
    parts = Parts(source: source, values: values, former: former)
  }

  /// What the file's source is afterwards; an empty one where the value that is stored says none.
  public var source: DocumentSource { parts.source }
  /// The values to write, carrier by carrier. Empty where the file says all of it already.
  var values: [StoredValue] { parts.values }
  /// What the carriers held, to be put back if a later one fails.
  var former: [StoredValue] { parts.former }

  /// What a reader takes for the file's value until then; `nil` where there is none.
  public var replaced: StoredValue? { former.first { !$0.isEmpty } ?? former.first }

  /// The values, those first that grow least over what they replace.
  var valuesByGrowth: [StoredValue] {
    values.count < 2 ? values : values.sorted { growth($0) < growth($1) }
  }

  private func growth(_ value: StoredValue) -> Int {
    value.bytes.count - (former.first { $0.carrier == value.carrier }?.bytes.count ?? 0)
  }

  /// Whether nothing needs to be written.
  public var isUnchanged: Bool { values.isEmpty }

  private final class Parts: Hashable, Sendable {
    let source: DocumentSource
    let values: [StoredValue]
    let former: [StoredValue]

    init(source: DocumentSource, values: [StoredValue], former: [StoredValue]) {
      self.source = source
      self.values = values
      self.former = former
    }

    static func == (one: Parts, other: Parts) -> Bool {
      one.source == other.source && one.values == other.values && one.former == other.former
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(source)
      hasher.combine(values)
      hasher.combine(former)
    }
  }
}

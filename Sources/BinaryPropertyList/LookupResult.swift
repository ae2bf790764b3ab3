/// What was found at the root of a property list.
public struct LookupResult: Sendable {
  /// The kind of the root; where it is no dictionary, all keys are absent.
  public let root: ObjectKind
  var values: InlineArray<8, TapeEntry>

  /// The value of a key, by its position among those looked up.
  public subscript(position: Int) -> LookupValue {
    let entry = values[position]
    guard !entry.isNone else { return .absent }
    return entry.stringRange.map { .string($0) } ?? .other(entry.kind.objectKind)
  }
}

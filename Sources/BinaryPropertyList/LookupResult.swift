/// What was found at the root of a property list.
public struct LookupResult: Sendable {
  /// The kind of the root; where it is no dictionary, all keys are absent.
  public internal(set) var root: ObjectKind
  private var values: InlineArray<8, LookupValue>

  init() {
    root = .dictionary
    values = InlineArray(repeating: .absent)
  }

  /// The value of a key, by its position among those looked up.
  public internal(set) subscript(position: Int) -> LookupValue {
    get { values[position] }
    set { values[position] = newValue }
  }
}

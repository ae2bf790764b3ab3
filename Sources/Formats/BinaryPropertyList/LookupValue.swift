/// What a dictionary has for a key that was looked up.
public enum LookupValue: Hashable, Sendable {
  /// The dictionary has no such key.
  case absent
  /// A string, and where its text lies.
  case string(StringRange)
  /// A value of another kind.
  case other(ObjectKind)
}

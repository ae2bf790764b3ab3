/// What a change does to one field.
public enum FieldChange: Hashable, Sendable {
  case keep
  case set(String)
  case remove
}

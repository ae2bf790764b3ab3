/// What was being done when an error came.
public enum XattrOperation: Sendable, Hashable {
  case read
  case write(bytes: Int)
  case remove
  case list
  case copy
}

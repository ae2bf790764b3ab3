/// What reading a mark gave.
public enum MarkContent: Hashable, Sendable {
  case value(MarkValue)
  /// No byte, or the one NUL that Samba leaves when a write did not fit.
  case empty
  case damaged(MarkFailure)
  /// The system refused, in words.
  case unreadable(String)
}

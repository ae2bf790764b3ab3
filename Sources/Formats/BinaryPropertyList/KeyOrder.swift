/// In which order the keys of a dictionary are written.
public enum KeyOrder: Hashable, Sendable {
  /// The order in which they were inserted.
  case insertion
  /// The order of their UTF-8, byte by byte: the same for all dictionaries of the same entries.
  case sorted
}

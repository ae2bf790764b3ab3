/// What becomes of a source that a written file has already.
enum WatchPolicy: String, CaseIterable, Sendable {
  /// It stays: who made the document counts.
  case keep
  /// It is replaced: who wrote it last counts.
  case last
}

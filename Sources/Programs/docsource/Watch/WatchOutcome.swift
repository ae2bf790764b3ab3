import Attribution
import DocumentSource

/// What became of a file that was written.
enum WatchOutcome {
  case tagged(DocumentSource)
  /// With `--dry-run`.
  case wouldTag(DocumentSource)
  /// It has a source already.
  case kept
  /// Its path in the attribute is its new one.
  case renamed(path: String)
  case none(NoApplication)
  /// The writer is gone.
  case unknown
  /// In words that follow the path, and what would help.
  case failed(String, DocumentSourceError.Remedy? = nil)

  /// In one word, for programs.
  var code: String {
    switch self {
    case .tagged: "tagged"
    case .wouldTag: "would-tag"
    case .kept: "kept"
    case .renamed: "renamed"
    case .none: "none"
    case .unknown: "unknown"
    case .failed: "failed"
    }
  }
}

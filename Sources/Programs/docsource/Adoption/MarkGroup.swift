import Provenance

/// Marks of origin by what they are about, as users name them.
enum MarkGroup: String, CaseIterable {
  /// The document source.
  case source
  /// The program that made the file.
  case creator
  /// What downloaded it, from where and when.
  case download
  /// Windows' zone.
  case zone
  /// Tags, titles and comments.
  case notes
  case type
  /// When it was last used.
  case use

  init(_ kind: MarkKind) {
    self =
      switch kind {
      case .documentSource: .source
      case .creator, .applicationKey: .creator
      case .quarantine, .whereFroms, .downloadedDate, .originURL, .referrerURL: .download
      case .zoneIdentifier: .zone
      case .userTags, .note: .notes
      case .mediaType: .type
      case .lastUsedDate, .recentUse: .use
      }
  }
}

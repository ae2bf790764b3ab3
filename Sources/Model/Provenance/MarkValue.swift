public import DocumentSource

/// What a mark says.
public enum MarkValue: Hashable, Sendable {
  case source(DocumentSource, mistyped: [MistypedField])
  case quarantine(Quarantine)
  /// URLs, but for what came by mail or AirDrop.
  case origins([String])
  /// In seconds since 1970-01-01T00:00:00Z.
  case moment(Double)
  case tags([UserTag])
  case applicationKey(UInt64)
  case zone(ZoneIdentifier)
  case text(String)
  case use(RecentUse)
}

extension DocumentSource {
  /// The keys of the attribute's dictionary, in the order in which they are written.
  public enum Field: String, CaseIterable, Sendable {
    case identifier, name, path, appInfoURL

    /// The key in the property list.
    public var key: String { rawValue }
  }
}

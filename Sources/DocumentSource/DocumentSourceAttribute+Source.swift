internal import Xattr

extension DocumentSourceAttribute {
  /// The forms of the attribute that reading looks for.
  public enum Carriers: Sendable {
    /// The native one; a file without it costs one system call.
    case native
    /// All, which costs another system call where there is no native one.
    case all
  }

  /// Reads some fields of the document source, or `nil` where the file has none.
  ///
  /// The fields that are not asked for are left out, so that nothing is made of them; they are
  /// checked all the same.
  ///
  /// - Throws: `DocumentSourceError`, as `read` does.
  public func source(
    _ fields: DocumentSource.FieldSet = .all, in carriers: Carriers = .all
  ) throws(DocumentSourceError) -> DocumentSource? {
    guard case .source(let source, _) = try read().content else { return nil }
    return source
  }
}

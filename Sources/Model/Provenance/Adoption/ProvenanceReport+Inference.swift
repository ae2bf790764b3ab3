public import DocumentSource

extension ProvenanceReport {
  /// What other marks say of the application that the file came from; `nil` where they say nothing,
  /// or the file has a document source already, be it damaged.
  ///
  /// The application that made the file comes first (`user.creator`), then the program that put it
  /// there (macOS's quarantine).
  public var inferredSource: DocumentSource? {
    let isTold = marks.contains { $0.kind == .documentSource && $0.content != .empty }
    guard !isTold, let application = text(.creator) ?? text(.agent) else { return nil }
    let isIdentifier = WritingRules().doubt(about: application, for: .identifier) == nil
    return isIdentifier
      ? DocumentSource(identifier: application) : DocumentSource(name: application)
  }
}

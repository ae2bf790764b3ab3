/// A value that must not be written, and why.
public struct RefusedValue: Error, Hashable, Sendable {
  public let field: DocumentSource.Field
  /// In words that follow the field's name.
  public let reason: String

  init(_ field: DocumentSource.Field, _ reason: String) {
    self.field = field
    self.reason = reason
  }
}

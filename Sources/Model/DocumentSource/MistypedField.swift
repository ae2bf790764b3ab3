/// A key that does not count because it holds no string.
public struct MistypedField: Hashable, Sendable {
  public let field: DocumentSource.Field
  /// What it holds, with its article: `an integer`.
  public let kind: String
}

extension MistypedField: CustomStringConvertible {
  public var description: String { "\(field.key) is \(kind), not a string" }
}

/// Why a file that could be read has no document source.
public enum Absence: Hashable, Sendable {
  /// No carrier of the attribute is there.
  case noAttribute
  /// The attribute is there with nothing in it: no byte, or the one NUL that Samba leaves when a
  /// write did not fit.
  case empty
  /// The value is a property list, but no dictionary.
  case notDictionary(kind: String)
  /// A dictionary with none of the four keys holding a string.
  case noField(mistyped: [MistypedField])
}

extension Absence: CustomStringConvertible {
  /// In words that stand alone behind a file's name.
  public var description: String {
    switch self {
    case .noAttribute: "no document source"
    case .empty: "no document source: the attribute is empty"
    case .notDictionary(let kind):
      "no document source: the attribute holds \(kind), not a dictionary"
    case .noField(let mistyped):
      "no document source: the attribute has none of "
        + DocumentSource.Field.allCases.map(\.key).joined(separator: ", ") + " as a string"
        + (mistyped.isEmpty ? "" : " (\(mistyped.map(\.description).joined(separator: ", ")))")
    }
  }
}

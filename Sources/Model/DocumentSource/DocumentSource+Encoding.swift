public import BinaryPropertyList

extension DocumentSource {
  /// The property list of the fields that are there, and of nothing else: the same bytes for the
  /// same source.
  public func encoded() throws(EncodingFailure) -> [UInt8] {
    var entries: [FlatEntry] = []
    for (field, key) in zip(Field.allCases, Self.keys) {
      if let text = self[field] { entries.append(FlatEntry(key: key, value: text)) }
    }
    return try FlatDictionary.bytes(of: entries.span)
  }

  /// In the order of `Field.allCases`.
  private static let keys: [ShortKey] = ["identifier", "name", "path", "appInfoURL"]
}

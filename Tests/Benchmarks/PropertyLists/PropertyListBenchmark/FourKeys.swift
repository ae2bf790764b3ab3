import BinaryPropertyList

/// The dictionary of the attribute, as a struct for Codable.
struct FourKeys: Codable {
  var identifier = "com.appliedphasor.working-copy"
  var name = "Working Copy"
  var path = "directory/filename.ext"
  var appInfoURL =
    "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json"

  private static let identifierKey: ShortKey = "identifier"
  private static let nameKey: ShortKey = "name"
  private static let pathKey: ShortKey = "path"
  private static let appInfoURLKey: ShortKey = "appInfoURL"

  /// With keys that are ready, as constant ones can be.
  var entries: [FlatEntry] {
    [
      FlatEntry(key: Self.identifierKey, value: identifier),
      FlatEntry(key: Self.nameKey, value: name),
      FlatEntry(key: Self.pathKey, value: path),
      FlatEntry(key: Self.appInfoURLKey, value: appInfoURL),
    ]
  }

  /// With keys that are strings as any others.
  var entriesOfStrings: [FlatEntry] {
    entries.map { FlatEntry(key: $0.key, value: $0.value) }
  }
}

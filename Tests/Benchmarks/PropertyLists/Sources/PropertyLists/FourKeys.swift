import BinaryPropertyList

/// The dictionary of the attribute, as a struct for Codable.
struct FourKeys: Codable {
  var identifier = "com.appliedphasor.working-copy"
  var name = "Working Copy"
  var path = "directory/filename.ext"
  var appInfoURL =
    "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json"

  var entries: [FlatEntry] {
    [
      FlatEntry(key: "identifier", value: identifier), FlatEntry(key: "name", value: name),
      FlatEntry(key: "path", value: path), FlatEntry(key: "appInfoURL", value: appInfoURL),
    ]
  }
}

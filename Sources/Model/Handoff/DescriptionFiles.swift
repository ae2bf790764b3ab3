internal import LinuxSystem

/// The files with an ending in a directory below those for data, the user's own first; of several with
/// one name the first.
struct DescriptionFiles {
  /// In the order of their identifiers.
  let found: [(identifier: String, path: FilePath)]
  /// Directories that are there and cannot be read, and why, in words that follow the path.
  let unread: [(path: FilePath, reason: String)]

  init(below directory: String, in places: BaseDirectories, ending: String) {
    var files: [String: FilePath] = [:]
    var unread: [(FilePath, String)] = []
    for data in places.homeAndSystemData {
      let path = data.appending(FilePath(directory))
      do throws(Errno) {
        for name in try InstalledDirectory(path: path).listed() where name.hasSuffix(ending) {
          let identifier = String(name.dropLast(ending.count))
          if files[identifier] == nil { files[identifier] = path.appending(FilePath(name)) }
        }
      } catch {
        unread.append((path, "cannot read: \(error.description.lowercased())"))
      }
    }
    self.unread = unread
    found = files.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { ($0.key, $0.value) }
  }
}

internal import Xattr

/// The desktop entries of installed applications.
struct DesktopEntries {
  /// A desktop entry that stands for an identifier.
  struct Match {
    let path: FilePath
    /// The value of `Icon`, which is a name or an absolute path.
    let icon: String?
  }

  private static let group = "Desktop Entry"
  /// Directories below `applications` that are looked into are no deeper.
  private static let depthLimit = 4

  let directories: [FilePath]

  init(_ places: IconPlaces) {
    directories = places.dataDirectories.map { $0.appending(FilePath("applications")) }
  }

  /// The entry of an identifier: of that name; else of that name in other case; else exported by
  /// the flatpak of that name.
  func match(_ identifier: FileName) -> Match? {
    for directory in directories {
      if let path = Self.path(of: identifier.text[...], in: directory, depth: 0) {
        return Self.match(path)
      }
    }
    let all = directories.flatMap { Self.entries(in: $0, prefix: "", depth: 0) }
    let wanted = identifier.text.lowercased()
    if let same = all.first(where: { $0.identifier.lowercased() == wanted }) {
      return Self.match(same.path)
    }
    // Flatpak exports only files whose names begin with the application's.
    for entry in all where entry.identifier.hasPrefix(identifier.text) {
      guard let file = KeyFile(InstalledFile(path: entry.path)),
        file.value("X-Flatpak", in: Self.group) == identifier.text
      else { continue }
      return Match(path: entry.path, icon: file.value("Icon", in: Self.group))
    }
    return nil
  }

  private static func match(_ path: FilePath) -> Match {
    Match(path: path, icon: KeyFile(InstalledFile(path: path))?.value("Icon", in: group))
  }

  /// Desktop Entry Specification, "desktop file ID": a dash in an identifier may be a slash in the
  /// file's path.
  private static func path(
    of identifier: Substring, in directory: FilePath, depth: Int
  ) -> FilePath? {
    let whole = directory.appending(FilePath("\(identifier).desktop"))
    if InstalledFile(path: whole).exists { return whole }
    guard depth < depthLimit else { return nil }
    for dash in identifier.indices.prefix(FileName.limit) where identifier[dash] == "-" {
      let rest = identifier[identifier.index(after: dash)...]
      guard let name = FileName(identifier[..<dash]), FileName(rest) != nil else { continue }
      let below = InstalledDirectory(path: directory.appending(FilePath(name.text)))
      guard below.exists else { continue }
      if let path = path(of: rest, in: below.path, depth: depth + 1) { return path }
    }
    return nil
  }

  private static func entries(
    in directory: FilePath, prefix: String, depth: Int
  ) -> [(identifier: String, path: FilePath)] {
    var entries: [(String, FilePath)] = []
    for name in InstalledDirectory(path: directory).names {
      let path = directory.appending(FilePath(name))
      if name.hasSuffix(".desktop") {
        entries.append((prefix + name.dropLast(".desktop".count), path))
      } else if depth < depthLimit, InstalledDirectory(path: path).exists {
        entries += self.entries(in: path, prefix: "\(prefix)\(name)-", depth: depth + 1)
      }
    }
    return entries
  }
}

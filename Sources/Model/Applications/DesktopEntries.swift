internal import LinuxSystem

/// The desktop entries of installed applications.
package struct DesktopEntries {
  /// Directories below `applications` that are looked into are no deeper.
  private static let depthLimit = 4
  // More than anybody has, of each of the directories that have `applications`: links that lead
  // back, or to the same file, make as many as one likes.
  private static let directoryLimit = 200
  private static let entryLimit = 10_000
  /// Of all their files, in bytes.
  private static let sizeLimit = 32 << 20

  private let directories: [FilePath]

  package init(_ places: BaseDirectories) {
    directories = places.dataDirectories.map { $0.appending(FilePath("applications")) }
  }

  /// The entry of exactly an identifier.
  package func entry(_ identifier: FileName) -> DesktopEntry? {
    path(of: identifier).map { DesktopEntry(identifier: identifier.text, path: $0) }
      .flatMap { $0.isDeleted ? nil : $0 }
  }

  /// The entry that stands for an identifier: of that name; else of that name in other case; else
  /// exported by the flatpak of that name.
  package func match(_ identifier: FileName) -> DesktopEntry? {
    if path(of: identifier) != nil { return entry(identifier) }
    let files = files
    let wanted = identifier.text.lowercased()
    if let same = files.first(where: { $0.identifier.lowercased() == wanted }) {
      let entry = DesktopEntry(identifier: same.identifier, path: same.path)
      return entry.isDeleted ? nil : entry
    }
    // Flatpak exports only files whose names begin with the application's.
    for file in files where file.identifier.hasPrefix(identifier.text) {
      let entry = DesktopEntry(identifier: file.identifier, path: file.path)
      if !entry.isDeleted, entry.flatpak == identifier.text { return entry }
    }
    return nil
  }

  /// Those of all applications that are installed, in the order of their identifiers; each is read
  /// when it is asked for. Of an identifier the first in the order of the directories counts; where
  /// that says `Hidden`, there is none.
  package var all: some Collection<DesktopEntry> {
    files.sorted { $0.identifier < $1.identifier }
      .lazy.map { DesktopEntry(identifier: $0.identifier, path: $0.path) }
      .filter { !$0.isDeleted && $0.isApplication }
  }

  private var files: [(identifier: String, path: FilePath)] {
    var seen: Set<String> = []
    return directories.flatMap { directory in
      var rest = (directories: Self.directoryLimit, entries: Self.entryLimit)
      var room = Self.sizeLimit
      return Self.files(in: directory, prefix: "", depth: 0, &rest).filter { file in
        guard seen.insert(file.identifier).inserted,
          let size = InstalledFile(path: file.path).size, size <= room
        else { return false }
        room -= size
        return true
      }
    }
  }

  private func path(of identifier: FileName) -> FilePath? {
    directories.lazy.compactMap { Self.path(of: identifier.text[...], in: $0, depth: 0) }.first
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

  private static func files(
    in directory: FilePath, prefix: String, depth: Int,
    _ rest: inout (directories: Int, entries: Int)
  ) -> [(identifier: String, path: FilePath)] {
    var files: [(String, FilePath)] = []
    for name in InstalledDirectory(path: directory).names where rest.entries > 0 {
      rest.entries -= 1
      let path = directory.appending(FilePath(name))
      if name.hasSuffix(".desktop") {
        files.append((prefix + name.dropLast(".desktop".count), path))
      } else if depth < depthLimit, rest.directories > 0,
        InstalledDirectory(path: path).exists
      {
        rest.directories -= 1
        files += self.files(in: path, prefix: "\(prefix)\(name)-", depth: depth + 1, &rest)
      }
    }
    return files
  }
}

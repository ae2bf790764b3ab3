package import LinuxSystem
package import TextFormats

/// The desktop entries of installed applications.
package struct DesktopEntries {
  /// How many levels below `applications` are searched.
  private static let depthLimit = 4
  // For each data directory, more than anybody has. Links that lead back up, or to the same file,
  // could make any number.
  private static let directoryLimit = 200
  private static let entryLimit = 10_000
  /// The limit of all entries' files together, in bytes.
  private static let sizeLimit = 32 << 20

  private let directories: [FilePath]

  package init(_ places: BaseDirectories) {
    directories = places.dataDirectories.map { $0.appending(FilePath("applications")) }
  }

  /// The entry with exactly this identifier.
  package func entry(_ identifier: FileName) -> DesktopEntry? {
    path(of: identifier).flatMap { Self.installed(identifier.text, $0) }
  }

  private static func installed(_ identifier: String, _ path: FilePath) -> DesktopEntry? {
    let entry = DesktopEntry(identifier: identifier, path: path)
    return entry.isDeleted ? nil : entry
  }

  /// The entry that stands for an identifier: the one of that name; else of that name in another
  /// case; else one that the flatpak of that name exports.
  package func match(_ identifier: FileName) -> DesktopEntry? {
    if path(of: identifier) != nil { return entry(identifier) }
    let files = files
    let wanted = identifier.text.lowercased()
    if let same = files.first(where: { $0.identifier.lowercased() == wanted }) {
      return Self.installed(same.identifier, same.path)
    }
    // Flatpak exports only files whose names begin with the application's.
    return files.lazy.filter { $0.identifier.hasPrefix(identifier.text) }
      .compactMap { Self.installed($0.identifier, $0.path) }
      .first { $0.flatpak == identifier.text }
  }

  /// The entry that a word stands for as an identifier, with or without `.desktop`.
  package func match(word: String) -> DesktopEntry? {
    let ending = ".desktop"
    return FileName(word.hasSuffix(ending) ? String(word.dropLast(ending.count)) : word)
      .flatMap { match($0) }
  }

  /// The entries of all installed applications, in the order of their identifiers; each is read
  /// when the iteration reaches it. Where several directories have an identifier, the first one
  /// counts; where its entry says `Hidden`, the application counts as not installed.
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

/// The desktop entry of an installed application, by the Desktop Entry Specification.
package struct DesktopEntry {
  private static let group = "Desktop Entry"

  /// The desktop file's identifier, without `.desktop`: `org.gnome.TextEditor`.
  package let identifier: String
  package let path: FilePath
  private let file: KeyFile

  /// Reads the content of a desktop file.
  package init(_ content: [UInt8], identifier: String, path: FilePath) {
    file = KeyFile(content)
    self.identifier = identifier
    self.path = path
  }

  /// A file that cannot be read, or is larger than any entry, counts as empty.
  init(identifier: String, path: FilePath) {
    let content = InstalledFile(path: path).content(limit: KeyFile.limit) ?? []
    self.init(content, identifier: identifier, path: path)
  }

  /// Whether the entry says that the application does not exist, even if a later directory has an
  /// entry for it.
  var isDeleted: Bool { file.flag("Hidden", in: Self.group) }

  /// Whether the entry is for an application, not for a link or a menu.
  var isApplication: Bool {
    file.value("Type", in: Self.group).map { $0 == "Application" } ?? true
  }

  /// Whether menus leave the application out, as they do for helpers that no user starts.
  package var isHelper: Bool { file.flag("NoDisplay", in: Self.group) }

  /// The value of `Icon`, which is a name or an absolute path.
  package var icon: String? { file.value("Icon", in: Self.group) }

  /// The flatpak that exported the entry.
  package var flatpak: String? { file.value("X-Flatpak", in: Self.group) }

  /// The command line that starts the application, by the specification's rules for `Exec`.
  package var command: String? { file.string("Exec", in: Self.group) }

  /// The program without which the application counts as not installed.
  package var requiredProgram: String? { file.string("TryExec", in: Self.group) }

  /// The types of files and URLs that the application opens.
  package var mediaTypes: [String] { file.list("MimeType", in: Self.group) }

  package var categories: [String] { file.list("Categories", in: Self.group) }

  /// Whether the application may be started over D-Bus, by its identifier as the bus name.
  package var isActivatable: Bool { file.flag("DBusActivatable", in: Self.group) }

  /// The name in no particular language.
  package var name: String? { file.string("Name", in: Self.group) }

  /// The name in the locale's language, else the name in no particular language.
  package func name(in locale: MessageLocale) -> String? {
    locale.text("Name") { file.string($0, in: Self.group) }
  }
}

extension KeyFile {
  /// - Returns: `nil` if the file cannot be read or is larger than 1 MiB.
  package init?(_ file: InstalledFile) {
    guard let content = file.content(limit: Self.limit) else { return nil }
    self.init(content)
  }
}

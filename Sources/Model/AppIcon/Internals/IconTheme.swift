internal import Applications
internal import LinuxSystem

/// An icon theme, wherever parts of it are installed.
struct IconTheme {
  /// An icon of the theme.
  struct Match {
    let path: FilePath
    let reason: String
  }

  /// What can be shown, in the order of the specification; its third, XPM, is not read any more.
  static let extensions = ["png", "svg"]

  let name: String
  let parents: [String]
  /// Those that are there, and where.
  private let directories: [(ThemeDirectory, places: [FilePath])]

  /// - Returns: `nil` where no theme of the name is installed.
  init?(_ name: FileName, in bases: [FilePath]) {
    let places = bases.map { $0.appending(FilePath(name.text)) }
      .filter { InstalledDirectory(path: $0).exists }
    // The first index counts; without one, the directories of a theme have no sizes.
    let index = places.lazy.compactMap {
      KeyFile(InstalledFile(path: $0.appending(FilePath("index.theme"))))
    }.first
    guard let index else { return nil }
    self.name = name.text
    parents = index.list("Inherits", in: "Icon Theme")
    let names = ["Directories", "ScaledDirectories"].flatMap { index.list($0, in: "Icon Theme") }
    // Of hicolor's hundreds of directories most are missing, so that is asked before all else.
    directories = names.compactMap { name in
      let found = places.map { $0.appending(FilePath(name)) }
        .filter { InstalledDirectory(path: $0).exists }
      guard !found.isEmpty, let directory = ThemeDirectory(name, in: index) else { return nil }
      return (directory, found)
    }
  }

  /// LookupIcon of the Icon Theme Specification: a directory for the size, else the nearest.
  ///
  /// - Parameter size: in points.
  func match(_ icon: FileName, size: Int, scale: Int) -> Match? {
    for (directory, places) in directories where directory.matches(size: size, scale: scale) {
      if let path = Self.path(of: icon, in: places) {
        return Match(path: path, reason: "theme \(name), \(directory.name) is for the size")
      }
    }
    let nearest = directories.enumerated()
      .map { ($0.element.0.distance(size: size, scale: scale), $0.offset) }.sorted { $0 < $1 }
    for (distance, offset) in nearest {
      let (directory, places) = directories[offset]
      if let path = Self.path(of: icon, in: places) {
        let reason = "theme \(name), \(directory.name) is nearest, \(distance) pixels off"
        return Match(path: path, reason: reason)
      }
    }
    return nil
  }

  private static func path(of icon: FileName, in places: [FilePath]) -> FilePath? {
    for place in places {
      for suffix in extensions {
        let path = place.appending(FilePath("\(icon.text).\(suffix)"))
        if InstalledFile(path: path).exists { return path }
      }
    }
    return nil
  }
}

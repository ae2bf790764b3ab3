internal import Applications
internal import LinuxSystem
internal import TextFormats

/// The user's icon theme, those it inherits from, and hicolor, by the Icon Theme Specification.
///
/// Nothing is read before an icon is looked for.
final class IconThemes {
  /// The most themes that are followed: inheritance may form a circle.
  private static let limit = 32
  private static let last = "hicolor"

  private let places: BaseDirectories
  private let bases: [FilePath]
  private lazy var themes = installed()

  init(_ places: BaseDirectories) {
    let user = places.home.map { $0.appending(FilePath(".icons")) }
    bases =
      [user].compactMap(\.self) + places.dataDirectories.map { $0.appending(FilePath("icons")) }
    self.places = places
  }

  private func installed() -> [IconTheme] {
    var themes: [IconTheme] = []
    var seen: Set<String> = [Self.last]
    // Depth first, as the specification's FindIconHelper goes.
    var pending = [userTheme ?? "Adwaita"]
    while themes.count < Self.limit, let next = pending.popLast() {
      guard let name = FileName(next), seen.insert(next).inserted,
        let theme = IconTheme(name, in: bases)
      else { continue }
      themes.append(theme)
      pending += theme.parents.reversed()
    }
    let last = FileName(Self.last).flatMap { IconTheme($0, in: bases) }
    return themes + [last].compactMap(\.self)
  }

  /// The names of the themes, for explanations.
  var names: String { themes.map(\.name).joined(separator: ", ") }

  /// FindIcon of the Icon Theme Specification.
  ///
  /// - Parameter size: in points and pixels a point; of fractions the next whole number counts, as
  ///   themes know no others.
  func match(_ icon: FileName, size: IconSize) -> IconTheme.Match? {
    let (points, scale) = (Self.whole(size.points), Self.whole(size.scale))
    for theme in themes {
      if let match = theme.match(icon, size: points, scale: scale) { return match }
    }
    let others = bases + [places.system("usr/share/pixmaps")]
    return IconTheme.path(of: icon, in: others).map {
      IconTheme.Match(path: $0, reason: "not part of a theme")
    }
  }

  private static func whole(_ number: Double) -> Int {
    // IconSize bounds only the product of points and scale.
    Int(min(max(number.rounded(.up), 1), Double(IconSize.limit)))
  }

  /// The theme that is set for GTK or KDE.
  private var userTheme: String? {
    let settings = [
      ("gtk-3.0/settings.ini", "Settings", "gtk-icon-theme-name"),
      ("gtk-4.0/settings.ini", "Settings", "gtk-icon-theme-name"),
      ("kdeglobals", "Icons", "Theme"),
    ]
    for (file, group, key) in settings {
      guard let path = places.configHome?.appending(FilePath(file)),
        let name = KeyFile(InstalledFile(path: path))?.value(key, in: group)
      else { continue }
      return name
    }
    return nil
  }
}

/// An icon theme, wherever parts of it are installed.
struct IconTheme {
  /// An icon of the theme.
  struct Match {
    let path: FilePath
    let reason: String
  }

  /// File types in the order of the specification; its third, XPM, is not read.
  static let extensions = ["png", "svg"]

  let name: String
  let parents: [String]
  /// Those that are there, and where.
  private let directories: [(ThemeDirectory, places: [FilePath])]

  /// - Returns: `nil` if no theme of the name is installed.
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
    // A name that is listed again and again would be looked at as often.
    var seen: Set<String> = []
    // Most of hicolor's hundreds of directories are missing, so existence is checked first.
    directories = names.filter { seen.insert($0).inserted }.compactMap { name in
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
        return Match(
          path: path, reason: "theme \(name), directory \(directory.name) matches the size")
      }
    }
    let nearest = directories.enumerated()
      .map { ($0.element.0.distance(size: size, scale: scale), $0.offset) }.sorted { $0 < $1 }
    for (distance, offset) in nearest {
      let (directory, places) = directories[offset]
      if let path = Self.path(of: icon, in: places) {
        let reason = "theme \(name), directory \(directory.name) is closest, \(distance) pixels off"
        return Match(path: path, reason: reason)
      }
    }
    return nil
  }

  /// The first file of an icon's name in several directories; `nil` if none has one.
  static func path(of icon: FileName, in places: [FilePath]) -> FilePath? {
    for place in places {
      for suffix in extensions {
        let path = place.appending(FilePath("\(icon.text).\(suffix)"))
        if InstalledFile(path: path).exists { return path }
      }
    }
    return nil
  }
}

/// A directory of an icon theme, and for which sizes its icons are drawn.
struct ThemeDirectory: Hashable {
  enum Kind: Hashable {
    case fixed
    case scalable(minimum: Int, maximum: Int)
    case threshold(Int)
  }

  /// Relative to the theme's directory.
  let name: String
  let size: Int
  let scale: Int
  let kind: Kind

  /// Reads the directory's group in a theme's index.
  ///
  /// - Returns: `nil` if it has no size or its name leads out of the theme.
  init?(_ name: String, in index: KeyFile) {
    let components = name.split(separator: "/", omittingEmptySubsequences: false)
    guard components.allSatisfy({ FileName($0) != nil }) else { return nil }
    let group = index.values(in: name)
    guard let size = group.number("Size") else { return nil }
    self.name = name
    self.size = size
    scale = max(1, group.number("Scale") ?? 1)
    switch group.value("Type") {
    case "Fixed": kind = .fixed
    case "Scalable":
      kind = .scalable(
        minimum: group.number("MinSize") ?? size, maximum: group.number("MaxSize") ?? size)
    default: kind = .threshold(group.number("Threshold") ?? 2)
    }
  }

  private var sizes: ClosedRange<Int> {
    switch kind {
    case .fixed: size...size
    case .scalable(let minimum, let maximum): minimum...max(minimum, maximum)
    case .threshold(let threshold): (size - threshold)...(size + threshold)
    }
  }

  /// DirectoryMatchesSize of the Icon Theme Specification.
  func matches(size: Int, scale: Int) -> Bool { self.scale == scale && sizes ~= size }

  /// DirectorySizeDistance of the Icon Theme Specification, in pixels.
  ///
  /// Its text measures threshold directories by MinSize and MaxSize, which they do not have; here
  /// as in GTK it is by the threshold.
  func distance(size: Int, scale: Int) -> Int {
    let pixels = size * scale
    if pixels < sizes.lowerBound * self.scale { return sizes.lowerBound * self.scale - pixels }
    return max(0, pixels - sizes.upperBound * self.scale)
  }
}

internal import Applications
internal import LinuxSystem

/// The user's icon theme, those it inherits from, and hicolor, by the Icon Theme Specification.
///
/// Nothing is read before an icon is looked for.
final class IconThemes {
  /// No theme inherits from so many; theirs may form a circle.
  private static let limit = 32
  private static let last = "hicolor"

  private let places: BaseDirectories
  private let bases: [FilePath]
  private lazy var themes = installed()

  init(_ places: BaseDirectories) {
    let user = places.home.map { $0.appending(FilePath(".icons")) }
    bases =
      [user].compactMap(\.self)
      + places.dataDirectories.map { $0.appending(FilePath("icons")) }
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
    if let name = FileName(Self.last), let theme = IconTheme(name, in: bases) {
      themes.append(theme)
    }
    return themes
  }

  /// In words.
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
    for base in bases + [places.system("usr/share/pixmaps")] {
      for suffix in IconTheme.extensions {
        let path = base.appending(FilePath("\(icon.text).\(suffix)"))
        if InstalledFile(path: path).exists {
          return IconTheme.Match(path: path, reason: "it belongs to no theme")
        }
      }
    }
    return nil
  }

  private static func whole(_ number: Double) -> Int {
    // IconSize bounds the product only.
    Int(min(max(number.rounded(.up), 1), Double(IconSize.limit)))
  }

  /// The theme that GTK or KDE was told to use.
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

package import Xattr

/// The desktop entry of an installed application, by the Desktop Entry Specification.
package struct DesktopEntry {
  private static let group = "Desktop Entry"

  /// The desktop file's identifier, without `.desktop`: `org.gnome.TextEditor`.
  package let identifier: String
  package let path: FilePath
  private let file: KeyFile

  /// A file that cannot be read, or is larger than any entry, counts as empty.
  init(identifier: String, path: FilePath) {
    self.identifier = identifier
    self.path = path
    file = KeyFile(InstalledFile(path: path)) ?? KeyFile([])
  }

  /// Whether it says that there is no such application, for entries in later directories too.
  var isDeleted: Bool { file.flag("Hidden", in: Self.group) }

  /// Whether it is an application's and not a link's or a menu's.
  var isApplication: Bool {
    file.value("Type", in: Self.group).map { $0 == "Application" } ?? true
  }

  /// Whether menus leave it out, as helpers do that no user starts.
  package var isHelper: Bool { file.flag("NoDisplay", in: Self.group) }

  /// The value of `Icon`, which is a name or an absolute path.
  package var icon: String? { file.value("Icon", in: Self.group) }

  /// The flatpak that exported it.
  var flatpak: String? { file.value("X-Flatpak", in: Self.group) }

  /// The name in no particular language.
  package var name: String? { file.string("Name", in: Self.group) }

  /// The name in a language; without one, the name in none.
  package func name(in locale: MessageLocale) -> String? {
    for language in locale.languages {
      if let name = file.string("Name[\(language)]", in: Self.group) { return name }
    }
    return name
  }
}

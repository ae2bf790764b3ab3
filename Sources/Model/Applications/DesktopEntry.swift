public import LinuxSystem

/// The desktop entry of an installed application, by the Desktop Entry Specification.
public struct DesktopEntry {
  private static let group = "Desktop Entry"

  /// The desktop file's identifier, without `.desktop`: `org.gnome.TextEditor`.
  public let identifier: String
  public let path: FilePath
  private let file: KeyFile

  /// Reads the content of a desktop file.
  public init(_ content: [UInt8], identifier: String, path: FilePath) {
    self.init(KeyFile(content), identifier: identifier, path: path)
  }

  /// A file that cannot be read, or is larger than any entry, counts as empty.
  init(identifier: String, path: FilePath) {
    let file = KeyFile(InstalledFile(path: path)) ?? KeyFile([])
    self.init(file, identifier: identifier, path: path)
  }

  private init(_ file: KeyFile, identifier: String, path: FilePath) {
    self.file = file
    self.identifier = identifier
    self.path = path
  }

  /// Whether it says that there is no such application, for entries in later directories too.
  var isDeleted: Bool { file.flag("Hidden", in: Self.group) }

  /// Whether it is an application's and not a link's or a menu's.
  var isApplication: Bool {
    file.value("Type", in: Self.group).map { $0 == "Application" } ?? true
  }

  /// Whether menus leave it out, as helpers do that no user starts.
  public var isHelper: Bool { file.flag("NoDisplay", in: Self.group) }

  /// The value of `Icon`, which is a name or an absolute path.
  public var icon: String? { file.value("Icon", in: Self.group) }

  /// The flatpak that exported it.
  package var flatpak: String? { file.value("X-Flatpak", in: Self.group) }

  /// The command line that starts it, by the specification's rules for `Exec`.
  package var command: String? { file.string("Exec", in: Self.group) }

  /// The program without which it counts as not installed.
  package var requiredProgram: String? { file.string("TryExec", in: Self.group) }

  /// The value of `Categories`.
  package var categories: [String] { file.list("Categories", in: Self.group) }

  /// Whether it may be started over D-Bus, where its identifier is its name then.
  package var isActivatable: Bool { file.flag("DBusActivatable", in: Self.group) }

  /// The name in no particular language.
  public var name: String? { file.string("Name", in: Self.group) }

  /// The name in a language; without one, the name in none.
  public func name(in locale: MessageLocale) -> String? {
    for language in locale.languages {
      if let name = file.string("Name[\(language)]", in: Self.group) { return name }
    }
    return name
  }
}

public import LinuxSystem

/// What one origin knows of an application.
public struct Application: Hashable, Sendable {
  /// Who knows of it, in the order in which they are believed.
  public enum Origin: String, CaseIterable, Sendable {
    /// The user's own list.
    case user
    /// The desktop entries of installed applications.
    case installed
    /// Those that come with docsource.
    case builtIn = "built-in"
  }

  /// The bundle identifier, or the desktop file's without `.desktop`.
  public let identifier: String
  /// The name for people, in no particular language.
  public let name: String?
  /// The name in the user's language, where that is another.
  public let localizedName: String?
  /// Where its icons are listed.
  public let appInfoURL: String?
  public let origin: Origin
  /// The file that says so; `nil` for those that come with docsource.
  public let path: FilePath?

  init(
    _ identifier: String, name: String?, localizedName: String? = nil, appInfoURL: String? = nil,
    origin: Origin, path: FilePath? = nil
  ) {
    self.identifier = identifier
    self.name = name
    self.localizedName = localizedName
    self.appInfoURL = appInfoURL
    self.origin = origin
    self.path = path
  }
}

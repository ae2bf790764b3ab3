public import LinuxSystem

/// The applications known to a user: those the user has listed, those that are installed, and those
/// that come with docsource.
///
/// The user's list is read when this is made, desktop entries when they are asked for.
public final class KnownApplications {
  /// What a word stands for.
  public enum Match: Hashable, Sendable {
    case one(KnownApplication)
    /// Several have that name; their identifiers, sorted.
    case several([String])
    case none
  }

  private let entries: DesktopEntries
  private let locale: MessageLocale
  private let listed: [Application]
  /// Those that menus leave out.
  private var helpers: Set<String> = []
  private lazy var installed = readEntries()

  /// - Parameter registry: the user's list.
  public init(
    _ registry: ApplicationRegistry, places: BaseDirectories, locale: MessageLocale = .current()
  ) {
    listed = registry.applications
    entries = DesktopEntries(places)
    self.locale = locale
  }

  private func readEntries() -> [Application] {
    entries.all.map { entry in
      if entry.isHelper { helpers.insert(entry.identifier) }
      return application(entry)
    }
  }

  private func application(_ entry: DesktopEntry) -> Application {
    let (name, localized) = (entry.name, entry.name(in: locale))
    return Application(
      entry.identifier, name: name ?? localized, localizedName: localized == name ? nil : localized,
      origin: .installed, path: entry.path)
  }

  /// All that are known, by identifier.
  ///
  /// - Parameters:
  ///   - origin: takes only what this one says; otherwise of all.
  ///   - helpers: takes installed ones too that menus leave out.
  public func all(
    of origin: Application.Origin? = nil, includingHelpers: Bool = true
  ) -> [KnownApplication] {
    let sources = (listed + installed + BuiltInApplications.all).filter {
      origin == nil || $0.origin == origin
    }
    return Dictionary(grouping: sources, by: \.identifier).values
      .compactMap { KnownApplication($0) }
      .filter { one in
        includingHelpers || one.origin != .installed || !helpers.contains(one.identifier)
      }
      .sorted { $0.identifier.utf8.lexicographicallyPrecedes($1.identifier.utf8) }
  }

  /// The application of an identifier, exactly.
  ///
  /// Desktop entries are looked for by their file's name only, so that this is fast.
  public func application(_ identifier: String) -> KnownApplication? {
    let entry = FileName(identifier).flatMap { entries.entry($0) }
      .flatMap { $0.isApplication ? application($0) : nil }
    let sources = listed + [entry].compactMap(\.self) + BuiltInApplications.all
    return KnownApplication(sources.filter { $0.identifier == identifier })
  }

  /// The application that a person means: of that identifier; else of that identifier in other
  /// case; else of that name, in whatever case, where it is the only one.
  public func match(_ word: String) -> Match {
    if let exact = application(word) { return .one(exact) }
    let all = all()
    let wanted = word.lowercased()
    for keys in [\KnownApplication.identifiers, \.names] {
      let same = all.filter { $0[keyPath: keys].contains { $0.lowercased() == wanted } }
      if same.count > 1 { return .several(same.map(\.identifier)) }
      if let only = same.first { return .one(only) }
    }
    return .none
  }

}

/// All that is known of an application: of each value what the first origin says that has one.
public struct KnownApplication: Hashable, Sendable {
  public let identifier: String
  /// What each origin says, in their order; one at least.
  public let sources: [Application]

  /// - Parameter sources: in the order of their origins, all of the identifier.
  init?(_ sources: [Application]) {
    guard let first = sources.first else { return nil }
    identifier = first.identifier
    self.sources = sources
  }

  /// The first origin that knows of it.
  public var origin: Application.Origin { sources.first?.origin ?? .builtIn }

  /// The name, in no particular language: it goes into files, which travel.
  public var name: String? { nameSource?.name }

  /// The name for this user.
  public var localizedName: String? { nameSource.flatMap { $0.localizedName ?? $0.name } }

  /// Who says the name.
  public var nameSource: Application? { sources.first { $0.name != nil } }

  public var appInfoURL: String? { appInfoURLSource?.appInfoURL }

  /// Who says the URL.
  public var appInfoURLSource: Application? { sources.first { $0.appInfoURL != nil } }

  /// All names that anybody says, sorted.
  public var names: [String] {
    Set(sources.flatMap { [$0.name, $0.localizedName].compactMap(\.self) }).sorted()
  }

  var identifiers: [String] { [identifier] }
}

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

/// The applications that are known to write the attribute, with what they write.
enum BuiltInApplications {
  /// Textastic and GoCoEdit write it too; what they write is not documented, so they are not here.
  static let all = [
    Application(
      "com.appliedphasor.working-copy", name: "Working Copy",
      appInfoURL: "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json",
      origin: .builtIn)
  ]
}

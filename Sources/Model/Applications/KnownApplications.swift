package import LinuxSystem

/// The applications known to a user: those the user has listed, those that are installed, and those
/// that come with docsource.
///
/// The initialiser reads the user's list; desktop entries are read when they are first needed.
package final class KnownApplications {
  /// What a word stands for.
  package enum Match: Hashable, Sendable {
    case one(KnownApplication)
    /// Several applications have that name: their identifiers, sorted.
    case several([String])
    case none
  }

  private let entries: DesktopEntries
  private let locale: MessageLocale
  private let listed: [Application]
  /// The identifiers of applications that menus leave out.
  private var helpers: Set<String> = []
  private lazy var installed = readEntries()

  /// - Parameter registry: the user's list.
  package init(
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
      identifier: entry.identifier, name: name ?? localized,
      localizedName: localized == name ? nil : localized, appInfoURL: nil, origin: .installed,
      path: entry.path)
  }

  /// All known applications, in the order of their identifiers.
  ///
  /// - Parameters:
  ///   - origin: the only origin to ask; `nil` asks all.
  ///   - includingHelpers: whether installed applications that menus leave out are included.
  package func all(
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
  /// Fast, since desktop entries are looked up by their file's name only.
  package func application(_ identifier: String) -> KnownApplication? {
    let entry = FileName(identifier).flatMap { entries.entry($0) }
      .flatMap { $0.isApplication ? application($0) : nil }
    let sources = listed + [entry].compactMap(\.self) + BuiltInApplications.all
    return KnownApplication(sources.filter { $0.identifier == identifier })
  }

  /// The application that a person means by a word: the one with that identifier; else with that
  /// identifier in another case; else the only one with that name, in any case.
  package func match(_ word: String) -> Match {
    if let exact = application(word) { return .one(exact) }
    let meant = all().meant(by: word, identifier: \.identifier, names: \.names)
    if meant.count > 1 { return .several(meant.map(\.identifier)) }
    return meant.first.map { .one($0) } ?? .none
  }
}

extension Sequence {
  /// The applications that a person means by a word: those with that identifier; else with that
  /// identifier in another case; else with that name, in any case.
  package func meant(
    by word: String, identifier: (Element) -> String, names: (Element) -> [String]
  ) -> [Element] {
    let exact = filter { identifier($0) == word }
    if !exact.isEmpty { return exact }
    let wanted = word.lowercased()
    let same = filter { identifier($0).lowercased() == wanted }
    if !same.isEmpty { return same }
    return filter { names($0).contains { $0.lowercased() == wanted } }
  }
}

/// All that is known of an application: each value is that of the first origin that has it.
package struct KnownApplication: Hashable, Sendable {
  package let identifier: String
  /// What each origin knows of the application, in the order of the origins; at least one.
  package let sources: [Application]

  /// - Parameter sources: in the order of their origins, all with the same identifier.
  init?(_ sources: [Application]) {
    guard let first = sources.first else { return nil }
    identifier = first.identifier
    self.sources = sources
  }

  package var origin: Application.Origin { sources.first?.origin ?? .builtIn }

  /// The name, in no particular language: it goes into files, which travel.
  package var name: String? { nameSource?.name }

  /// The name for this user.
  package var localizedName: String? { nameSource.flatMap { $0.localizedName ?? $0.name } }

  /// The source of `name`.
  package var nameSource: Application? { sources.first { $0.name != nil } }

  package var appInfoURL: String? { appInfoURLSource?.appInfoURL }

  /// The source of `appInfoURL`.
  package var appInfoURLSource: Application? { sources.first { $0.appInfoURL != nil } }

  /// The names from all sources, sorted.
  package var names: [String] {
    Set(sources.flatMap { [$0.name, $0.localizedName].compactMap(\.self) }).sorted()
  }
}

/// What one origin knows of an application.
package struct Application: Hashable, Sendable {
  /// Where the knowledge comes from; an earlier case counts before a later one.
  package enum Origin: String, CaseIterable, Sendable {
    /// The user's own list.
    case user
    /// The desktop entries of installed applications.
    case installed
    /// The list that comes with docsource.
    case builtIn = "built-in"
  }

  /// The bundle identifier, or the desktop file's without `.desktop`.
  package let identifier: String
  /// The name for people, in no particular language.
  package let name: String?
  /// The name in the user's language, where it differs from `name`.
  package let localizedName: String?
  /// The URL of the JSON that lists the application's icons.
  package let appInfoURL: String?
  package let origin: Origin
  /// The file that these values were read from; `nil` for built-in ones.
  package let path: FilePath?
}

/// The applications that are known to write the attribute, with the values they write.
private enum BuiltInApplications {
  /// Textastic and GoCoEdit are missing, since the values they write are not documented.
  static let all = [
    Application(
      identifier: "com.appliedphasor.working-copy", name: "Working Copy", localizedName: nil,
      appInfoURL: "https://raw.githubusercontent.com/palmin/x-document-source/master/appInfo.json",
      origin: .builtIn, path: nil)
  ]
}

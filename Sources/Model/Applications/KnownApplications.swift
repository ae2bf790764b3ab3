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

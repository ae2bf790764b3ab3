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

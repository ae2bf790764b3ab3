public import LinuxSystem

/// The user's own list of applications, `$XDG_CONFIG_HOME/docsource/apps.json`:
///
/// ```json
/// {"applications": [{"identifier": "org.example.editor", "name": "Editor",
///                    "appInfoURL": "https://example.org/appInfo.json"}]}
/// ```
///
/// Other members are kept when it is written. Jansson reads and writes it: at most 2048 levels, and
/// numbers keep their value, not their spelling.
public struct ApplicationRegistry: Sendable {
  /// What of an application is to be changed. `nil` keeps what is there, an empty text removes it.
  public struct Change: Hashable, Sendable {
    public var name: String?
    public var appInfoURL: String?

    public init(name: String? = nil, appInfoURL: String? = nil) {
      self.name = name
      self.appInfoURL = appInfoURL
    }
  }

  /// What became of an application.
  public enum Outcome: Hashable, Sendable {
    case added, changed, unchanged
  }

  /// Something in the file that counts as nothing.
  public struct Flaw: Hashable, Sendable {
    /// Which of the applications it is in, from 1; `nil` where it is in none.
    public let position: Int?
    /// In words that follow the position.
    public let reason: String
  }

  /// Why nothing is listed: there is a file, but it cannot be read.
  public let failure: UserFile.Failure?
  /// In the order of the file.
  public let flaws: [Flaw]
  /// In the order of the file; of an identifier that is there twice, the first.
  public let applications: [Application]

  /// Reads the list. Where there is none, or it cannot be read, nothing is listed.
  public init(places: BaseDirectories) {
    // Without a home there is nothing that could be read, which is no failure.
    guard let file = try? Self.file(places) else {
      self.init(failure: nil)
      return
    }
    do throws(UserFile.Failure) {
      guard let content = try file.content() else {
        self.init(failure: nil)
        return
      }
      try self.init(json: content, path: file.path)
    } catch {
      self.init(failure: error)
    }
  }

  /// Reads the content of such a file.
  ///
  /// - Parameter path: the file's.
  public init(json: [UInt8], path: FilePath) throws(UserFile.Failure) {
    let document = try RegistryDocument(json, path: path)
    applications = document.applications
    flaws = document.flaws
    failure = nil
  }

  private init(failure: UserFile.Failure?) {
    self.failure = failure
    flaws = []
    applications = []
  }

  /// Where the list is kept.
  ///
  /// - Throws: `UserFile.Failure` where there is no home for configuration.
  public static func path(_ places: BaseDirectories) throws(UserFile.Failure) -> FilePath {
    try file(places).path
  }

  private static func file(_ places: BaseDirectories) throws(UserFile.Failure) -> UserFile {
    try UserFile("apps.json", in: places)
  }

  /// Puts an application on the list on disk, or changes what is there of it.
  ///
  /// - Throws: `UserFile.Failure`, also where the list cannot be read, or could not be written
  ///   without losing something.
  public static func set(
    _ identifier: String, to change: Change, _ places: BaseDirectories
  ) throws(UserFile.Failure) -> Outcome {
    var outcome = Outcome.unchanged
    try edit(places) { document in
      outcome = document.set(identifier, to: change)
      return outcome != .unchanged
    }
    return outcome
  }

  /// Takes applications off the list on disk.
  ///
  /// - Returns: those that were on it.
  /// - Throws: as `set`.
  public static func remove(
    _ identifiers: [String], _ places: BaseDirectories
  ) throws(UserFile.Failure) -> Set<String> {
    var removed: Set<String> = []
    // Where there is no list, none is made.
    guard try file(places).content() != nil else { return [] }
    try edit(places) { document in
      removed = document.remove(identifiers)
      return !removed.isEmpty
    }
    return removed
  }

  /// - Parameter change: says whether something has changed.
  private static func edit(
    _ places: BaseDirectories, _ change: (RegistryDocument) -> Bool
  ) throws(UserFile.Failure) {
    let file = try file(places)
    try file.edit { (content) throws(UserFile.Failure) -> [UInt8]? in
      let document = try RegistryDocument(content ?? Array("{}".utf8), path: file.path)
      guard change(document) else { return nil }
      return try document.rewritten()
    }
  }
}

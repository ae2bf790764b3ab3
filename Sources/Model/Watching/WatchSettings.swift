package import FileTree
internal import JSON
package import LinuxSystem
internal import TextFormats

/// What becomes of a source that a written file has already.
package enum WatchPolicy: String, CaseIterable, Sendable {
  /// The source stays: the application that made the document counts.
  case keep
  /// The source is replaced: the application that wrote the document last counts.
  case last
}

/// A user's choice of what to watch, `$XDG_CONFIG_HOME/docsource/watch.json`:
///
/// ```json
/// {"enabled": true, "include": ["*.odt"], "exclude": ["drafts/*"], "policy": "keep",
///  "onlyApplications": [], "excludedApplications": ["org.gnome.Calculator"],
///  "directories": ["Projects", "/srv/anna"], "pausedUntil": "2026-11-27T15:00:00Z", "log": false,
///  "recordDownloads": false, "witness": false}
/// ```
///
/// Other members are kept when the file is written.
package struct WatchSettings: Hashable, Sendable {
  package var isEnabled = false
  package var include: [String] = []
  package var exclude: [String] = []
  package var policy = WatchPolicy.keep
  package var applications = ApplicationFilter()
  /// What is watched besides the directories that the user keeps documents in: absolute paths, or
  /// paths below the home directory, which is `.` itself.
  package var directories: [String] = []
  /// Until when nothing is tagged, in seconds since 1970-01-01T00:00:00Z; `nil` if that is not paused.
  package var pauseEnd: Int?
  /// Whether what is tagged is listed in the user's runtime directory; see `WatchLog`.
  package var isLogged = false
  /// Whether downloads get the address that the browser has recorded.
  package var recordsDownloads = false
  /// Whether who wrote a file is recorded where only root can write; see `WatchWitness`.
  package var hasWitness = false

  package init() {}

  /// Whether nothing is tagged at a time, as `pauseEnd` has it.
  package func isPaused(at time: Int) -> Bool { pauseEnd.map { time < $0 } ?? false }

  /// The limit of all patterns together, in bytes: a service for all users matches each user's
  /// files against that user's patterns.
  private static let patternLimit = 16 << 10
  /// The same for applications and directories.
  private static let nameLimit = 16 << 10
  private static let directoryLimit = 64

  var globs: WatchGlobs {
    get throws(GlobFlaw) { try WatchGlobs(include: include, exclude: exclude) }
  }

  /// Why the patterns cannot be used, in words that follow the path of the file.
  fileprivate var flaw: String? {
    if (include + exclude).reduce(0, { $0 + $1.utf8.count }) > Self.patternLimit {
      return "the patterns exceed \(Self.patternLimit >> 10) KiB"
    }
    let names = applications.only + applications.excluded + directories
    if names.reduce(0, { $0 + $1.utf8.count }) > Self.nameLimit {
      return "the applications and directories exceed \(Self.nameLimit >> 10) KiB"
    }
    if directories.count > Self.directoryLimit {
      return "more than \(Self.directoryLimit) directories"
    }
    do throws(GlobFlaw) {
      _ = try globs
      return nil
    } catch {
      return "invalid pattern: \(error)"
    }
  }

  /// - Throws: `UserFile.Failure` where there is no home for configuration.
  package static func file(_ places: BaseDirectories) throws(UserFile.Failure) -> UserFile {
    try UserFile("watch.json", in: places)
  }

  /// The settings of a user; where there is no file, nothing is watched.
  ///
  /// - Throws: `UserFile.Failure` where there is a file that cannot be read or means nothing.
  package static func read(_ places: BaseDirectories) throws(UserFile.Failure) -> WatchSettings {
    let file = try file(places)
    guard let content = try file.content() else { return WatchSettings() }
    return try WatchDocument(content, path: file.path).settings()
  }

  /// Changes the settings on disk.
  ///
  /// - Throws: as `read`, and where the file cannot be written.
  package static func edit(
    _ places: BaseDirectories, _ change: (inout WatchSettings) -> Void
  ) throws(UserFile.Failure) {
    let file = try file(places)
    try file.edit { (content) throws(UserFile.Failure) -> [UInt8]? in
      let document = try WatchDocument(content ?? Array("{}".utf8), path: file.path)
      let former = try document.settings()
      var settings = former
      change(&settings)
      guard content == nil || settings != former else { return nil }
      return try document.rewritten(with: settings)
    }
  }

  /// Why the service does not heed settings that are on.
  package enum Neglect {
    /// It looks into `~/.config` only.
    case elsewhere
    /// The user of the home directory does not own them.
    case foreign
    /// The user of the home directory is not in `/etc/passwd`, or is no person's account.
    case unlisted
  }

  /// Why the service does not heed this process's user's settings; `nil` if it does.
  ///
  /// - Parameter path: that of the settings' file.
  package static func neglect(of path: FilePath, _ places: BaseDirectories) -> Neglect? {
    guard let home = places.home else { return nil }
    if path != home.appending(FilePath(".config/docsource/watch.json")) { return .elsewhere }
    guard let owner = FileFingerprint(home)?.owner, let other = FileFingerprint(path)?.owner else {
      return nil
    }
    if other != owner { return .foreign }
    return UserAccount.all().contains { $0.user == owner } ? nil : .unlisted
  }
}

/// The applications whose files a user wants to have tagged.
package struct ApplicationFilter: Hashable, Sendable {
  /// If there are any, the files of others are not tagged; identifiers, as in the attribute.
  package var only: [String] = []
  package var excluded: [String] = []

  package init() {}

  /// Letters of identifiers match in either case.
  func accepts(_ identifier: String) -> Bool {
    if only.isEmpty, excluded.isEmpty { return true }
    let identifier = identifier.lowercased()
    return (only.isEmpty || only.contains { $0.lowercased() == identifier })
      && !excluded.contains { $0.lowercased() == identifier }
  }
}

/// The patterns of the files that a user wants to have tagged: of names or, if a pattern contains a
/// slash, of paths below the home directory. A pattern that matches a directory stands for all files
/// below it, and one with a slash at its end only for directories.
package struct WatchGlobs: Sendable {
  private struct Pattern {
    private static let slash = UInt8(ascii: "/")

    let glob: Glob
    let isOfPath: Bool
    let isOfDirectory: Bool

    init(_ text: String) throws(GlobFlaw) {
      // A glob means the same with this before it.
      let lead = "./"
      let rest = text.hasPrefix(lead) ? text.dropFirst(lead.count) : text[...]
      let end = rest.lastIndex { $0 != "/" }.map { rest.index(after: $0) } ?? rest.startIndex
      glob = try Glob(Array(rest[..<end].utf8))
      isOfDirectory = end < rest.endIndex
      isOfPath = rest.startIndex > text.startIndex || rest[..<end].contains("/")
    }

    func matches(_ path: ArraySlice<UInt8>) -> Bool {
      if !isOfDirectory, matchesEntry(path) { return true }
      var rest = path
      while let slash = rest.lastIndex(of: Self.slash) {
        rest = path[..<slash]
        if matchesEntry(rest) { return true }
      }
      return false
    }

    private func matchesEntry(_ path: ArraySlice<UInt8>) -> Bool {
      let slash = path.lastIndex(of: Self.slash)
      return glob.matches(isOfPath ? path : path[(slash.map { $0 + 1 } ?? path.startIndex)...])
    }
  }

  private let included: [Pattern]
  private let excluded: [Pattern]

  /// - Throws: `GlobFlaw` of the first pattern that means nothing.
  package init(include: [String], exclude: [String]) throws(GlobFlaw) {
    included = try include.map { (text) throws(GlobFlaw) in try Pattern(text) }
    excluded = try exclude.map { (text) throws(GlobFlaw) in try Pattern(text) }
  }

  /// - Parameter path: below the home directory.
  func accepts(_ path: ArraySlice<UInt8>) -> Bool {
    (included.isEmpty || included.contains { $0.matches(path) })
      && !excluded.contains { $0.matches(path) }
  }
}

/// The JSON of a user's settings with all of its members.
private struct WatchDocument {
  private let path: FilePath
  /// An object.
  private let root: JSONValue

  /// - Throws: `UserFile.Failure` for bytes that are no JSON object. Its words quote no text of the
  ///   file.
  init(_ json: [UInt8], path: FilePath) throws(UserFile.Failure) {
    self.path = path
    do throws(JSONValue.SyntaxError) {
      root = try JSONValue.parse(json[...], .uniqueKeys)
    } catch {
      throw UserFile.Failure(
        path: path, reason: "line \(error.line), column \(error.column): invalid JSON")
    }
    guard root.isObject else {
      throw UserFile.Failure(path: path, reason: "the root is \(root.kind), not an object")
    }
  }

  /// - Throws: `UserFile.Failure` for a member that has no meaning.
  func settings() throws(UserFile.Failure) -> WatchSettings {
    var settings = WatchSettings()
    settings.isEnabled = try flag("enabled")
    settings.isLogged = try flag("log")
    settings.recordsDownloads = try flag("recordDownloads")
    settings.hasWitness = try flag("witness")
    settings.include = try list("include")
    settings.exclude = try list("exclude")
    if let value = root["policy"] {
      guard let policy = value.text.flatMap({ WatchPolicy(rawValue: $0) }) else {
        throw flaw("policy", "neither \"keep\" nor \"last\"")
      }
      settings.policy = policy
    }
    settings.applications.only = try list("onlyApplications")
    settings.applications.excluded = try list("excludedApplications")
    settings.directories = try list("directories")
    if let value = root["pausedUntil"] {
      guard let end = value.text.flatMap({ CalendarDate.secondsSinceEpoch(of: $0) }) else {
        throw flaw("pausedUntil", "no date such as \"2026-11-27T15:00:00Z\"")
      }
      settings.pauseEnd = Int(end)
    }
    if let flaw = settings.flaw { throw UserFile.Failure(path: path, reason: flaw) }
    return settings
  }

  private func flag(_ key: String) throws(UserFile.Failure) -> Bool {
    guard let value = root[key] else { return false }
    if case .boolean(let flag) = value.content { return flag }
    throw flaw(key, "\(value.kind), not true or false")
  }

  private func list(_ key: String) throws(UserFile.Failure) -> [String] {
    guard let value = root[key] else { return [] }
    guard value.isArray else { throw flaw(key, "\(value.kind), not an array") }
    return try value.elements.map { (element) throws(UserFile.Failure) in
      if let text = element.text { return text }
      throw flaw(key, "an array with elements other than strings")
    }
  }

  private func flaw(_ key: String, _ reason: String) -> UserFile.Failure {
    UserFile.Failure(path: path, reason: "'\(key)' is \(reason)")
  }

  /// The JSON to write.
  ///
  /// - Throws: `UserFile.Failure` for settings that could not be read again.
  func rewritten(with settings: WatchSettings) throws(UserFile.Failure) -> [UInt8] {
    if let flaw = settings.flaw { throw UserFile.Failure(path: path, reason: flaw) }
    root.set("enabled", to: .boolean(settings.isEnabled))
    let lists = [
      ("include", settings.include), ("exclude", settings.exclude),
      ("onlyApplications", settings.applications.only),
      ("excludedApplications", settings.applications.excluded),
      ("directories", settings.directories),
    ]
    for (key, texts) in lists {
      guard !texts.isEmpty || root[key] != nil else { continue }
      root.set(key, to: .array(texts))
    }
    if settings.policy != .keep || root["policy"] != nil {
      root.set("policy", to: .string(settings.policy.rawValue))
    }
    if settings.isLogged || root["log"] != nil {
      root.set("log", to: .boolean(settings.isLogged))
    }
    if settings.recordsDownloads || root["recordDownloads"] != nil {
      root.set("recordDownloads", to: .boolean(settings.recordsDownloads))
    }
    if settings.hasWitness || root["witness"] != nil {
      root.set("witness", to: .boolean(settings.hasWitness))
    }
    if let end = settings.pauseEnd {
      guard let text = try? CalendarDate.text(sinceEpoch: Double(end)) else {
        throw UserFile.Failure(path: path, reason: "a date is outside the calendar")
      }
      root.set("pausedUntil", to: .string(text))
    } else {
      _ = root.remove("pausedUntil")
    }
    guard let bytes = root.indented else {
      throw UserFile.Failure(path: path, reason: "out of memory")
    }
    return bytes
  }
}

package import Applications
package import FileTree
internal import JSON
package import LinuxSystem

/// What becomes of a source that a written file has already.
package enum WatchPolicy: String, CaseIterable, Sendable {
  /// It stays: who made the document counts.
  case keep
  /// It is replaced: who wrote it last counts.
  case last
}

/// What a user has chosen to be watched, `$XDG_CONFIG_HOME/docsource/watch.json`:
///
/// ```json
/// {"enabled": true, "include": ["*.odt"], "exclude": ["drafts/*"], "policy": "keep"}
/// ```
///
/// Other members are kept when it is written.
package struct WatchSettings: Hashable, Sendable {
  package var isEnabled = false
  package var include: [String] = []
  package var exclude: [String] = []
  package var policy = WatchPolicy.keep

  /// Of all patterns in bytes. What a user writes here is asked for each of that user's files, by a
  /// service for all.
  private static let patternLimit = 16 << 10

  /// What is wrong with the patterns, in words that follow the path of the file.
  fileprivate var flaw: String? {
    if (include + exclude).reduce(0, { $0 + $1.utf8.count }) > Self.patternLimit {
      return "its patterns have more than \(Self.patternLimit >> 10) KiB"
    }
    do throws(GlobFlaw) {
      _ = try WatchGlobs(include: include, exclude: exclude)
      return nil
    } catch {
      return "a pattern in it means nothing: \(error)"
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
  }

  /// - Parameter path: the settings' file; `nil` where the service heeds it.
  package static func neglect(of path: FilePath, _ places: BaseDirectories) -> Neglect? {
    guard let home = places.home else { return nil }
    if path != home.appending(FilePath(".config/docsource/watch.json")) { return .elsewhere }
    guard let owner = FileFingerprint(home)?.owner else { return nil }
    return FileFingerprint(path)?.owner == owner ? nil : .foreign
  }
}

/// Which files a user wants to have tagged: by their names or, where a pattern has a slash, by
/// their paths below the home directory.
package struct WatchGlobs: Sendable {
  private let included: [(glob: Glob, isOfPath: Bool)]
  private let excluded: [(glob: Glob, isOfPath: Bool)]

  /// - Throws: `GlobFlaw` of the first pattern that means nothing.
  package init(include: [String], exclude: [String]) throws(GlobFlaw) {
    included = try Self.globs(include)
    excluded = try Self.globs(exclude)
  }

  private static func globs(
    _ patterns: [String]
  ) throws(GlobFlaw) -> [(glob: Glob, isOfPath: Bool)] {
    var globs: [(glob: Glob, isOfPath: Bool)] = []
    for pattern in patterns {
      globs.append((try Glob(Array(pattern.utf8)), pattern.contains("/")))
    }
    return globs
  }

  /// - Parameter path: below the home directory.
  func accepts(_ path: ArraySlice<UInt8>) -> Bool {
    if included.isEmpty && excluded.isEmpty { return true }
    let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)...]
    func matches(_ globs: [(glob: Glob, isOfPath: Bool)]) -> Bool {
      globs.contains { $0.glob.matches($0.isOfPath ? path : name) }
    }
    return (included.isEmpty || matches(included)) && !matches(excluded)
  }
}

/// The JSON of a user's settings for watching, with all that is in it.
private struct WatchDocument {
  private let path: FilePath
  /// An object.
  private let root: JSONValue

  /// - Throws: `UserFile.Failure` for what is no JSON object. No text of the file is in its words.
  init(_ json: [UInt8], path: FilePath) throws(UserFile.Failure) {
    self.path = path
    do throws(JSONValue.SyntaxError) {
      root = try JSONValue.parse(json[...], .uniqueKeys)
    } catch {
      throw UserFile.Failure(
        path: path, reason: "line \(error.line), column \(error.column): it is not JSON")
    }
    guard root.isObject else {
      throw UserFile.Failure(path: path, reason: "it holds \(root.kind), not an object")
    }
  }

  /// - Throws: `UserFile.Failure` for a member that means nothing.
  func settings() throws(UserFile.Failure) -> WatchSettings {
    var settings = WatchSettings()
    if let value = root["enabled"] {
      guard case .boolean(let isEnabled) = value.content else {
        throw flaw("enabled", "\(value.kind), not true or false")
      }
      settings.isEnabled = isEnabled
    }
    settings.include = try list("include")
    settings.exclude = try list("exclude")
    if let value = root["policy"] {
      guard let policy = value.text.flatMap({ WatchPolicy(rawValue: $0) }) else {
        throw flaw("policy", "neither \"keep\" nor \"last\"")
      }
      settings.policy = policy
    }
    if let flaw = settings.flaw { throw UserFile.Failure(path: path, reason: flaw) }
    return settings
  }

  private func list(_ key: String) throws(UserFile.Failure) -> [String] {
    guard let value = root[key] else { return [] }
    guard value.isArray else { throw flaw(key, "\(value.kind), not an array") }
    var texts: [String] = []
    for element in value.elements {
      guard let text = element.text else {
        throw flaw(key, "an array of something else than strings")
      }
      texts.append(text)
    }
    return texts
  }

  private func flaw(_ key: String, _ reason: String) -> UserFile.Failure {
    UserFile.Failure(path: path, reason: "its '\(key)' is \(reason)")
  }

  /// The JSON to write.
  ///
  /// - Throws: `UserFile.Failure` for settings that could not be read again.
  func rewritten(with settings: WatchSettings) throws(UserFile.Failure) -> [UInt8] {
    if let flaw = settings.flaw { throw UserFile.Failure(path: path, reason: flaw) }
    root.set("enabled", to: .boolean(settings.isEnabled))
    for (key, texts) in [("include", settings.include), ("exclude", settings.exclude)] {
      guard !texts.isEmpty || root[key] != nil else { continue }
      root.set(key, to: .array(texts))
    }
    if settings.policy != .keep || root["policy"] != nil {
      root.set("policy", to: .string(settings.policy.rawValue))
    }
    guard let bytes = root.indented else {
      throw UserFile.Failure(path: path, reason: "there is no memory to rewrite it")
    }
    return bytes
  }
}

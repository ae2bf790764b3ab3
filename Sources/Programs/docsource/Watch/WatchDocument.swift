import Applications
import JSON
import LinuxSystem

/// The JSON of a user's settings for watching, with all that is in it.
struct WatchDocument {
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

import Applications
import CJansson
import FileTree
import LinuxSystem

/// The JSON of a user's settings for watching, with all that is in it.
@safe final class WatchDocument {
  private typealias Value = UnsafeMutablePointer<json_t>

  private let path: FilePath
  /// An object; the reference is ours.
  private let root: Value

  /// - Throws: `UserFile.Failure` for what is no JSON object. No text of the file is in its words.
  init(_ json: [UInt8], path: FilePath) throws(UserFile.Failure) {
    self.path = path
    do throws(JSONSyntaxError) {
      unsafe root = try Value.parse(json, flags: Int(JSON_REJECT_DUPLICATES))
    } catch {
      throw UserFile.Failure(
        path: path, reason: "line \(error.line), column \(error.column): it is not JSON")
    }
    guard unsafe root.pointee.type == JSON_OBJECT else {
      throw UserFile.Failure(path: path, reason: "it holds \(unsafe root.kind), not an object")
    }
  }

  deinit { unsafe json_decref(root) }

  /// - Throws: `UserFile.Failure` for a member that means nothing.
  func settings() throws(UserFile.Failure) -> WatchSettings {
    var settings = WatchSettings()
    if let value = unsafe json_object_get(root, "enabled") {
      let type = unsafe value.pointee.type
      guard type == JSON_TRUE || type == JSON_FALSE else {
        throw flaw("enabled", "\(unsafe value.kind), not true or false")
      }
      settings.isEnabled = type == JSON_TRUE
    }
    settings.include = try list("include")
    settings.exclude = try list("exclude")
    if let value = unsafe json_object_get(root, "policy") {
      guard let policy = unsafe value.text.flatMap({ WatchPolicy(rawValue: $0) }) else {
        throw flaw("policy", "neither \"keep\" nor \"last\"")
      }
      settings.policy = policy
    }
    if let flaw = settings.flaw { throw UserFile.Failure(path: path, reason: flaw) }
    return settings
  }

  private func list(_ key: String) throws(UserFile.Failure) -> [String] {
    guard let value = unsafe json_object_get(root, key) else { return [] }
    guard unsafe value.pointee.type == JSON_ARRAY else {
      throw flaw(key, "\(unsafe value.kind), not an array")
    }
    var texts: [String] = []
    for index in unsafe 0..<json_array_size(value) {
      guard let text = unsafe json_array_get(value, index)?.text else {
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
    unsafe json_object_set_new(root, "enabled", settings.isEnabled ? json_true() : json_false())
    for (key, texts) in [("include", settings.include), ("exclude", settings.exclude)] {
      guard unsafe !texts.isEmpty || json_object_get(root, key) != nil else { continue }
      let list = unsafe json_array()
      for text in texts { unsafe json_array_append_new(list, json_string(text)) }
      unsafe json_object_set_new(root, key, list)
    }
    if unsafe settings.policy != .keep || json_object_get(root, "policy") != nil {
      unsafe json_object_set_new(root, "policy", json_string(settings.policy.rawValue))
    }
    guard let bytes = unsafe root.indented else {
      throw UserFile.Failure(path: path, reason: "there is no memory to rewrite it")
    }
    return bytes
  }
}

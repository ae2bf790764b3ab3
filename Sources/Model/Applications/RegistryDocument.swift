internal import CJansson
internal import LinuxSystem

/// The JSON of the user's list of applications, with all that is in it.
@safe final class RegistryDocument {
  private typealias Value = UnsafeMutablePointer<json_t>

  private static let list = "applications"
  private static let identifier = "identifier"
  private static let name = "name"
  private static let appInfoURL = "appInfoURL"

  private let path: FilePath
  /// An object; the reference is ours.
  private let root: Value
  /// The key that Jansson has merged with another.
  private let repeatedKey: JSONSyntaxError?

  /// - Throws: `UserFile.Failure` for what is no JSON, or not of the registry's form.
  init(_ json: [UInt8], path: FilePath) throws(UserFile.Failure) {
    self.path = path
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let bytes = json.starts(with: mark) ? Array(json.dropFirst(mark.count)) : json
    let flags = Int(JSON_ALLOW_NUL)
    do throws(JSONSyntaxError) {
      do throws(JSONSyntaxError) {
        unsafe root = try Value.parse(bytes, flags: flags | Int(JSON_REJECT_DUPLICATES))
        repeatedKey = nil
      } catch  where error.isRepeatedKey {
        unsafe root = try Value.parse(bytes, flags: flags)
        repeatedKey = error
      }
    } catch {
      throw UserFile.Failure(
        path: path, reason: "line \(error.line), column \(error.column): \(error.reason)")
    }
    guard unsafe root.pointee.type == JSON_OBJECT else {
      throw UserFile.Failure(path: path, reason: "it holds \(unsafe root.kind), not an object")
    }
    if let list = unsafe json_object_get(root, Self.list),
      unsafe list.pointee.type != JSON_ARRAY
    {
      throw UserFile.Failure(
        path: path, reason: "its '\(Self.list)' is \(unsafe list.kind), not an array")
    }
  }

  deinit { unsafe json_decref(root) }

  private var entries: [Value] {
    guard let list = unsafe json_object_get(root, Self.list) else { return unsafe [] }
    return unsafe (0..<json_array_size(list)).compactMap { unsafe json_array_get(list, $0) }
  }

  /// The applications that are well formed.
  var applications: [Application] { read().applications }

  /// What is not well formed.
  var flaws: [ApplicationRegistry.Flaw] { read().flaws }

  private func read() -> (applications: [Application], flaws: [ApplicationRegistry.Flaw]) {
    var applications: [Application] = []
    var flaws: [ApplicationRegistry.Flaw] = []
    var seen: Set<String> = []
    if let repeatedKey {
      let place = "line \(repeatedKey.line), column \(repeatedKey.column)"
      flaws.append(.init(position: nil, reason: "\(place): \(repeatedKey.reason); the last counts"))
    }
    for unsafe(offset, entry) in unsafe entries.enumerated() {
      func flaw(_ reason: String) { flaws.append(.init(position: offset + 1, reason: reason)) }
      guard unsafe entry.pointee.type == JSON_OBJECT else {
        flaw("it is \(unsafe entry.kind), not an object; ignored")
        continue
      }
      let count = flaws.count
      guard let identifier = unsafe text(Self.identifier, of: entry, flaw) else {
        if flaws.count == count { flaw("it has no '\(Self.identifier)'; ignored") }
        continue
      }
      guard seen.insert(identifier).inserted else {
        flaw("'\(identifier)' is there already; ignored")
        continue
      }
      applications.append(
        Application(
          identifier, name: unsafe text(Self.name, of: entry, flaw),
          appInfoURL: unsafe text(Self.appInfoURL, of: entry, flaw), origin: .user, path: path))
    }
    return (applications, flaws)
  }

  /// A member that is a string with something in it.
  private func text(_ key: String, of entry: Value, _ flaw: (String) -> Void) -> String? {
    guard let value = unsafe json_object_get(entry, key) else { return nil }
    guard let text = unsafe value.text else {
      flaw("its '\(key)' is \(unsafe value.kind), not a string; ignored")
      return nil
    }
    guard !text.utf8.contains(0) else {
      flaw("its '\(key)' has a NUL character; ignored")
      return nil
    }
    return text.isEmpty ? nil : text
  }

  /// Changes the first entry of an identifier, or adds one.
  func set(
    _ identifier: String, to change: ApplicationRegistry.Change
  ) -> ApplicationRegistry.Outcome {
    let members = [(Self.name, change.name), (Self.appInfoURL, change.appInfoURL)]
    if let entry = unsafe entries.first(where: { unsafe Self.isEntry($0, of: identifier) }) {
      // Not `contains`: every member is to be set.
      let changes = members.map { unsafe Self.set($0, of: entry, to: $1) }
      return changes.contains(true) ? .changed : .unchanged
    }
    guard let entry = unsafe json_object() else { return .unchanged }
    for (key, value) in [(Self.identifier, identifier)] + members {
      unsafe Self.set(key, of: entry, to: value)
    }
    if unsafe json_object_get(root, Self.list) == nil {
      unsafe json_object_set_new(root, Self.list, json_array())
    }
    unsafe json_array_append_new(json_object_get(root, Self.list), entry)
    return .added
  }

  /// - Returns: whether that has changed it.
  @discardableResult
  private static func set(_ key: String, of entry: Value, to text: String?) -> Bool {
    guard var text else { return false }
    if text.isEmpty { return unsafe json_object_del(entry, key) == 0 }
    // Not ==, for which spellings are equal that differ in bytes.
    if unsafe json_object_get(entry, key)?.text?.utf8.elementsEqual(text.utf8) == true {
      return false
    }
    let value = text.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
        unsafe json_stringn(bytes.baseAddress, bytes.count)
      }
    }
    return unsafe json_object_set_new(entry, key, value) == 0
  }

  /// Removes all entries of the identifiers.
  ///
  /// - Returns: the identifiers that had one.
  func remove(_ identifiers: [String]) -> Set<String> {
    guard let list = unsafe json_object_get(root, Self.list) else { return [] }
    var removed: Set<String> = []
    for index in unsafe (0..<json_array_size(list)).reversed() {
      guard let entry = unsafe json_array_get(list, index),
        let identifier = identifiers.first(where: { unsafe Self.isEntry(entry, of: $0) })
      else { continue }
      unsafe json_array_remove(list, index)
      removed.insert(identifier)
    }
    return removed
  }

  private static func isEntry(_ entry: Value, of identifier: String) -> Bool {
    unsafe json_object_get(entry, Self.identifier)?.text?.utf8.elementsEqual(identifier.utf8)
      == true
  }

  /// The JSON to write.
  ///
  /// - Throws: `UserFile.Failure` where that would lose a member.
  func rewritten() throws(UserFile.Failure) -> [UInt8] {
    if let repeatedKey {
      throw UserFile.Failure(
        path: path,
        reason: "line \(repeatedKey.line), column \(repeatedKey.column): \(repeatedKey.reason);"
          + " rewriting would lose one of the two: remove it first")
    }
    guard let bytes = unsafe root.indented else {
      throw UserFile.Failure(path: path, reason: "there is no memory to rewrite it")
    }
    return bytes
  }
}

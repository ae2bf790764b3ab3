internal import JSON
package import LinuxSystem

/// The user's own list of applications, `$XDG_CONFIG_HOME/docsource/apps.json`:
///
/// ```json
/// {"applications": [{"identifier": "org.example.editor", "name": "Editor",
///                    "appInfoURL": "https://example.org/appInfo.json"}]}
/// ```
///
/// Writing the list keeps all other members. Jansson reads and writes the file: at most 2048 levels
/// are read, and numbers keep their value, not their spelling.
package struct ApplicationRegistry: Sendable {
  /// New values of an application. `nil` keeps the present value, an empty text removes it.
  package struct Change: Hashable, Sendable {
    package var name: String?
    package var appInfoURL: String?

    package init(name: String? = nil, appInfoURL: String? = nil) {
      self.name = name
      self.appInfoURL = appInfoURL
    }
  }

  /// What became of an application.
  package enum Outcome: String, Sendable {
    case added, changed, unchanged
  }

  /// A part of the file that is ignored.
  package struct Flaw: Hashable, Sendable {
    /// The number of the application that has the flaw, from 1; `nil` for one outside of them.
    package let position: Int?
    /// In words that follow the position.
    package let reason: String
  }

  /// Why the file, which exists, cannot be read; the list is empty then.
  package let failure: UserFile.Failure?
  /// In the order of the file.
  package let flaws: [Flaw]
  /// In the order of the file; of two with the same identifier, the first.
  package let applications: [Application]

  /// Reads the list, which is empty where there is no file or it cannot be read.
  package init(places: BaseDirectories) {
    do throws(UserFile.Failure) {
      // To have no home directory, and so no list, is no failure.
      if let file = try? Self.file(places), let content = try file.content() {
        try self.init(json: content, path: file.path)
      } else {
        self.init(failure: nil)
      }
    } catch {
      self.init(failure: error)
    }
  }

  /// Reads the list from the content of a file.
  ///
  /// - Parameter path: the path of that file.
  package init(json: [UInt8], path: FilePath) throws(UserFile.Failure) {
    (applications, flaws) = try RegistryDocument(json, path: path).read()
    failure = nil
  }

  private init(failure: UserFile.Failure?) {
    self.failure = failure
    flaws = []
    applications = []
  }

  /// The path of the file that holds the list.
  ///
  /// - Throws: `UserFile.Failure` where there is no home for configuration.
  package static func path(_ places: BaseDirectories) throws(UserFile.Failure) -> FilePath {
    try file(places).path
  }

  private static func file(_ places: BaseDirectories) throws(UserFile.Failure) -> UserFile {
    try UserFile("apps.json", in: places)
  }

  /// Adds an application to the list on disk, or changes its entry there.
  ///
  /// - Throws: `UserFile.Failure`, also where the list cannot be read, or could not be written
  ///   without losing something.
  package static func set(
    _ identifier: String, to change: Change, _ places: BaseDirectories
  ) throws(UserFile.Failure) -> Outcome {
    var outcome = Outcome.unchanged
    try edit(places) { document in
      outcome = document.set(identifier, to: change)
      return outcome != .unchanged
    }
    return outcome
  }

  /// Removes applications from the list on disk.
  ///
  /// - Returns: those that were on it.
  /// - Throws: as `set`.
  package static func remove(
    _ identifiers: [String], _ places: BaseDirectories
  ) throws(UserFile.Failure) -> Set<String> {
    var removed: Set<String> = []
    // A list that does not exist is not created.
    guard try file(places).content() != nil else { return [] }
    try edit(places) { document in
      removed = document.remove(identifiers)
      return !removed.isEmpty
    }
    return removed
  }

  /// - Parameter change: returns whether it changed the document.
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

/// The JSON of the user's list of applications, with members that docsource does not know.
private struct RegistryDocument {
  private static let list = "applications"
  private static let identifier = "identifier"
  private static let name = "name"
  private static let appInfoURL = "appInfoURL"

  private let path: FilePath
  /// An object.
  private let root: JSONValue
  /// Where a key is repeated, of which Jansson keeps the last.
  private let repeatedKey: JSONValue.SyntaxError?

  /// - Throws: `UserFile.Failure` for what is no JSON, or not of the registry's form.
  init(_ json: [UInt8], path: FilePath) throws(UserFile.Failure) {
    self.path = path
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let bytes = json.starts(with: mark) ? json.dropFirst(mark.count) : json[...]
    do throws(JSONValue.SyntaxError) {
      do throws(JSONValue.SyntaxError) {
        root = try JSONValue.parse(bytes, [.nul, .uniqueKeys])
        repeatedKey = nil
      } catch  where error.isRepeatedKey {
        root = try JSONValue.parse(bytes, .nul)
        repeatedKey = error
      }
    } catch {
      throw UserFile.Failure(path: path, reason: "\(error.place): \(error.reason)")
    }
    guard root.isObject else {
      throw UserFile.Failure(path: path, reason: "the root is \(root.kind), not an object")
    }
    if let list = root[Self.list], !list.isArray {
      throw UserFile.Failure(
        path: path, reason: "'\(Self.list)' is \(list.kind), not an array")
    }
  }

  private var entries: [JSONValue] { root[Self.list].map { Array($0.elements) } ?? [] }

  /// The applications that are well formed, and the flaws of the others.
  func read() -> (applications: [Application], flaws: [ApplicationRegistry.Flaw]) {
    var applications: [Application] = []
    var flaws: [ApplicationRegistry.Flaw] = []
    var seen: Set<String> = []
    if let repeatedKey {
      let reason = "\(repeatedKey.place): \(repeatedKey.reason); the last one is used"
      flaws.append(.init(position: nil, reason: reason))
    }
    for (offset, entry) in entries.enumerated() {
      func flaw(_ reason: String) { flaws.append(.init(position: offset + 1, reason: reason)) }
      guard entry.isObject else {
        flaw("the entry is \(entry.kind), not an object; ignored")
        continue
      }
      let count = flaws.count
      guard let identifier = text(Self.identifier, of: entry, flaw) else {
        if flaws.count == count { flaw("'\(Self.identifier)' is missing; ignored") }
        continue
      }
      guard seen.insert(identifier).inserted else {
        flaw("duplicate of '\(identifier)'; ignored")
        continue
      }
      applications.append(
        Application(
          identifier: identifier, name: text(Self.name, of: entry, flaw), localizedName: nil,
          appInfoURL: text(Self.appInfoURL, of: entry, flaw), origin: .user, path: path))
    }
    return (applications, flaws)
  }

  /// The value of a member that is a string and not empty.
  private func text(_ key: String, of entry: JSONValue, _ flaw: (String) -> Void) -> String? {
    do throws(JSONValue.OtherType) {
      let text = try entry.text(of: key) ?? ""
      if !text.utf8.contains(0) { return text.isEmpty ? nil : text }
      flaw("'\(key)' contains a NUL character; ignored")
    } catch {
      flaw("'\(key)' is \(error.kind), not a string; ignored")
    }
    return nil
  }

  /// Changes the first entry of an identifier, or adds one.
  func set(
    _ identifier: String, to change: ApplicationRegistry.Change
  ) -> ApplicationRegistry.Outcome {
    let members = [(Self.name, change.name), (Self.appInfoURL, change.appInfoURL)]
    if let entry = entries.first(where: { Self.isEntry($0, of: identifier) }) {
      // Not `contains`: every member is to be set.
      let changes = members.map { Self.set($0, of: entry, to: $1) }
      return changes.contains(true) ? .changed : .unchanged
    }
    guard let entry = JSONValue.object() else { return .unchanged }
    for (key, value) in [(Self.identifier, identifier)] + members {
      Self.set(key, of: entry, to: value)
    }
    if root[Self.list] == nil { root.set(Self.list, to: .array()) }
    root[Self.list]?.append(entry)
    return .added
  }

  /// - Returns: whether the entry has changed.
  @discardableResult
  private static func set(_ key: String, of entry: JSONValue, to text: String?) -> Bool {
    guard let text else { return false }
    if text.isEmpty { return entry.remove(key) }
    // Not ==, which takes canonically equivalent texts with different bytes for equal.
    if entry[key]?.text?.utf8.elementsEqual(text.utf8) == true { return false }
    return entry.set(key, to: .string(text))
  }

  /// Removes all entries of the identifiers.
  ///
  /// - Returns: the identifiers that had one.
  func remove(_ identifiers: [String]) -> Set<String> {
    guard let list = root[Self.list] else { return [] }
    var removed: Set<String> = []
    for (position, entry) in entries.enumerated().reversed() {
      guard let identifier = identifiers.first(where: { Self.isEntry(entry, of: $0) })
      else { continue }
      list.removeElement(at: position)
      removed.insert(identifier)
    }
    return removed
  }

  private static func isEntry(_ entry: JSONValue, of identifier: String) -> Bool {
    entry[Self.identifier]?.text?.utf8.elementsEqual(identifier.utf8) == true
  }

  /// The JSON to write.
  ///
  /// - Throws: `UserFile.Failure` where that would lose a member.
  func rewritten() throws(UserFile.Failure) -> [UInt8] {
    if let repeatedKey {
      throw UserFile.Failure(
        path: path,
        reason: "\(repeatedKey.place): \(repeatedKey.reason);"
          + " rewriting the file would lose one of the two; remove one first")
    }
    guard let bytes = root.indented else {
      throw UserFile.Failure(path: path, reason: "out of memory")
    }
    return bytes
  }
}

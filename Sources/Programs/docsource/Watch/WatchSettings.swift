import Applications
import CJansson
import FileTree
import LinuxSystem
import Xattr

/// What a user has chosen to be watched, `$XDG_CONFIG_HOME/docsource/watch.json`:
///
/// ```json
/// {"enabled": true, "include": ["*.odt"], "exclude": ["drafts/*"], "policy": "keep"}
/// ```
///
/// Other members are kept when it is written.
struct WatchSettings: Hashable, Sendable {
  var isEnabled = false
  var include: [String] = []
  var exclude: [String] = []
  var policy = WatchPolicy.keep

  /// Of all patterns in bytes. What a user writes here is asked for each of that user's files, by a
  /// service for all.
  private static let patternLimit = 16 << 10

  /// What is wrong with the patterns, in words that follow the path of the file.
  var flaw: String? {
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
  static func file(_ places: BaseDirectories) throws(UserFile.Failure) -> UserFile {
    try UserFile("watch.json", in: places)
  }

  /// The settings of a user; where there is no file, nothing is watched.
  ///
  /// - Throws: `UserFile.Failure` where there is a file that cannot be read or means nothing.
  static func read(_ places: BaseDirectories) throws(UserFile.Failure) -> WatchSettings {
    let file = try file(places)
    guard let content = try file.content() else { return WatchSettings() }
    return try WatchDocument(content, path: file.path).settings()
  }

  /// Changes the settings on disk.
  ///
  /// - Throws: as `read`, and where the file cannot be written.
  static func edit(
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
}

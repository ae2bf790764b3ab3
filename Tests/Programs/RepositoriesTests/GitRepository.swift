import ForeignFormats
import Foundation
import LinuxSystem
import Repositories
import TestSupport
import Testing

/// A repository that git itself has made.
struct GitRepository {
  struct Failed: Error {
    let words: String
  }

  private static let isStarted: Bool = (try? RepositoryReader.start(isAlone: false)) != nil

  let place: TemporaryDirectory
  /// The work tree.
  let root: String

  /// - Parameter name: that of the work tree, in a directory of its own.
  init(_ name: String = "project") throws {
    #expect(Self.isStarted)
    place = try TemporaryDirectory()
    root = place.path(name)
    try git(["init", "-q", "-b", "main", root], in: place.root)
  }

  /// In a directory that there is already.
  init(at place: TemporaryDirectory, root: String) {
    self.place = place
    self.root = root
  }

  var environment: [String: String] {
    [
      "HOME": place.root, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "Ada",
      "GIT_AUTHOR_EMAIL": "ada@example.com", "GIT_COMMITTER_NAME": "Ada",
      "GIT_COMMITTER_EMAIL": "ada@example.com", "GIT_AUTHOR_DATE": "1700000000 +0100",
      "GIT_COMMITTER_DATE": "1700000000 +0100",
    ]
  }

  @discardableResult
  func git(
    _ arguments: [String], in directory: String? = nil, input: [UInt8] = [],
    environment more: [String: String] = [:]
  ) throws -> String {
    let run = try Execution.run(
      ["git"] + arguments, in: directory ?? root,
      environment: environment.merging(more) { $1 }, input: input)
    guard run.status == 0 else { throw Failed(words: "\(arguments): \(run.errors)") }
    return run.text.trimmingCharacters(in: .newlines)
  }

  @discardableResult
  func git(_ arguments: String...) throws -> String { try git(arguments) }

  func write(_ path: String, _ content: String = "content\n") throws {
    let full = root + "/" + path
    try FileManager.default.createDirectory(
      atPath: (full as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(content.utf8).write(to: URL(fileURLWithPath: full))
  }

  /// Commits all that there is, and returns the commit.
  @discardableResult
  func commit(_ subject: String) throws -> String {
    try git("add", "-A")
    try git("commit", "-q", "--allow-empty", "-m", subject)
    return try git("rev-parse", "HEAD")
  }

  func answer(
    _ extent: RepositoryQuestion.Extent, milliseconds: Int = 60_000
  ) -> RepositoryReader.Answer {
    RepositoryReader(
      RepositoryQuestion(Array(root.utf8), extent), deadline: Clock.milliseconds + milliseconds
    ).answer()
  }

  func answer(_ paths: String...) -> RepositoryReader.Answer {
    answer(.files(paths.map { Array($0.utf8) }))
  }

  /// The states of files, by their paths.
  func states(_ extent: RepositoryQuestion.Extent) -> [String: RepositoryRecord.State] {
    var states: [String: RepositoryRecord.State] = [:]
    for record in answer(extent).records {
      states[String(decoding: record.path, as: UTF8.self)] = record.state
    }
    return states
  }

  /// The commits of paths, by their paths.
  func commits(_ extent: RepositoryQuestion.Extent) -> [String: String] {
    var commits: [String: String] = [:]
    for record in answer(extent).records {
      commits[String(decoding: record.path, as: UTF8.self)] = record.commit?.identifier
    }
    return commits
  }

  /// What git itself says of each path.
  func loggedCommits(_ paths: [String]) throws -> [String: String] {
    let script = #"while read -r path; do git log -1 --format=%H -- "./$path"; done"#
    let input = Array(paths.map { $0 + "\n" }.joined().utf8)
    let run = try Execution.run(
      ["sh", "-c", script], in: root, environment: environment, input: input)
    let lines = run.text.split(separator: "\n").map(String.init)
    guard run.status == 0, lines.count == paths.count else { throw Failed(words: run.errors) }
    return Dictionary(uniqueKeysWithValues: zip(paths, lines))
  }
}

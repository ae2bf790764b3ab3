import ForeignFormats
import Foundation
import Repositories
import TestSupport
import Testing

@Suite struct RepositoryReaderTests {
  private let repository: GitRepository

  init() throws {
    repository = try GitRepository()
    try repository.write(".gitignore", "*.o\nout/\n")
    for path in ["a", "b", "c", "d/e", "d/f"] { try repository.write(path) }
    try repository.commit("First")
  }

  @Test func recordHasTheCommitAndTheRemote() throws {
    try repository.git("remote", "add", "origin", "https://me:secret@example.com/x/tool.git?t=1")
    let answer = repository.answer("a")
    let record = try #require(answer.records.first)
    #expect(answer.records.count == 1)
    #expect(answer.flaws == [])
    #expect(
      record.repository
        == RepositoryRecord.Repository(
          root: Array(repository.root.utf8), remote: "https://example.com/x/tool.git"))
    #expect(record.repository.name == "tool")
    #expect(
      record.commit
        == RepositoryRecord.Commit(
          identifier: try repository.git("rev-parse", "HEAD"), seconds: 1_700_000_000,
          author: "Ada", subject: "First"))
    #expect(record.state == .unchanged)
  }

  /// What git status says, in one letter each.
  private func gitStatus() throws -> [String: RepositoryRecord.State] {
    var states: [String: RepositoryRecord.State] = [:]
    for line in try Execution.run(
      ["git", "status", "--porcelain", "--ignored", "-uall"], in: repository.root,
      environment: repository.environment
    ).text.split(separator: "\n") {
      let letters = line.prefix(2)
      states[String(line.dropFirst(3))] =
        switch letters {
        case "??": .untracked
        case "!!": .ignored
        default: letters.last == " " ? .staged : .changed
        }
    }
    return states
  }

  @Test func statesAreThoseOfGitStatus() throws {
    try repository.write("a", "other\n")
    try repository.write("b", "staged\n")
    try repository.git("add", "b")
    try repository.write("d/e", "staged\n")
    try repository.git("add", "d/e")
    try repository.write("d/e", "changed\n")
    chmod(repository.root + "/c", 0o755)
    try repository.write("new")
    try repository.write("added")
    try repository.git("add", "added")
    try repository.write("x.o")
    try repository.write("out/y")
    let files = ["a", "b", "c", "d/e", "d/f", "new", "added", "x.o", "out/y", ".gitignore"]
    var expected = Dictionary(
      uniqueKeysWithValues: files.map { ($0, RepositoryRecord.State.unchanged) })
    let said = try gitStatus()
    for (path, state) in said { expected[path] = state }
    expected["out/"] = nil
    expected["out/y"] = .ignored
    #expect(repository.states(.files(files.map { Array($0.utf8) })) == expected)
    #expect(expected["a"] == .changed)
    #expect(expected["b"] == .staged)
    #expect(expected["d/e"] == .changed)
    #expect(expected["added"] == .staged)
    #expect(repository.commits(.files([Array("added".utf8)])) == [:])
    #expect(expected["new"] == .untracked)
    #expect(expected["x.o"] == .ignored)
    expected["out/y"] = nil
    expected["out/"] = .ignored
    #expect(repository.states(.trees([[]])) == expected)
  }

  /// As after `touch`: the index has another time, so that the content decides.
  @Test func fileThatIsWrittenAnewWithItsContentIsUnchanged() throws {
    let index = try Data(contentsOf: URL(filePath: repository.root + "/.git/index"))
    #expect(try Execution.run(["touch", "-d", "@1000", repository.root + "/a"]).status == 0)
    #expect(repository.states(.files([[0x61]])) == ["a": .unchanged])
    #expect(repository.states(.trees([[]]))["a"] == .unchanged)
    // git itself would note the new time.
    #expect(try Data(contentsOf: URL(filePath: repository.root + "/.git/index")) == index)
  }

  @Test func lineEndsAreConvertedAsTheAttributesSay() throws {
    try repository.write(".gitattributes", "*.txt text eol=crlf\n")
    try repository.write("t.txt", "one\r\ntwo\r\n")
    try repository.commit("Text")
    #expect(try Execution.run(["touch", "-d", "@1000", repository.root + "/t.txt"]).status == 0)
    #expect(repository.states(.files([Array("t.txt".utf8)])) == ["t.txt": .unchanged])
  }

  @Test func directoriesHaveCommitsAndNoState() throws {
    let records = repository.answer("d", "").records
    #expect(Set(records.map { String(decoding: $0.path, as: UTF8.self) }) == ["d", ""])
    #expect(records.allSatisfy { $0.state == nil && $0.commit?.subject == "First" })
    try FileManager.default.createDirectory(
      atPath: repository.root + "/empty", withIntermediateDirectories: true)
    #expect(repository.states(.files([Array("empty".utf8)])) == ["empty": .untracked])
  }

  @Test func conflictIsAChange() throws {
    try repository.git("checkout", "-q", "-b", "other")
    try repository.write("a", "one\n")
    try repository.commit("One")
    try repository.git("checkout", "-q", "main")
    try repository.write("a", "two\n")
    let two = try repository.commit("Two")
    _ = try? repository.git("merge", "-q", "other")
    #expect(repository.states(.files([[0x61]])) == ["a": .changed])
    #expect(repository.commits(.files([[0x61]])) == ["a": two])
    #expect(repository.states(.trees([[]]))["a"] == .changed)
  }

  @Test func repositoryWithoutCommitsHasStagedFilesOnly() throws {
    let new = try GitRepository()
    try new.write("a")
    #expect(new.answer("a").records.map(\.state) == [.untracked])
    try new.git("add", "a")
    let record = try #require(new.answer("a").records.first)
    #expect(record.state == .staged)
    #expect(record.commit == nil)
    #expect(record.repository.remote == nil)
    #expect(record.repository.name == "project")
  }

  @Test func remoteIsThatOfTheUpstreamThenOriginThenTheOnlyOne() throws {
    func remote() -> String? { repository.answer("a").repository?.remote }
    #expect(remote() == nil)
    try repository.git("remote", "add", "one", "git@example.com:one.git")
    #expect(remote() == "git@example.com:one.git")
    try repository.git("remote", "add", "two", "ssh://git:pw@example.com:22/two")
    #expect(remote() == nil)
    try repository.git("config", "branch.main.remote", "two")
    #expect(remote() == "ssh://git@example.com:22/two")
    try repository.git("remote", "add", "origin", "https://token@example.com/o#x")
    #expect(remote() == "ssh://git@example.com:22/two")
    try repository.git("config", "branch.main.remote", ".")
    #expect(remote() == "https://example.com/o")
    try repository.git("remote", "set-url", "--add", "origin", "https://example.com/second")
    #expect(remote() == "https://example.com/o")
    #expect(try repository.git("remote", "get-url", "origin") == "https://token@example.com/o#x")
    try repository.git(
      "config", "url.https://mirror.example.com/.insteadOf", "https://token@example.com/")
    #expect(remote() == "https://mirror.example.com/o")
    #expect(
      try repository.git("remote", "get-url", "origin") == "https://mirror.example.com/o#x")
  }

  @Test func worktreesAndSubmodulesAreRepositoriesOfTheirOwn() throws {
    let place = repository.place
    try repository.git("worktree", "add", "-q", place.path("tree"), "-b", "tree")
    let tree = GitRepository(at: place, root: place.path("tree"))
    try tree.write("a", "there\n")
    let commit = try tree.commit("There")
    #expect(tree.commits(.files([[0x61]])) == ["a": commit])
    #expect(repository.commits(.files([[0x61]]))["a"] != commit)
    let outer = GitRepository(at: place, root: place.path("outer"))
    try repository.git(["init", "-q", "-b", "main", outer.root])
    try outer.git(
      "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository.root, "inner")
    let added = try outer.commit("Add inner")
    let inner = GitRepository(at: place, root: outer.root + "/inner")
    #expect(inner.commits(.files([[0x61]])) == repository.commits(.files([[0x61]])))
    #expect(outer.commits(.files([Array("inner".utf8)])) == ["inner": added])
    #expect(outer.answer("inner/a").records.map(\.commit) == [nil])
  }
}

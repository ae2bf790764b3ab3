import ForeignFormats
import Foundation
import TestSupport
import Testing

/// The commits of paths, against git itself.
@Suite struct PathHistoryTests {
  private func made(seed: UInt64, commits: Int, files: Int) throws -> GitRepository {
    let repository = try GitRepository()
    let history = RandomHistory(seed: seed, commits: commits, files: files)
    try repository.git(["fast-import", "--quiet"], input: history.bytes)
    try repository.git("checkout", "-q", "main")
    return repository
  }

  @Test func thousandFilesOfHistoryWithMergesHaveTheCommitsOfGitLog() throws {
    let seed = UInt64.random(in: 0...(.max))
    print("seed \(seed)")
    let repository = try made(seed: seed, commits: 400, files: 1600)
    let files = try repository.git("ls-files").split(separator: "\n").map(String.init)
    let some = Array(files.shuffled().prefix(1000))
    #expect(some.count > 700)
    let directories = Set(files.map { ($0 as NSString).deletingLastPathComponent })
    let paths = some + directories + ["."]
    var expected = try repository.loggedCommits(paths)
    expected[""] = expected.removeValue(forKey: ".")
    let found = repository.commits(.trees([[]]))
    #expect(found.count == files.count + directories.count + 1 + 7)
    for (path, commit) in expected { #expect(found[path] == commit, "\(path), seed \(seed)") }
    for path in some.prefix(60) + directories.prefix(20) {
      let one = repository.commits(.files([Array(path.utf8)]))
      #expect(one == [path: expected[path]], "\(path), seed \(seed)")
    }
  }

  @Test(arguments: 0..<6)
  func smallHistoriesHaveTheCommitsOfGitLog(_ number: Int) throws {
    let seed = UInt64.random(in: 0...(.max))
    print("seed \(seed)")
    let repository = try made(seed: seed, commits: 60, files: 12)
    let files = try repository.git("ls-files").split(separator: "\n").map(String.init)
    let expected = try repository.loggedCommits(files)
    let paths = files.map { Array($0.utf8) }
    #expect(repository.commits(.files(paths)) == expected, "seed \(seed)")
    try repository.git("gc", "-q")
    #expect(repository.commits(.files(paths)) == expected, "seed \(seed)")
  }

  @Test func extentsHaveWhatTheyNameOnly() throws {
    let repository = try GitRepository()
    for path in ["a/b/c", "a/b/d", "a/e", "a.txt", "f"] { try repository.write(path) }
    let first = try repository.commit("First")
    #expect(
      repository.commits(.entries(Array("a".utf8))) == ["a/b": first, "a/e": first])
    #expect(repository.commits(.entries([])) == ["a": first, "a.txt": first, "f": first])
    #expect(
      repository.commits(.trees([Array("a/b".utf8)]))
        == ["a/b": first, "a/b/c": first, "a/b/d": first])
    #expect(
      Set(repository.commits(.trees([Array("a".utf8)])).keys)
        == ["a", "a/b", "a/b/c", "a/b/d", "a/e"])
    #expect(repository.commits(.trees([Array("f".utf8)])) == ["f": first])
    #expect(repository.commits(.trees([Array("g".utf8)])) == [:])
  }

  @Test func modeLinksAndDirectoriesThatBecomeFilesAreChanges() throws {
    let repository = try GitRepository()
    for path in ["run", "x/y", "z", "same"] { try repository.write(path) }
    symlink("z", repository.root + "/link")
    let first = try repository.commit("First")
    chmod(repository.root + "/run", 0o755)
    unlink(repository.root + "/link")
    symlink("run", repository.root + "/link")
    try repository.git("rm", "-q", "x/y", "z")
    try repository.write("x")
    try repository.write("z/w")
    let second = try repository.commit("Second")
    #expect(
      repository.commits(.trees([[]])) == [
        "": second, "run": second, "link": second, "x": second, "z": second, "z/w": second,
        "same": first,
      ])
  }

  @Test func shallowRepositoryEndsWhereItsHistoryDoes() throws {
    let repository = try GitRepository()
    try repository.write("a")
    try repository.commit("First")
    try repository.write("b")
    let last = try repository.commit("Second")
    let copy = GitRepository(at: repository.place, root: repository.place.path("copy"))
    try repository.git("clone", "-q", "--depth", "1", "file://\(repository.root)", copy.root)
    #expect(copy.commits(.files([[0x61], [0x62]])) == ["a": last, "b": last])
    #expect(try copy.loggedCommits(["a", "b"]) == ["a": last, "b": last])
  }
}

import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import FileTree

@Suite struct TreeWalkTests {
  private static func walk(
    _ root: String, links: Links = .follow
  ) throws -> (found: [String: TreeEntry.Kind], failed: [String: Errno]) {
    var found: [String: TreeEntry.Kind] = [:]
    var failed: [String: Errno] = [:]
    try TreeWalk.walk(below: FilePath(root), links: links) { entry in
      found[String(entry.path.description.dropFirst(root.count + 1))] = entry.kind
    } failed: { failure in
      failed[String(failure.path.description.dropFirst(root.count + 1))] = failure.errno
    }
    return (found, failed)
  }

  @Test func everythingBelowIsVisitedAndNoLinkFollowed() throws {
    let tree = try TemporaryDirectory()
    for name in ["a/b/c", "empty"] {
      try FileManager.default.createDirectory(
        atPath: tree.path(name), withIntermediateDirectories: true)
    }
    for name in ["f", "a/g", "a/b/c/h", ".hidden"] { try tree.file(name) }
    symlink("..", tree.path("a/up"))
    symlink("f", tree.path("link"))
    mkfifo(tree.path("fifo"), 0o600)
    let walked = try Self.walk(tree.root)
    #expect(
      walked.found == [
        "a": .directory, "a/b": .directory, "a/b/c": .directory, "empty": .directory, "f": .file,
        "a/g": .file, "a/b/c/h": .file, ".hidden": .file, "a/up": .other, "link": .other,
        "fifo": .other,
      ])
    #expect(walked.failed.isEmpty)
  }

  @Test func rootMayBeALinkOnlyWhereLinksAreFollowed() throws {
    let tree = try TemporaryDirectory()
    mkdir(tree.path("real"), 0o700)
    try tree.file("real/f")
    symlink("real", tree.path("link"))
    #expect(try Self.walk(tree.path("link")).found == ["f": .file])
    let failure = #expect(throws: TreeFailure.self) {
      try Self.walk(tree.path("link"), links: .noFollow)
    }
    #expect(failure?.errno == .notDirectory)
  }

  @Test func treeDeeperThanTheLimitOfOpenFilesIsReportedAndSurvived() throws {
    let tree = try TemporaryDirectory()
    let script = """
      import os, sys
      os.chdir(sys.argv[1])
      for _ in range(3000):
          os.mkdir('d'); os.chdir('d')
      """
    #expect(try Execution.run(["python3", "-c", script, tree.root]).status == 0)
    var visited = 0
    var errors: [Errno] = []
    try TreeWalk.walk(below: FilePath(tree.root), links: .follow) { _ in
      visited += 1
    } failed: {
      errors.append($0.errno)
    }
    #expect(visited == 3000 || errors == [.tooManyOpenFiles])
    #expect(try Execution.run(["rm", "-rf", tree.path("d")]).status == 0)
  }

  /// Each takes over the last directory of another, and none may pass it on without end.
  @Test(.timeLimit(.minutes(1)), arguments: [3, 8, 64, 128])
  func walkOfMoreThreadsThanDirectoriesEnds(_ workers: Int) throws {
    let tree = try TemporaryDirectory()
    for directory in 0..<9 {
      mkdir(tree.path("\(directory)"), 0o700)
      for file in 0..<100 { try tree.file("\(directory)/\(file)", "") }
    }
    let counts = try TreeWalk.walk(
      below: FilePath(tree.root), links: .noFollow, workers: workers, block: { 0 },
      visit: { count, _ in count += 1 }, failed: { count, _ in count += 1_000_000 })
    #expect(counts.reduce(0, +) == 909)
  }
}

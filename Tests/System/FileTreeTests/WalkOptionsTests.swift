import Foundation
import LinuxSystem
import TestSupport
import Testing
import Xattr

@testable import FileTree

@Suite struct WalkOptionsTests {
  private static func tree() throws -> TemporaryDirectory {
    let tree = try TemporaryDirectory()
    for name in ["a/b/c", ".h/i"] {
      try FileManager.default.createDirectory(
        atPath: tree.path(name), withIntermediateDirectories: true)
    }
    for name in ["f", "a/g", "a/b/c/h", ".dot", ".h/i/k"] { try tree.file(name) }
    symlink("/", tree.path("a/root"))
    return tree
  }

  @Test(arguments: ["1", "2", "5"]) func anyNumberOfWorkersVisitsTheSame(workers: String) throws {
    let tree = try Self.tree()
    let walked = try Visited(tree.root, "--workers", workers, "--list")
    #expect(
      walked.entries == [
        "d .h", "d .h/i", "d a", "d a/b", "d a/b/c", "f .dot", "f .h/i/k", "f a/b/c/h", "f a/g",
        "f f", "o a/root",
      ])
    #expect(walked.failures == [])
  }

  @Test func oneWorkerVisitsInTheOrderOfTheWalkWithoutBlocks() throws {
    let one = try Visited("/usr/include", "--workers", "1", "--list")
    let sequential = try Visited("/usr/include", "--sequential", "--list")
    #expect(one.bytes == sequential.bytes)
    #expect(one.count > 100)
  }

  @Test func twoWorkersVisitARealTreeAsFindDoes() throws {
    let found = try Execution.run(["find", "/usr/include", "-mindepth", "1", "-print0"]).output
    let visited = try Visited("/usr/include", "--workers", "2", "--list")
    #expect(
      Set(visited.bytes.map { Array($0.dropFirst(2)) })
        == Set(found.split(separator: 0).map(Array.init)))
    #expect(visited.bytes.count == Set(visited.bytes).count)
  }

  @Test func nothingDeeperThanTheMaximumIsVisited() throws {
    let tree = try Self.tree()
    #expect(try Visited(tree.root, "--max-depth", "0", "--list").entries == [])
    #expect(
      try Visited(tree.root, "--max-depth", "1", "--list").entries
        == ["d .h", "d a", "f .dot", "f f"])
    #expect(
      try Visited(tree.root, "--max-depth", "2", "--list").entries
        == ["d .h", "d .h/i", "d a", "d a/b", "f .dot", "f a/g", "f f", "o a/root"])
  }

  @Test func hiddenEntriesAreNeitherVisitedNorWalkedWhereTheyAreLeftOut() throws {
    let tree = try Self.tree()
    #expect(
      try Visited(tree.root, "--no-hidden", "--list").entries
        == ["d a", "d a/b", "d a/b/c", "f a/b/c/h", "f a/g", "f f", "o a/root"])
  }

  @Test func excludedEntriesAreNeitherVisitedNorWalked() throws {
    let tree = try Self.tree()
    #expect(
      try Visited(tree.root, "--exclude", "b", "--exclude", ".h/", "--list").entries
        == ["d a", "f .dot", "f a/g", "f f", "o a/root"])
    #expect(
      try Visited(tree.root, "--exclude", "/b", "--exclude", "a/*/c", "--no-hidden", "--list")
        .entries == ["d a", "d a/b", "f a/g", "f f", "o a/root"])
    #expect(
      try Visited(tree.path("a") + "/", "--exclude", "/b/c", "--list").entries
        == ["d \(tree.path("a/b"))", "f \(tree.path("a/g"))", "o \(tree.path("a/root"))"])
  }

  /// A repository with a worktree's file, a bare repository, and files with Git's names elsewhere.
  private static func repositories() throws -> TemporaryDirectory {
    let tree = try TemporaryDirectory()
    for name in [
      ".git/HEAD", ".git/index", ".git/objects/ab/cd", ".git/modules/m/HEAD",
      ".git/modules/m/refs/heads/index", ".git/modules/m/index", ".git/modules/m/objects/o",
      "bare/HEAD", "bare/refs/r", "bare/objects/o", "objects/o", "index", "work/.git", "CVS/Root",
      "_darcs/d", "a/.hg/h", "a/CVS.txt", "a/index/i", ".jj",
    ] { try tree.file(name) }
    return tree
  }

  @Test func directoriesOfVersionControlAreLeftOut() throws {
    let tree = try Self.repositories()
    let walked = try Visited(tree.root, "--no-version-control", "--list")
    #expect(
      walked.entries == [
        "d a", "d a/index", "d bare", "d objects", "d work", "f .jj", "f a/CVS.txt",
        "f a/index/i", "f index", "f objects/o",
      ])
  }

  @Test func objectsAndIndexOfGitAloneAreLeftOut() throws {
    let tree = try Self.repositories()
    let all = try Visited(tree.root, "--list").entries
    let walked = try Visited(tree.root, "--no-objects", "--list").entries
    #expect(
      Set(all).subtracting(walked) == [
        "f .git/index", "d .git/objects", "d .git/objects/ab", "f .git/objects/ab/cd",
        "f .git/modules/m/index", "d .git/modules/m/objects", "f .git/modules/m/objects/o",
        "d bare/objects", "f bare/objects/o",
      ])
    #expect(Set(walked).isSubset(of: all))
  }

  @Test(.enabled(if: Visited.mayMount))
  func mountPointIsLeftOutOnOneFileSystem() throws {
    let tree = try Self.tree()
    let script = """
      mount -t tmpfs none "$1/a/b"
      touch "$1/a/b/other"
      "$2" --one-file-system --no-hidden --list "$1"
      """
    let walked = try Visited(Visited.inNamespace(script, tree.root), below: tree.root)
    #expect(walked.entries == ["d a", "f a/g", "f f", "o a/root"])
    #expect(walked.failures == [])
  }

  /// A file is mounted on another as a container's /etc/hosts is; an overlay shows the files of its
  /// lower layer with another device than its directories.
  @Test(
    .enabled(if: Visited.mayMount, "mounting needs root"),
    arguments: [
      "--bind \"$1/tree\"", "-t overlay none -o lowerdir=\"$1/tree\" -o upperdir=up,workdir=work",
    ])
  func filesThatAreMountedAreLeftOutOnOneFileSystem(_ mount: String) throws {
    let tree = try TemporaryDirectory()
    let script = """
      cd "$1"
      mkdir -p tree/d outside there
      touch tree/d/e tree/f tree/g
      mount -t tmpfs none outside
      cd outside
      mkdir up work
      touch h
      mount \(mount) "$1/there"
      mount --bind h "$1/there/f"
      mount --bind up "$1/there/d"
      "$2" --one-file-system --list "$1/there"
      """
    let walked = try Visited(
      Visited.inNamespace(script, tree.root), below: tree.path("there"))
    #expect(walked.entries == ["f g"])
    #expect(walked.failures == [])
  }

  /// A bind mount has the device of the tree that it is mounted in. The root may be one itself.
  @Test(
    .enabled(if: Visited.mayMount, "mounting needs root"),
    arguments: [["--sequential"], ["--workers", "2"]], [false, true])
  func bindMountOfTheSameDeviceIsLeftOutOnOneFileSystem(
    _ workers: [String], _ isRootBound: Bool
  ) throws {
    let tree = try Self.tree()
    let script = """
      \(isRootBound ? "mount --bind \"$1\" \"$1\"" : ":")
      mount --bind "$1/.h" "$1/a/b"
      "$2" \(workers.joined(separator: " ")) --one-file-system --no-hidden --list "$1"
      """
    let walked = try Visited(Visited.inNamespace(script, tree.root), below: tree.root)
    #expect(walked.entries == ["d a", "f a/g", "f f", "o a/root"])
    #expect(walked.failures == [])
  }

  /// The option makes the walk ask each directory one question, as it does without, and each entry
  /// another.
  @Test func stayingOnOneFileSystemCostsASystemCallForEachEntry() throws {
    let tree = try Self.tree()
    func calls(_ options: String...) throws -> Int {
      let log = tree.path("log")
      let traced = try Execution.run(
        [
          "strace", "-o", log, "-e", "trace=fstat,newfstatat,statx", Visited.program,
          "--workers", "1",
        ] + options + [tree.path("a")])
      #expect(traced.status == 0, "\(traced.errors)")
      return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").count {
        $0.contains("stat")
      }
    }
    // b, b/c, b/c/h, g and root; one more is that of the root, whose mount is the walk's.
    #expect(try calls("--one-file-system") == calls() + 6)
  }

  private static func visited(_ root: String, _ options: WalkOptions) throws -> [String: String] {
    var found: [String: String] = [:]
    try TreeWalk.walk(below: FilePath(root), links: .follow, options: options) { entry in
      let what =
        switch entry.attribute {
        case .absent: "absent"
        case .value(let bytes): unsafe "\(Array(bytes.prefix(4))) of \(bytes.count)"
        case .unknown: "unknown"
        case nil: "unread"
        }
      found[String(entry.path.description.dropFirst(root.count + 1))] = what
    } failed: {
      Issue.record("\($0)")
    }
    return found
  }

  @Test func onlyKindsAskedForAreVisitedThoughAllDirectoriesAreWalked() throws {
    let tree = try Self.tree()
    #expect(
      try Self.visited(tree.root, WalkOptions(kinds: .files)).keys.sorted()
        == [".dot", ".h/i/k", "a/b/c/h", "a/g", "f"])
    #expect(
      try Self.visited(tree.root, WalkOptions(kinds: .directories)).keys.sorted()
        == [".h", ".h/i", "a", "a/b", "a/b/c"])
    #expect(try Self.visited(tree.root, WalkOptions(kinds: .others)) == ["a/root": "unread"])
  }

  @Test func attributeAskedForIsReadOfEachEntryItself() throws {
    let tree = try Self.tree()
    let name = try #require(AttributeName("user.docsource.test"))
    for (file, count) in [("f", 3), ("a/g", 0), ("a/b/c/h", 1024), (".dot", 1025)] {
      try ExtendedAttributes(of: .path(FilePath(tree.path(file)))).setValue(
        [UInt8](repeating: 7, count: count), of: name)
    }
    var options = WalkOptions()
    options.attribute = WalkOptions.Attribute(name, absent: .visited)
    #expect(
      try Self.visited(tree.root, options) == [
        "f": "[7, 7, 7] of 3", "a/g": "[] of 0", "a/b/c/h": "[7, 7, 7, 7] of 1024",
        ".dot": "unknown", ".h/i/k": "absent", ".h": "absent", ".h/i": "absent", "a": "absent",
        "a/b": "absent", "a/b/c": "absent", "a/root": "absent",
      ])
    options.attribute = WalkOptions.Attribute(name, absent: .leftOut)
    #expect(
      try Self.visited(tree.root, options) == [
        "f": "[7, 7, 7] of 3", "a/g": "[] of 0", "a/b/c/h": "[7, 7, 7, 7] of 1024",
        ".dot": "unknown",
      ])
  }

  @Test func namesOfEveryLengthAreWhole() throws {
    let tree = try TemporaryDirectory()
    let names = Set((1...255).map { String(repeating: "n", count: $0) })
    for name in names { try tree.file(name) }
    #expect(try Set(Self.visited(tree.root, WalkOptions()).keys) == names)
  }

  @Test func cancelledWalkVisitsNoFurtherEntry() throws {
    let tree = try Self.tree()
    #expect(try Visited(tree.root, "--sequential", "--limit", "3").count == 3)
    #expect(try Visited(tree.root, "--workers", "1", "--limit", "3").count == 3)
    let walked = try Visited("/usr", "--workers", "2", "--limit", "3")
    #expect((3...6).contains(walked.count))
  }
}

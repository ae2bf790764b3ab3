import Foundation
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import FileTree

@Suite struct HostileTreeTests {
  @Test func namesThatAreNotUTF8AreVisitedByTheirBytes() throws {
    let tree = try TemporaryDirectory()
    let script = """
      import os, sys
      os.chdir(os.fsencode(sys.argv[1]))
      os.mkdir(b'\\xff\\xfe')
      os.mknod(b'\\xff\\xfe/caf\\xe9')
      os.mknod(b'new\\nline')
      """
    #expect(try Execution.run(["python3", "-c", script, tree.root]).status == 0)
    let walked = try Visited(tree.root, "--list")
    let prefix = tree.root.utf8.count + 3
    #expect(
      Set(walked.bytes.map { Array($0.dropFirst(prefix)) }) == [
        [0xff, 0xfe], [0xff, 0xfe] + Array("/caf".utf8) + [0xe9], Array("new\nline".utf8),
      ])
  }

  @Test func directoryThatDeniesAccessIsReportedAndPassedOver() throws {
    let tree = try TemporaryDirectory()
    for name in ["closed", "open", "open/unsearchable"] { mkdir(tree.path(name), 0o755) }
    for name in ["closed/f", "open/g", "open/unsearchable/h"] { try tree.file(name) }
    chmod(tree.root, 0o755)
    chmod(tree.path("closed"), 0)
    chmod(tree.path("open/unsearchable"), 0o444)
    let other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    for workers in ["1", "2"] {
      let walked = try Visited(
        tree.root, "--list", "--workers", workers, by: geteuid() == 0 ? other : [])
      #expect(
        walked.entries == [
          "d closed", "d open", "d open/unsearchable", "f open/g", "f open/unsearchable/h",
        ])
      #expect(walked.failures == ["permission denied: closed"])
    }
    chmod(tree.path("closed"), 0o755)
    chmod(tree.path("open/unsearchable"), 0o755)
  }

  @Test func directoryThatVanishesBeforeItIsOpenedIsReported() throws {
    let tree = try TemporaryDirectory()
    for name in ["a", "b", "c"] { mkdir(tree.path(name), 0o755) }
    try tree.file("c/f")
    var found: Set<String> = []
    var failed: [TreeFailure] = []
    try TreeWalk.walk(below: FilePath(tree.root), links: .follow) { entry in
      found.insert(String(entry.path.description.dropFirst(tree.root.count + 1)))
      if entry.path.lastComponent.elementsEqual("b".utf8) { rmdir(tree.path("b")) }
    } failed: {
      failed.append($0)
    }
    #expect(found == ["a", "b", "c", "c/f"])
    #expect(failed.map(\.path) == [FilePath(tree.path("b"))])
    #expect(failed.map(\.errno) == [.noSuchFile])
    #expect(failed.map(\.cause) == [.errno])
  }

  @Test func directoryThatVanishesWhileItIsReadIsAtItsEnd() throws {
    let tree = try TemporaryDirectory()
    mkdir(tree.path("d"), 0o755)
    for name in ["d/f", "g"] { try tree.file(name) }
    var found: Set<String> = []
    var failures = 0
    try TreeWalk.walk(below: FilePath(tree.root), links: .follow) { entry in
      found.insert(String(entry.path.description.dropFirst(tree.root.count + 1)))
      if entry.path.lastComponent.elementsEqual("f".utf8) {
        unlink(tree.path("d/f"))
        rmdir(tree.path("d"))
      }
    } failed: { _ in
      failures += 1
    }
    #expect(found == ["d", "d/f", "g"])
    #expect(failures == 0)
  }

  @Test func directoryReplacedByALinkIsReportedAndNotFollowed() throws {
    let tree = try TemporaryDirectory()
    for name in ["inside", "inside/d", "outside"] { mkdir(tree.path(name), 0o755) }
    try tree.file("outside/secret")
    var found: [String] = []
    var causes: [TreeFailure.Cause] = []
    try TreeWalk.walk(below: FilePath(tree.path("inside")), links: .follow) { entry in
      found.append(entry.path.description)
      rmdir(tree.path("inside/d"))
      symlink("../outside", tree.path("inside/d"))
    } failed: {
      causes.append($0.cause)
    }
    #expect(found == [tree.path("inside/d")])
    #expect(causes == [.replaced])
  }

  /// Walks 40 levels of `d`, deep enough that those above are closed when the walk is at its
  /// bottom, and there moves directories away.
  private static func walk(
    _ tree: TemporaryDirectory, moving depths: [Int]
  ) throws -> (found: [String], failed: [TreeFailure]) {
    for name in ["inside/" + level(40), "outside"] {
      try FileManager.default.createDirectory(
        atPath: tree.path(name), withIntermediateDirectories: true)
    }
    // Met before or after the way down, as the file system has it; met in any case.
    for name in ["outside/secret", "inside/f", "inside/d/f"] { try tree.file(name) }
    var found: [String] = []
    var failed: [TreeFailure] = []
    try TreeWalk.walk(below: FilePath(tree.path("inside")), links: .follow) { entry in
      found.append(String(entry.path.description.dropFirst(tree.path("inside").count + 1)))
      guard found.last == level(40) else { return }
      for depth in depths {
        rename(tree.path("inside/" + level(depth)), tree.path("outside/\(depth)"))
      }
    } failed: {
      failed.append($0)
    }
    return (found.sorted(), failed)
  }

  private static func level(_ depth: Int) -> String {
    (0..<depth).map { _ in "d" }.joined(separator: "/")
  }

  private static let everything = ((1...40).map(level) + ["f", "d/f"]).sorted()

  @Test func directoryMovedAwayIsNotLeftThroughItsNewParent() throws {
    let tree = try TemporaryDirectory()
    let walked = try Self.walk(tree, moving: [10])
    #expect(walked.found == Self.everything)
    #expect(walked.failed.isEmpty)
  }

  @Test func directoryThatCannotBeReachedAgainIsReportedAndItsParentReadOn() throws {
    let tree = try TemporaryDirectory()
    let walked = try Self.walk(tree, moving: [11, 10])
    #expect(walked.found == Self.everything)
    #expect(walked.failed.map(\.cause) == [.moved])
    #expect(walked.failed.map(\.path) == [FilePath(tree.path("inside/" + Self.level(10)))])
  }

  @Test(.enabled(if: Visited.mayMount))
  func directoryMountedBelowItselfIsReportedAndNotWalkedAgain() throws {
    let tree = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: tree.path("inside/a/b"), withIntermediateDirectories: true)
    try tree.file("inside/f")
    let inside = tree.path("inside")
    for workers in ["1", "2"] {
      let list = #""$2" --list --workers \#(workers) "$1/inside""#
      let itself = try Visited(
        Visited.inNamespace(#"mount --bind "$1/inside" "$1/inside/a/b"; "# + list, tree.root),
        below: inside)
      #expect(itself.entries == ["d a", "d a/b", "f f"])
      #expect(itself.failures == ["the directory is mounted below itself: a/b"])
      let parent = try Visited(
        Visited.inNamespace(#"mount --bind "$1" "$1/inside/a/b"; "# + list, tree.root),
        below: inside)
      #expect(parent.entries == ["d a", "d a/b", "d a/b/inside", "f f"])
      #expect(parent.failures == ["the directory is mounted below itself: a/b/inside"])
    }
  }

  /// Components of a way down are exchanged for links that lead out, and moved out, all the time.
  @Test func nothingOutsideIsVisitedWhileComponentsAreSwapped() throws {
    let tree = try TemporaryDirectory()
    let script = """
      import os, sys
      os.chdir(sys.argv[1])
      os.makedirs('inside/' + 'd/' * 40)
      os.makedirs('outside/' + 'd/' * 40)
      for top, name in (('inside', 'open'), ('outside', 'secret')):
          for depth in range(41): os.mknod(top + '/d' * depth + '/' + name)
      os.mkdir('aside'); os.mknod('aside/secret')
      os.mknod('ready')
      ways = [os.path.abspath('inside/' + 'd/' * depth + 'd') for depth in (0, 3, 20, 38)]
      outside = os.path.abspath('outside')
      while True:
          for way in ways:
              os.rename(way, 'aside/d')
              os.symlink(outside, way)
              os.unlink(way)
              os.rename('aside/d', way)
      """
    let swapper = try RunningProcess(["python3", "-c", script, tree.root].map { Array($0.utf8) })
    defer {
      swapper.kill(SIGKILL)
      _ = swapper.wait()
    }
    try Patience.wait { access(tree.path("ready"), F_OK) == 0 }
    let (end, latest) = (Date() + 4, Date() + 120)
    var walks = 0
    var failures = 0
    // On a busy machine, it takes time until both are at it at once.
    while Date() < end || failures == 0 && Date() < latest {
      let blocks = try TreeWalk.walk(
        below: FilePath(tree.path("inside")), links: .noFollow, workers: 1 + walks % 3
      ) {
        (secrets: 0, failures: 0)
      } visit: {
        if $1.path.lastComponent.elementsEqual("secret".utf8) { $0.secrets += 1 }
      } failed: { block, _ in
        block.failures += 1
      }
      try #require(blocks.allSatisfy { $0.secrets == 0 })
      failures += blocks.reduce(0) { $0 + $1.failures }
      walks += 1
    }
    // Otherwise the race was not run.
    #expect(walks > 10)
    #expect(failures > 0)
  }
}

import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import FileTree

/// Which files untrusted paths lead to, by both ways to open directories.
@Suite struct TreeLookupTests {
  private static let routes = [TreeLookup.Route.kernel, .components]

  /// A tree beside what must not be reached from it.
  private static func tree() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let script = """
      mkdir -p tree/a/b outside && touch tree/f tree/a/b/f outside/f &&
      ln -s ../outside tree/link && ln -s a tree/inner && ln -s f tree/file && mkfifo tree/fifo
      """
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    return directory
  }

  /// The inode that a path leads to, or why it leads to none.
  private static func found(
    _ path: String, _ lookup: TreeLookup
  ) -> Result<ino_t, TreeLookup.Refusal> {
    do throws(TreeLookup.Refusal) {
      guard case .entry(let directory, let name, _, .noFollow) = try lookup.file(at: FilePath(path))
      else { return .failure(.errno(.invalidArgument)) }
      var status = stat()
      let result = name.withCString { fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) }
      return result == 0 ? .success(status.st_ino) : .failure(.errno(.current))
    } catch {
      return .failure(error)
    }
  }

  private static func inode(_ path: String) -> ino_t {
    var status = stat()
    stat(path, &status)
    return status.st_ino
  }

  @Test(arguments: routes)
  func pathsLeadToFilesOfTheTreeOnly(_ route: TreeLookup.Route) throws {
    let directory = try Self.tree()
    let lookup = try TreeLookup(below: FilePath(directory.path("tree")), route: route)
    for (path, file) in [
      ("f", "f"), ("./f", "f"), ("a/b/f", "a/b/f"), ("a//b/./f", "a/b/f"), ("a/b/f/", "a/b/f"),
      ("a", "a"), ("a/b/", "a/b"), (".", "."), ("././", "."),
    ] {
      #expect(
        Self.found(path, lookup) == .success(Self.inode(directory.path("tree/\(file)"))), "\(path)")
    }
    let refused: [(String, TreeLookup.Refusal)] = [
      ("", .empty), ("/", .absolute), ("/etc/passwd", .absolute), ("..", .upwards),
      ("../outside/f", .upwards), ("a/../f", .upwards), ("a/..", .upwards), ("none", .missing),
      ("none/f", .missing), ("link/f", .linkOnTheWay), ("inner/b/f", .linkOnTheWay),
      ("a/b/f/g", .errno(.notDirectory)), ("link", .link), ("file", .link), ("fifo", .special),
      (String(repeating: "n", count: 300), .errno(.fileNameTooLong)),
    ]
    for (path, refusal) in refused {
      #expect(Self.found(path, lookup) == .failure(refusal), "\(path)")
    }
  }

  @Test(arguments: routes)
  func pathsLeadAnywhereWhereThatIsWanted(_ route: TreeLookup.Route) throws {
    let directory = try Self.tree()
    let lookup = try TreeLookup(
      below: FilePath(directory.path("tree")), bounds: .anywhere, route: route)
    let outside = Self.inode(directory.path("outside/f"))
    #expect(Self.found("../outside/f", lookup) == .success(outside))
    #expect(Self.found("a/../../outside/f", lookup) == .success(outside))
    #expect(Self.found("/", lookup) == .success(Self.inode("/")))
    #expect(Self.found("/etc/passwd", lookup) == .success(Self.inode("/etc/passwd")))
    #expect(Self.found("..", lookup) == .success(Self.inode(directory.root)))
    #expect(Self.found("link/f", lookup) == .failure(.linkOnTheWay))
    #expect(Self.found("../tree/link/f", lookup) == .failure(.linkOnTheWay))
  }

  @Test func rootMayBeALinkAndMustBeADirectory() throws {
    let directory = try Self.tree()
    let lookup = try TreeLookup(below: FilePath(directory.path("tree/link")))
    #expect(Self.found("f", lookup) == .success(Self.inode(directory.path("outside/f"))))
    #expect {
      try TreeLookup(below: FilePath(directory.path("tree/f")))
    } throws: { ($0 as? TreeFailure)?.errno == .notDirectory }
  }

  /// Deeper than `PATH_MAX`, so that no call takes the path whole.
  @Test func pathsMayBeLongerThanTheKernelTakes() throws {
    let directory = try TemporaryDirectory()
    let name = String(repeating: "d", count: 200)
    let script = """
      import os
      for _ in range(30):
          os.mkdir("\(name)")
          os.chdir("\(name)")
      open("f", "w").close()
      """
    #expect(try Execution.run(["python3", "-c", script], in: directory.root).status == 0)
    let lookup = try TreeLookup(below: FilePath(directory.root))
    let way = String(repeating: "\(name)/", count: 30)
    guard case .success = Self.found("\(way)f", lookup) else {
      Issue.record("the file is not found")
      return
    }
    #expect(Self.found("\(way)g", lookup) == .failure(.missing))
  }

  @Test func fileSystemsOfTheKernelsOwnAreToldFromThatOfProcesses() throws {
    for (root, isLocal) in [("/dev/shm", true), ("/proc/self", false)] {
      let place = try TreeLookup(below: FilePath(root)).place(of: FilePath("name"))
      #expect(place.isOnLocalFileSystem == isLocal)
    }
  }

  /// A directory is swapped for a link out of the tree again and again.
  @Test(arguments: routes)
  func swappedDirectoryNeverLeadsOut(_ route: TreeLookup.Route) throws {
    let directory = try Self.tree()
    #expect(try Execution.run(["mkdir", "tree/a/out"], in: directory.root).status == 0)
    #expect(try Execution.run(["touch", "tree/a/out/f"], in: directory.root).status == 0)
    let script = """
      import os
      while True:
          os.rename("a/out", "a/kept")
          os.symlink("../../outside", "a/out")
          os.unlink("a/out")
          os.rename("a/kept", "a/out")
      """
    let swapper = try RunningProcess(
      ["python3", "-c", script].map { Array($0.utf8) }, in: directory.path("tree"))
    defer {
      swapper.kill(SIGKILL)
      _ = swapper.wait()
    }
    let lookup = try TreeLookup(below: FilePath(directory.path("tree")), route: route)
    let outside = Self.inode(directory.path("outside/f"))
    var (links, round) = (0, 0)
    while round < 30_000 || links == 0 && round < 3_000_000 {
      round += 1
      switch Self.found("a/out/f", lookup) {
      case .success(let inode):
        try #require(inode != outside)
        try #require(inode != 0)
      case .failure(.linkOnTheWay): links += 1
      case .failure(let refusal):
        try #require([.missing, .errno(.notDirectory)].contains(refusal), "\(refusal)")
      }
      _ = Self.found("f", lookup)  // so that the directory is looked up anew
    }
    #expect(links > 0, "the swap was never met")
  }
}

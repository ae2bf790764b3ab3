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

  /// The file that a lookup says a path leads to, or why it leads to none.
  private static func identity(
    _ path: String, _ lookup: TreeLookup
  ) -> Result<FileIdentity, TreeLookup.Refusal> {
    Result { () throws(TreeLookup.Refusal) in try lookup.place(of: FilePath(path)).identity }
  }

  private static func identity(_ path: String) -> Result<FileIdentity, TreeLookup.Refusal> {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .failure(.missing) }
    return .success(FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
  }

  /// A tree with a directory of so many files, and others beside them.
  private static func crowd(_ count: Int) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let script = """
      mkdir -p tree/d/sub && cd tree/d && seq -f f%g \(count) | xargs touch && ln f1 other
      ln -s f1 link; mkfifo fifo; touch .hidden 'a b' ../f
      """
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    return directory
  }

  /// A file that is removed then is found still, which shows that the directory was read.
  @Test func directoryOfManyFilesIsReadOnceByAllThreads() throws {
    let directory = try Self.crowd(100)
    let shared = SharedLookup(try TreeLookup(below: FilePath(directory.path("tree"))))
    let (first, second) = (shared.forThisThread(), shared.forThisThread())
    func check(_ name: String, _ lookup: TreeLookup) {
      #expect(
        Self.identity("d/\(name)", lookup) == Self.identity(directory.path("tree/d/\(name)")),
        "\(name)")
    }
    for number in 1...17 { check("f\(number)", first) }
    let former = Self.identity(directory.path("tree/d/f100"))
    #expect(Self.identity("d/f100", second) == former)
    unlink(directory.path("tree/d/f100"))
    #expect(Self.identity("d/f100", first) == .failure(.missing))
    check("f18", first)
    let kept = Self.identity(directory.path("tree/d/f99"))
    unlink(directory.path("tree/d/f99"))
    for lookup in [first, second] {
      for number in 1...98 { check("f\(number)", lookup) }
      for name in ["sub", "other", "a b", ".hidden", "f0", "f", "f999"] { check(name, lookup) }
      #expect(Self.identity("d/f99", lookup) == kept)
      #expect(Self.identity("d/link", lookup) == .failure(.link))
      #expect(Self.identity("d/fifo", lookup) == .failure(.special))
      #expect(Self.identity("d/f1", lookup) == Self.identity("d/other", lookup))
      #expect(Self.identity("f", lookup) == Self.identity(directory.path("tree/f")))
      #expect(Self.identity("d/sub", lookup) == Self.identity(directory.path("tree/d/sub")))
    }
  }

  @Test func largeDirectoryIsReadForMoreFilesOnly() throws {
    let directory = try Self.crowd(600)
    let shared = SharedLookup(try TreeLookup(below: FilePath(directory.path("tree"))))
    let lookup = shared.forThisThread()
    let files = (1...600).map { Self.identity(directory.path("tree/d/f\($0)")) }
    for number in 1...65 {
      #expect(Self.identity("d/f\(number)", lookup) == files[number - 1])
    }
    unlink(directory.path("tree/d/f600"))
    #expect(Self.identity("d/f600", lookup) == .failure(.missing))
    unlink(directory.path("tree/d/f599"))
    for number in 66...599 {
      #expect(Self.identity("d/f\(number)", lookup) == files[number - 1], "\(number)")
    }
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

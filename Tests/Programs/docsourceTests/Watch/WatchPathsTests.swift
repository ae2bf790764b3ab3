import Foundation
import Glibc
import TestSupport
import Testing

/// Where a file is that was written by another name, or in another tree of mounts.
@Suite(.enabled(if: FileSystem.mayMount && ApplicationScope.mayMake))
struct WatchPathsTests {
  private typealias Watch = WatchCommandTests

  private let scope: ApplicationScope

  init() throws {
    scope = try ApplicationScope("app-gnome-\(WatchCommandTests.editor)-4243.scope")
  }

  private func tag(_ path: String) -> String {
    "\"identifier\":\"\(Watch.editor)\",\"name\":\"Editor\",\"path\":\"\(path)\""
  }

  @Test(arguments: [FileSystem.Kind.ext4, .xfs, .btrfs])
  func nameThatTheFileHasGotCounts(_ kind: FileSystem.Kind) throws {
    let system = try FileSystem(kind)
    let place = try WatchPlace(system, home: Watch.home(), [system.root])
    let code = """
      root = '\(system.root)'
      def write(name, file):
          os.write(file, b'text')
          os.close(file)
      file = os.open(root, os.O_TMPFILE | os.O_RDWR, 0o644)
      os.link(f'/proc/self/fd/{file}', f'{root}/unnamed', src_dir_fd=file, follow_symlinks=True)
      write('unnamed', file)
      file = os.open(f'{root}/first', os.O_CREAT | os.O_RDWR, 0o644)
      os.link(f'{root}/first', f'{root}/second')
      os.unlink(f'{root}/first')
      write('second', file)
      # What somebody else calls so is another file.
      file = os.open(f'{root}/third', os.O_CREAT | os.O_RDWR, 0o644)
      os.rename(f'{root}/third', f'{root}/fourth (deleted)')
      write('fourth', file)
      file = os.open(f'{root}/fifth', os.O_CREAT | os.O_RDWR, 0o644)
      os.mkdir(f'{root}/away')
      os.link(f'{root}/fifth', f'{root}/away/fifth')
      os.unlink(f'{root}/fifth')
      open(f'{root}/fifth (deleted)', 'w').close()
      write('fifth', file)
      """
    let writer = try Watch.writer(code, scope: scope)
    defer { Watch.finish(writer) }
    for name in ["unnamed", "second", "fourth (deleted)", "fifth (deleted)"] {
      try Patience.wait { try Watch.source(system.path(name)) != "" }
      #expect(try Watch.source(system.path(name)).contains(tag(name)), "\(name)")
    }
    // Where that one is was not to be found.
    #expect(try Watch.source(system.path("away/fifth")) == "")
    #expect(try place.end().errors.contains("docsource: 4 tagged, 0 kept"))
  }

  @Test func samePathInAnotherTreeOfMountsIsAnotherFile() throws {
    let system = try FileSystem(.ext4)
    for name in ["watched", "container"] {
      try FileManager.default.createDirectory(
        atPath: system.path(name), withIntermediateDirectories: false)
    }
    let place = try WatchPlace(system, home: Watch.home(), [system.path("watched")])
    let code = """
      root = '\(system.root)'
      assert os.system(f'mount --bind {root}/container {root}/watched') == 0
      open(f'{root}/watched/inside', 'w').write('text')
      """
    let container = try Watch.writer(code, scope: scope, prefix: "unshare -m ")
    defer { Watch.finish(container) }
    let inside = system.path("container/inside")
    try Patience.wait { FileManager.default.fileExists(atPath: inside) }
    // As the sandbox of a flatpak has it: another tree, but the same file.
    let sandbox = try Watch.writer(
      "open('\(system.path("watched/outside"))', 'w').write('text')", scope: scope,
      prefix: "unshare -m ")
    defer { Watch.finish(sandbox) }
    let outside = system.path("watched/outside")
    try Patience.wait { try Watch.source(outside) != "" }
    #expect(try Watch.source(outside).contains(tag("outside")))
    #expect(try Watch.source(inside) == "")
    #expect(try place.end().errors.contains("docsource: 1 tagged, 0 kept"))
  }

  @Test func pathThatTheFileSystemHasNoRoomForIsLeftOut() throws {
    let system = try FileSystem(.ext4)
    let place = try WatchPlace(system, home: Watch.home(), [system.root])
    let directory = String(repeating: "d", count: 250)
    try FileManager.default.createDirectory(
      atPath: system.path(directory), withIntermediateDirectories: true)
    let path = system.path("\(directory)/file")
    // All attributes of a file are in one block.
    let code = """
      file = open('\(path)', 'w')
      os.setxattr(file.fileno(), 'user.other', b'x' * (os.fstatvfs(file.fileno()).f_bsize - 300))
      file.close()
      """
    let writer = try Watch.writer(code, scope: scope)
    defer { Watch.finish(writer) }
    try Patience.wait { try Watch.source(path) != "" }
    let source = try Watch.source(path)
    #expect(source.contains("\"identifier\":\"\(Watch.editor)\",\"name\":\"Editor\""))
    #expect(!source.contains("\"path\""))
    #expect(try place.end().status == 0)
  }
}

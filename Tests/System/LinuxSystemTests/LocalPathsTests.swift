import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Paths that may lead to mounts which do not answer.
@Suite struct LocalPathsTests {
  private let directory: TemporaryDirectory
  private let root: String
  private let paths: LocalPaths

  init() throws {
    directory = try TemporaryDirectory()
    root = try #require(FilePath(directory.root).realPath?.description)
    let manager = FileManager.default
    try manager.createDirectory(
      atPath: directory.path("a/b"), withIntermediateDirectories: true)
    try manager.createDirectory(
      atPath: directory.path("far/below"), withIntermediateDirectories: true)
    for (name, target) in [
      ("link", "a/b"), ("up", "a/../a"), ("away", "far/below"), ("loop", "loop"),
      ("whole", "\(root)/a"),
    ] {
      try manager.createSymbolicLink(
        atPath: directory.path(name), withDestinationPath: target)
    }
    paths = LocalPaths(try Self.mounts([("\(root)/far", "fuse.sshfs"), ("\(root)/a", "ext4")]))
  }

  private static func mounts(_ all: [(point: String, type: String)]) throws -> [Mount] {
    try ([("/", "ext4")] + all).enumerated().map { number, mount in
      let line = "\(number + 20) 1 8:\(number) / \(mount.0) rw - \(mount.1) x rw"
      return try #require(Mount(line: Array(line.utf8)[...]))
    }
  }

  @Test(arguments: [
    ("a/b", "a/b"), ("link", "a/b"), ("up/b/.", "a/b"), ("whole//b", "a/b"), ("a/b/..", "a"),
  ])
  func linksAreFollowed(_ path: String, _ expected: String) {
    #expect(
      paths.place(of: FilePath(directory.path(path))) == .local(Array("\(root)/\(expected)".utf8)))
  }

  @Test(arguments: ["far", "far/below", "away", "away/x/y", "a/../far/../far/x"])
  func mountIsNotEntered(_ path: String) {
    #expect(
      paths.place(of: FilePath(directory.path(path))) == .remote(Array("\(root)/far".utf8)))
  }

  @Test(arguments: ["none", "loop", "a/none/x"])
  func whatIsNotThereIsMissing(_ path: String) {
    #expect(paths.place(of: FilePath(directory.path(path))) == .missing)
  }

  @Test func lastMountOfAPathCounts() throws {
    let over = LocalPaths(
      try Self.mounts([("\(root)/far", "fuse.sshfs"), ("\(root)/far", "tmpfs")]))
    #expect(
      over.place(of: FilePath(directory.path("far"))) == .local(Array("\(root)/far".utf8)))
  }

  @Test func mountAboveAPathIsFound() {
    let far = Array("\(root)/far".utf8)
    #expect(paths.remote(above: far + Array("/x".utf8)) == far)
    #expect(paths.remote(above: far) == far)
    #expect(paths.remote(above: far + Array("ther".utf8)) == nil)
    #expect(paths.remote(above: Array("/".utf8)) == nil)
    #expect(paths.remote(above: []) == nil)
  }

  @Test func rootThatMayNotAnswerHasEverything() throws {
    let line = "20 1 8:0 / / rw - fuse.overlay x rw"
    let all = LocalPaths([try #require(Mount(line: Array(line.utf8)[...]))])
    #expect(all.place(of: FilePath("/etc")) == .remote([]))
    #expect(all.remote(above: Array("/etc".utf8)) == [])
  }
}

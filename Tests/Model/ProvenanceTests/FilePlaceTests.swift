import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Provenance

/// Files beside a file are replaced and removed only as they were when they were read.
@Suite struct FilePlaceTests {
  private let directory: TemporaryDirectory
  private let place: FilePlace
  private static let beside = [Array("beside".utf8)]

  init() throws {
    directory = try TemporaryDirectory()
    let file = try HeldFile(.path(FilePath(try directory.file("letter"))))
    place = try #require(try FilePlace(of: file))
  }

  private func neighbour() throws -> NeighbourFile {
    try #require(try place.neighbour(Self.beside))
  }

  private func path() throws -> NeighbourPath {
    NeighbourPath(components: Self.beside, version: try neighbour().version, firstFolder: nil)
  }

  @Test func fileIsReplacedAsItWasRead() throws {
    try directory.file("beside", "old")
    try place.write(Array("new".utf8), to: Self.beside, replacing: neighbour())
    #expect(try directory.text("beside") == "new")
  }

  @Test func fileThatHasChangedIsNotReplaced() throws {
    try directory.file("beside", "old")
    let former = try neighbour()
    try directory.file("beside", "changed since")
    #expect(throws: Errno.fileExists) {
      try place.write(Array("new".utf8), to: Self.beside, replacing: former)
    }
    #expect(try directory.text("beside") == "changed since")
  }

  @Test func fileThatHasComeIsNotReplaced() throws {
    try directory.file("beside", "own")
    #expect(throws: Errno.fileExists) {
      try place.write(Array("new".utf8), to: Self.beside, replacing: nil)
    }
    #expect(try directory.text("beside") == "own")
  }

  @Test func fileThatHasChangedIsNotRemoved() throws {
    try directory.file("beside", "old")
    let path = try path()
    try directory.file("beside", "changed since")
    #expect(try place.remove(path) == .changed)
    #expect(try directory.text("beside") == "changed since")
    #expect(try place.remove(self.path()) == .done)
    #expect(access(directory.path("beside"), F_OK) != 0)
  }
}

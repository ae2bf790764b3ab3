import Foundation
import Glibc
import ShareItem
import TestSupport
import Testing

@testable import Handoff
@testable import LinuxSystem

/// What an item names stays what was judged, whoever changes its directory meanwhile.
@Suite struct ItemFilesTests {
  private struct Place {
    let directory: TemporaryDirectory
    let files: ItemFiles

    init() throws {
      directory = try TemporaryDirectory()
      for name in ["party/in", "keys/in"] {
        try FileManager.default.createDirectory(
          atPath: directory.path(name), withIntermediateDirectories: true)
      }
      _ = try directory.file("party/in/a.txt", "invitation\n")
      _ = try directory.file("keys/in/a.txt", "key\n")
      files = ItemFiles(payload: FilePath(directory.path("party")), allowsAnyPath: false)
    }

    func judged() throws -> ItemFile {
      let resolved = try files.resolved([.file("in/a.txt", type: "public.plain-text")])
      return try #require(resolved.first?.file)
    }

    func link(_ name: String, to target: String) throws {
      try FileManager.default.moveItem(
        atPath: directory.path(name), toPath: directory.path(name + ".old"))
      try FileManager.default.createSymbolicLink(
        atPath: directory.path(name), withDestinationPath: directory.path(target))
    }
  }

  @Test func fileIsReadThatWasJudged() throws {
    let place = try Place()
    let file = try place.judged()
    #expect(try file.held().content(limit: 100) == Array("invitation\n".utf8))
  }

  @Test func directoryOfTheItemIsTheOneThatWasJudged() throws {
    let place = try Place()
    let file = try place.judged()
    try place.link("party", to: "keys")
    #expect(try file.held().content(limit: 100) == Array("invitation\n".utf8))
  }

  @Test(arguments: [
    ("party/in", "keys/in", "a directory in the path"),
    ("party/in/a.txt", "keys/in/a.txt", "the file"),
  ])
  func linkThatCameLaterIsNotFollowed(_ name: String, _ target: String, _ what: String) throws {
    let place = try Place()
    let file = try place.judged()
    try place.link(name, to: target)
    let refusal = #expect(throws: Refusal.self) { try file.held() }
    #expect(
      refusal?.reason
        == #""in/a.txt": \#(what) is a symbolic link, which docsource does not follow"#)
    #expect(refusal?.remedy == nil)
  }

  @Test func fileThatCameLaterIsRefused() throws {
    let place = try Place()
    let file = try place.judged()
    try FileManager.default.moveItem(
      atPath: place.directory.path("party/in/a.txt"), toPath: place.directory.path("party/b.txt"))
    _ = try place.directory.file("party/in/a.txt", "another\n")
    let refusal = #expect(throws: Refusal.self) { try file.held() }
    #expect(refusal?.reason == #""in/a.txt": replaced by another file meanwhile"#)
  }
}

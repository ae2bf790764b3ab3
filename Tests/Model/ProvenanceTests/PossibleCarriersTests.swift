import Glibc
import LinuxSystem
import TestSupport
import Testing
import Xattr

@testable import Provenance

/// Whether a file may have more than its source is answered by the list of carriers that a report goes
/// through.
@Suite struct PossibleCarriersTests {
  private let directory: TemporaryDirectory
  private let file: FileReference

  init() throws {
    directory = try TemporaryDirectory()
    try #require(mkdir(directory.path("sub"), 0o755) == 0)
    file = .path(FilePath(try directory.file("sub/letter")))
    try set("user.x-document-source")
  }

  private func set(_ name: String) throws {
    try ExtendedAttributes(of: file)
      .setValue(Array("x".utf8), of: try #require(AttributeName(name)))
  }

  /// What a report has besides the source.
  private var others: Int {
    get throws {
      let report = try ProvenanceReader().report(on: file)
      return report.marks.count - 1 + report.flaws.count
    }
  }

  private func put(_ path: String) throws {
    let folders = path.split(separator: "/").dropLast()
    for end in folders.indices {
      mkdir(directory.path(folders[...end].joined(separator: "/")), 0o755)
    }
    try directory.file(path)
  }

  @Test(arguments: [
    "user.com.apple.quarantine", "user.creator", "user.xdg.origin.url", "user.Zone.Identifier",
    "user.user.x-document-source", "user.DosStream.x-document-source:$DATA",
    "user.DosStream.Zone.Identifier:$DATA",
  ])
  func attributeThatIsAMarkIsMore(_ name: String) throws {
    #expect(try others == 0 && !ProvenanceReader.mayHaveMore(file))
    try set(name)
    #expect(try others == 1 && ProvenanceReader.mayHaveMore(file))
  }

  @Test(arguments: [
    "sub/letter:Zone.Identifier", "sub/letter\u{f03a}Zone.Identifier",
    "sub/letter:x-document-source", "sub/letter:com.apple.quarantine", "sub/._letter",
    "sub/.AppleDouble/letter::EA::com.apple.quarantine", "sub/__MACOSX/._letter",
    "__MACOSX/sub/._letter",
  ])
  func fileThatHoldsMarksIsMore(_ path: String) throws {
    try put(path)
    #expect(try others == 1 && ProvenanceReader.mayHaveMore(file))
  }

  @Test(arguments: [
    "sub/other:Zone.Identifier", "sub/letter:other", "sub/._other", "__MACOSX/sub/._other",
    "__MACOSX/._letter",
  ])
  func anythingElseIsNoMore(_ path: String) throws {
    try set("user.rating")
    try put(path)
    #expect(try others == 0 && !ProvenanceReader.mayHaveMore(file))
  }

  @Test func signOfStreamsElsewhereIsEnough() throws {
    try set("user.SAMBA_STREAMS")
    #expect(try others == 0 && ProvenanceReader.mayHaveMore(file))
  }

  @Test func folderOfNetatalkIsEnough() throws {
    try put("sub/.AppleDouble/letter")
    #expect(try others == 0 && ProvenanceReader.mayHaveMore(file))
  }

  @Test func somethingAtEachPlaceOfTheListIsMore() throws {
    for folder in ["sub/.AppleDouble", "sub/__MACOSX", "__MACOSX", "__MACOSX/sub"] {
      try #require(mkdir(directory.path(folder), 0o755) == 0)
    }
    var paths: [String] = []
    try PossibleCarriers(of: file).forEach(.all) { place in
      switch place {
      case .file(let path, _, _), .appleDouble(let path, _):
        paths.append(path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/"))
      case .attribute, .held, .unreachable: break
      }
      return false
    }
    #expect(paths.count == 25)
    for path in paths where !path.hasPrefix(".AppleDouble/") {
      try #require(rmdir(directory.path("sub/.AppleDouble")) == 0 || errno == ENOENT)
      #expect(!ProvenanceReader.mayHaveMore(file))
      try directory.file("sub/\(path)")
      #expect(ProvenanceReader.mayHaveMore(file), "\(path)")
      try #require(unlink(directory.path("sub/\(path)")) == 0)
    }
  }

  @Test func marksOfALinksTargetCount() throws {
    let link = FilePath(directory.path("link"))
    try #require(symlink("sub/letter", directory.path("link")) == 0)
    #expect(!ProvenanceReader.mayHaveMore(.path(link)))
    try put("sub/letter:Zone.Identifier")
    #expect(ProvenanceReader.mayHaveMore(.path(link)))
    #expect(!ProvenanceReader.mayHaveMore(.path(link, links: .noFollow)))
  }

  @Test func fileThatHoldsMarksOfAnotherHasMore() throws {
    try put("sub/letter:Zone.Identifier")
    #expect(
      ProvenanceReader.mayHaveMore(.path(FilePath(directory.path("sub/letter:Zone.Identifier")))))
  }

  @Test func missingFileMayHaveMore() {
    #expect(ProvenanceReader.mayHaveMore(.path(FilePath(directory.path("missing")))))
  }
}

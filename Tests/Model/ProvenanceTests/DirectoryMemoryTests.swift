import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Provenance

/// A directory is asked once for all its files, until it changes.
@Suite struct DirectoryMemoryTests {
  private let directory: TemporaryDirectory
  private let memory = DirectoryMemory()

  init() throws { directory = try TemporaryDirectory() }

  private func place(_ name: String) throws -> FilePlace {
    let file = try HeldFile(.path(FilePath(directory.path(name))))
    return try #require(try FilePlace(of: file, with: memory))
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func namesAreReadForTheSecondFile() throws {
    try directory.file("a")
    try directory.file("b")
    // Unknown, everything may be there.
    #expect(try place("a").mayHave(bytes("._a")))
    let second = try place("b")
    #expect(!second.mayHave(bytes("._b")))
    #expect(!second.mayHaveStreams)
    #expect(second.mayHave(bytes("b")), "only names of carriers are known")
  }

  @Test(arguments: [
    "._b", "b:Zone.Identifier", "b\u{f03a}Zone.Identifier", ".AppleDouble", "__MACOSX", ".streams",
  ])
  func nameInAnyLetterCaseMayBeThere(_ name: String) throws {
    try directory.file("b")
    try directory.file(name.uppercased())
    _ = try place("b")
    let second = try place("b")
    #expect(second.mayHave(bytes(name)))
    #expect(!second.mayHave(bytes("._other")))
    #expect(second.mayHaveStreams == (name.first == "b"))
  }

  @Test func carrierThatComesIsFound() throws {
    try directory.file("b")
    _ = try place("b")
    #expect(try place("b").neighbour([bytes("._b")]) == nil)
    try directory.file("._b", "beside")
    let neighbour = try place("b").neighbour([bytes("._b")])
    #expect(neighbour?.length == 6)
  }

  @Test func fileOfLargeDirectoryDoesNotReadIt() throws {
    for number in 0..<2000 { try directory.file("file \(number)") }
    _ = try place("file 0")
    #expect(try place("file 1").mayHave(bytes("._file 1")))
    // As many files as the listing is worth.
    for number in 2..<100 { _ = try place("file \(number)") }
    #expect(try !place("file 0").mayHave(bytes("._file 0")))
  }

  @Test func ownRemovalLeavesTheDirectoryKnown() throws {
    try directory.file("b")
    try directory.file("._b", "beside")
    _ = try place("b")
    let second = try place("b")
    let neighbour = try #require(try second.neighbour([bytes("._b")]))
    let path = NeighbourPath(
      components: [bytes("._b")], version: neighbour.version, firstFolder: nil)
    #expect(try second.remove(path) == .done)
    let third = try place("b")
    #expect(!third.mayHave(bytes("._c")), "another listing would need more files")
    #expect(try third.neighbour([bytes("._b")]) == nil)
  }

  @Test func folderAboveIsAskedForOnce() throws {
    #expect(mkdir(directory.path("d"), 0o755) == 0)
    try directory.file("d/b")
    let first = try place("d/b")
    #expect(first.hasArchiveAbove == nil)
    first.hasArchiveAbove = false
    #expect(try place("d/b").hasArchiveAbove == false)
    // Another name in the directory, and all is asked again.
    try directory.file("d/c")
    #expect(try place("d/b").hasArchiveAbove == nil)
  }

  @Test func pathThatLeadsElsewhereIsFollowedAgain() throws {
    #expect(mkdir(directory.path("d"), 0o755) == 0)
    try directory.file("d/b", "old")
    _ = try place("d/b")
    #expect(rename(directory.path("d"), directory.path("e")) == 0)
    #expect(mkdir(directory.path("d"), 0o755) == 0)
    try directory.file("d/b", "new")
    try directory.file("d/._b", "beside")
    #expect(try place("d/b").neighbour([bytes("._b")])?.length == 6)
  }

  @Test func linkLeadsToTheDirectoryOfItsTarget() throws {
    #expect(mkdir(directory.path("d"), 0o755) == 0)
    try directory.file("d/b")
    try directory.file("d/._b", "beside")
    #expect(symlink("d/b", directory.path("b")) == 0)
    for _ in 0..<3 { #expect(try place("b").neighbour([bytes("._b")])?.length == 6) }
  }
}

import FileTree
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

  /// Each is worth 4,096 bytes of listings, in all directories together.
  @Test func directoryIsReadForTheFirstOfManyFiles() throws {
    try directory.file("a")
    for name in ["d", "e"] {
      #expect(mkdir(directory.path(name), 0o755) == 0)
      for number in 0..<500 { try directory.file("\(name)/file \(number)") }
    }
    var status = stat()
    try #require(unsafe stat(directory.path("d"), &status) == 0)
    let files = (Int(status.st_size) + 4095) / 4096
    memory.expect(1)
    #expect(try place("a").mayHave(bytes("._a")), "one alone is no reason")
    memory.expect(files)
    #expect(try !place("d/file 0").mayHave(bytes("._file 0")))
    #expect(try place("e/file 0").mayHave(bytes("._file 0")), "the rest is not worth it")
    memory.expect(.max)
    #expect(try !place("e/file 0").mayHave(bytes("._file 0")))
  }

  @Test func whatIsNoRegularFileIsNotKnownToBeAlone() throws {
    try directory.file("a")
    try directory.file("b")
    #expect(mkdir(directory.path("d"), 0o755) == 0)
    #expect(symlink("a", directory.path("l")) == 0)
    memory.expect(.max)
    let first = try place("a")
    first.hasArchiveAbove = false
    func isAlone(_ name: String) -> Bool { memory.isAlone(FilePath(directory.path(name))) }
    for name in ["a", "b", "a", "b"] { #expect(isAlone(name), "\(name)") }
    for name in ["d", "l"] { #expect(!isAlone(name), "\(name)") }
    // What comes may be missed for a moment, not for long.
    try directory.file("._a")
    usleep(100_000)
    #expect(!isAlone("a"))
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

  /// The files of a directory share one descriptor, which outlives that of the walk.
  @Test func directoryIsHeldOpenOnce() throws {
    #expect(mkdir(directory.path("d"), 0o755) == 0)
    var held: [DirectoryHandle] = []
    for name in [".", ".", "d"] {
      let open = try Descriptor.open(FilePath(directory.path(name)))
      let known = try #require(memory.surroundings(in: open))
      let handle = try memory.hold(open, known)
      close(open)
      var (status, wanted) = (stat(), stat())
      #expect(fstat(handle.descriptor, &status) == 0)
      #expect(stat(directory.path(name), &wanted) == 0)
      #expect(status.isSameFile(as: wanted))
      held.append(handle)
    }
    #expect(held[0] === held[1])
  }

  /// Another thread may ask while one makes a change.
  @Test func directoryIsKnownDuringAnOwnChange() throws {
    try directory.file("b")
    _ = try place("b")
    _ = try place("b")
    let open = try Descriptor.open(FilePath(directory.path("")))
    defer { close(open) }
    let before = try #require(memory.surroundings(in: open)?.version)
    let during = try memory.changing(open) { () throws(Errno) in
      #expect(rename(directory.path("b"), directory.path("c")) == 0)
      return memory.surroundings(in: open)
    }
    #expect(during?.version == before)
    #expect(during?.names?.isEmpty == true)
    let after = memory.surroundings(in: open)
    #expect(after?.version != before)
    #expect(after?.names?.isEmpty == true)
    try directory.file("._b")
    #expect(memory.surroundings(in: open)?.names?.isEmpty != true, "another program's change")
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

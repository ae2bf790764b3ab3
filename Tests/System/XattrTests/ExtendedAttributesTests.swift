import Glibc
import TestSupport
import Testing

@testable import LinuxSystem
@testable import Xattr

@Suite struct ExtendedAttributesTests {
  private static let name = AttributeName("user.docsource.test")

  /// The ways to reach a file, each leading to the same kind of answer.
  enum Way: CaseIterable {
    case path, linkFollowed, descriptor, entry, entryThroughLink, directory, directoryEntry
  }

  /// A file reached one way, with whatever must stay open for it.
  private final class Place {
    let directory: TemporaryDirectory
    let file: FileReference
    private var descriptors: [CInt] = []

    init(_ way: Way) throws {
      directory = try TemporaryDirectory()
      let path = try directory.file("file")
      symlink("file", directory.path("link"))
      mkdir(directory.path("directory"), 0o700)
      let file = FilePath(path)
      let here = open(directory.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      descriptors.append(here)
      switch way {
      case .path: self.file = .path(file)
      case .linkFollowed: self.file = .path(FilePath(directory.path("link")))
      case .descriptor:
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        descriptors.append(descriptor)
        self.file = .descriptor(descriptor, path: file)
      case .entry: self.file = .entry(directory: here, name: FilePath("file"), path: file)
      case .entryThroughLink:
        self.file = .entry(directory: here, name: FilePath("link"), path: file, links: .follow)
      case .directory: self.file = .path(FilePath(directory.path("directory")))
      case .directoryEntry:
        self.file = .entry(directory: here, name: FilePath("directory"), path: file)
      }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
  }

  @Test(arguments: Way.allCases)
  func valueIsAbsentThenWrittenReplacedAndRemoved(_ way: Way) throws {
    let name = try #require(Self.name)
    let place = try Place(way)
    defer { withExtendedLifetime(place) {} }
    let attributes = ExtendedAttributes(of: place.file)
    #expect(try attributes.value(of: name) == nil)
    #expect(try attributes.removeValue(of: name) == false)
    try attributes.setValue([], of: name)
    #expect(try attributes.value(of: name) == [])
    try attributes.setValue([1, 0, 255], of: name)
    #expect(try attributes.value(of: name) == [1, 0, 255])
    #expect(try attributes.names() == [name])
    #expect(try attributes.removeValue(of: name))
    #expect(try attributes.value(of: name) == nil)
    #expect(try attributes.names() == [])
  }

  @Test(arguments: Way.allCases)
  func modeCreateRefusesWhatExistsAndReplaceWhatDoesNot(_ way: Way) throws {
    let name = try #require(Self.name)
    let place = try Place(way)
    defer { withExtendedLifetime(place) {} }
    let attributes = ExtendedAttributes(of: place.file)
    let absent = #expect(throws: XattrError.self) {
      try attributes.setValue([1], of: name, mode: .replace)
    }
    #expect(absent?.errno == .noData)
    try attributes.setValue([1], of: name, mode: .create)
    let present = #expect(throws: XattrError.self) {
      try attributes.setValue([2], of: name, mode: .create)
    }
    #expect(present?.errno == .fileExists)
    try attributes.setValue([3], of: name, mode: .replace)
    #expect(try attributes.value(of: name) == [3])
  }

  @Test(arguments: [FileCircumstance.danglingLink, .ordinary])
  func missingFileIsAnErrorThatKnowsADanglingLink(_ circumstance: FileCircumstance) throws {
    let name = try #require(Self.name)
    let directory = try TemporaryDirectory()
    if circumstance == .danglingLink { symlink("nowhere", directory.path("file")) }
    let path = FilePath(directory.path("file"))
    let error = #expect(throws: XattrError.self) {
      try ExtendedAttributes(of: .path(path)).value(of: name)
    }
    #expect(
      error
        == XattrError(
          operation: .read, path: path, attribute: name, errno: .noSuchFile,
          circumstance: circumstance))
  }

  @Test func linkItselfHasNoAttributeAndTakesNone() throws {
    let name = try #require(Self.name)
    let directory = try TemporaryDirectory()
    symlink("nowhere", directory.path("link"))
    let path = FilePath(directory.path("link"))
    let here = open(directory.root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(here) }
    for file in [
      FileReference.path(path, links: .noFollow),
      .entry(directory: here, name: FilePath("link"), path: path),
    ] {
      let attributes = ExtendedAttributes(of: file)
      #expect(try attributes.value(of: name) == nil)
      let error = #expect(throws: XattrError.self) { try attributes.setValue([1], of: name) }
      #expect(error?.errno == .notPermitted)
      #expect(error?.circumstance == .link)
    }
  }

  @Test func pathDescriptorIsRefused() throws {
    let name = try #require(Self.name)
    let directory = try TemporaryDirectory()
    let pathOnly: CInt = 0o10_000_000  // O_PATH, which the Glibc module leaves out
    let descriptor = open(try directory.file("file"), pathOnly | O_CLOEXEC)
    defer { close(descriptor) }
    let attributes = ExtendedAttributes(of: .descriptor(descriptor, path: FilePath("file")))
    let error = #expect(throws: XattrError.self) { try attributes.value(of: name) }
    #expect(error?.errno == .badFileDescriptor)
  }

  @Test func copyingFollowsTheRulesOfXattrConf() throws {
    let directory = try TemporaryDirectory()
    let from = FilePath(try directory.file("from"))
    let to = FilePath(try directory.file("to"))
    let kept = try #require(AttributeName("user.kept"))
    let skipped = try #require(AttributeName("user.Beagle.index"))
    let own = try #require(AttributeName("user.own"))
    let source = ExtendedAttributes(of: .path(from))
    let target = ExtendedAttributes(of: .path(to))
    try source.setValue([1, 2, 3], of: kept)
    try source.setValue([4], of: skipped)
    try target.setValue([5], of: own)

    try ExtendedAttributes.copyAll(from: from, to: to)
    #expect(try target.value(of: kept) == [1, 2, 3])
    #expect(try target.value(of: skipped) == nil)
    #expect(try target.value(of: own) == [5])

    try target.removeValue(of: kept)
    let open = (
      from: Glibc.open(from.description, O_RDONLY | O_CLOEXEC),
      to: Glibc.open(to.description, O_RDONLY | O_CLOEXEC)
    )
    defer {
      close(open.from)
      close(open.to)
    }
    try ExtendedAttributes.copyAll(from: open.from, at: from, to: open.to, at: to)
    #expect(try target.value(of: kept) == [1, 2, 3])
    #expect(try target.value(of: skipped) == nil)
  }

  @Test func copyingToALinkFailsWithItsReason() throws {
    let directory = try TemporaryDirectory()
    let from = FilePath(try directory.file("from"))
    let name = try #require(Self.name)
    try ExtendedAttributes(of: .path(from)).setValue([1], of: name)
    symlink("from", directory.path("link"))
    let to = FilePath(directory.path("link"))
    let error = #expect(throws: XattrError.self) {
      try ExtendedAttributes.copyAll(from: from, to: to)
    }
    #expect(
      error
        == XattrError(
          operation: .copy, path: to, attribute: name, errno: .notPermitted, circumstance: .link))
    #expect(
      error?.description
        == "\(to): cannot copy attribute \(name): "
        + "Linux does not store user attributes on symbolic links")
  }
}

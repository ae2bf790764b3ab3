import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

struct FileReplacementTests {
  private let directory: TemporaryDirectory
  private let descriptor: CInt

  init() throws {
    directory = try TemporaryDirectory()
    descriptor = directory.root.withCString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    try #require(descriptor >= 0)
  }

  private func replacement(_ name: String) -> FileReplacement {
    FileReplacement(of: FilePath(name), in: descriptor)
  }

  private func content(_ name: String) throws -> String {
    try String(contentsOfFile: directory.path(name), encoding: .utf8)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.root).sorted() }
  }

  @Test func contentTakesThePlaceOfTheFormer() throws {
    try directory.file("a", "old and longer")
    try replacement("a").put(Array("new".utf8))
    #expect(try content("a") == "new")
    #expect(try names == ["a"])
  }

  @Test func newFileHasTheModeThatWasAskedFor() throws {
    try replacement("a").put(Array("x".utf8), mode: 0o640)
    var status = stat()
    try #require(directory.path("a").withCString { stat($0, &status) } == 0)
    #expect(status.st_mode & 0o777 == 0o640)
  }

  @Test func fileWhereNothingWasExpectedStays() throws {
    try directory.file("a", "mine")
    #expect(throws: Errno.fileExists) {
      try replacement("a").put(Array("new".utf8), expecting: .nothing)
    }
    #expect(try content("a") == "mine")
    #expect(try names == ["a"])
  }

  @Test func fileIsPutWhereNothingIs() throws {
    try replacement("a").put(Array("new".utf8), expecting: .nothing)
    #expect(try content("a") == "new")
    #expect(try names == ["a"])
  }

  @Test func versionThatIsStillThereIsReplaced() throws {
    try directory.file("a", "old")
    let version = try #require(FileVersion(of: FilePath("a"), in: descriptor))
    try replacement("a").put(Array("new".utf8), expecting: .version(version))
    #expect(try content("a") == "new")
    #expect(try names == ["a"])
  }

  @Test func versionThatHasChangedStays() throws {
    try directory.file("a", "old")
    let version = try #require(FileVersion(of: FilePath("a"), in: descriptor))
    try directory.file("a", "changed since")
    #expect(throws: Errno.fileExists) {
      try replacement("a").put(Array("new".utf8), expecting: .version(version))
    }
    #expect(try content("a") == "changed since")
    #expect(try names == ["a"])
  }

  /// Another name changes the time of its status alone, so that this is looked at before.
  @Test func versionWithOtherContentOfTheSameTimeStays() throws {
    try directory.file("a", "old")
    let version = try #require(FileVersion(of: FilePath("a"), in: descriptor))
    let script = "touch -r a b && printf new >a && touch -r b a && rm b"
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    #expect(throws: Errno.fileExists) {
      try replacement("a").put(Array("ours".utf8), expecting: .version(version))
    }
    #expect(try replacement("a").remove(version) == .changed)
    #expect(try content("a") == "new")
    #expect(try names == ["a"])
  }

  @Test func versionThatIsStillThereIsRemoved() throws {
    try directory.file("a", "old")
    let version = try #require(FileVersion(of: FilePath("a"), in: descriptor))
    #expect(try replacement("a").remove(version) == .done)
    #expect(try names == [])
    #expect(try replacement("a").remove(version) == .changed)
  }

  @Test func failureOfCompletingLeavesNothing() throws {
    try directory.file("a", "old")
    #expect(throws: Errno.noSpace) {
      try replacement("a").put(Array("new".utf8)) { (_) throws(Errno) in
        throw .noSpace
      }
    }
    #expect(try content("a") == "old")
    #expect(try names == ["a"])
  }

  @Test(arguments: [false, true]) func temporaryNamesOfThisProcessAreKnown(_ isKept: Bool) {
    let name = TemporaryName.make(beside: FilePath("folder/a"), isKept: isKept)
    #expect(name.bytes.starts(with: "folder/.docsource-\(getpid())-".utf8))
    #expect(TemporaryName.isOfThisProcess(name.lastComponent))
    #expect(TemporaryName.isKept(name.lastComponent) == isKept)
    let other = ".docsource-\(getpid())-1\(isKept ? "-kept" : "")"
    #expect(!TemporaryName.isOfThisProcess(Array(other.utf8)[...]))
    let ofParent = ".docsource-\(getppid())-"
    let number = name.lastComponent.dropFirst(".docsource-\(getpid())-".utf8.count)
    #expect(!TemporaryName.isOfThisProcess(ofParent.utf8 + number))
  }

  @Test(arguments: [
    (".docsource-1-2", true), (".docsource-77-c0ffee", true), (".docsource-", false),
    (".docsource-1", false), (".docsource-1-2-3", false), (".docsource-x-2", false),
    (".docsource-1-xyz", false), ("docsource-1-2", false),
    (".docsource-1-11112222333344445", false), (".docsource-1-2-kept", false),
  ])
  func temporaryNamesAreReported(_ name: String, _ isOne: Bool) {
    #expect(TemporaryName.matches(Array(name.utf8)[...]) == isOne)
  }
}

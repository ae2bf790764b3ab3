import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

/// Files that are replaced by their paths, through links where the kernel follows them.
struct ReplacedFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func replace(_ name: String, _ text: String) throws {
    try ReplacedFile(path: FilePath(directory.path(name))).replace(with: Array(text.utf8))
  }

  private func status(_ name: String) throws -> stat {
    var status = stat()
    try #require(lstat(directory.path(name), &status) == 0)
    return status
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.root).sorted() }
  }

  @Test func fileKeepsItsModeWhateverTheMaskIs() throws {
    try directory.file("a", "old")
    chmod(directory.path("a"), 0o666)
    let before = try status("a")
    try replace("a", "new")
    #expect(try directory.text("a") == "new")
    #expect(try status("a").st_mode == before.st_mode)
    #expect(try status("a").st_ino != before.st_ino)
  }

  /// As with `sudo -E`, which leaves HOME as it was.
  @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
  func fileOfAnotherUserStaysTheirs() throws {
    for name in ["a", "b"] {
      try directory.file(name, "old")
      chmod(directory.path(name), 0o640)
      chown(directory.path(name), 65534, 65533)
    }
    symlink("b", directory.path("link"))
    try replace("a", "new")
    try replace("link", "new")
    for name in ["a", "b"] {
      #expect(try directory.text(name) == "new")
      let status = try status(name)
      #expect(status.st_uid == 65534)
      #expect(status.st_gid == 65533)
      #expect(status.st_mode & 0o7777 == 0o640)
    }
  }

  @Test func fileThatLinksLeadToIsReplacedAndTheLinksStay() throws {
    mkdir(directory.path("d"), 0o755)
    try directory.file("d/a", "old")
    chmod(directory.path("d/a"), 0o640)
    symlink("d/a", directory.path("second"))
    symlink("second", directory.path("first"))
    try replace("first", "new")
    #expect(try directory.text("d/a") == "new")
    #expect(try status("d/a").st_mode & 0o777 == 0o640)
    for link in ["first", "second"] { #expect(try status(link).st_mode & S_IFMT == S_IFLNK) }
    #expect(try names == ["d", "first", "second"])
  }

  @Test func fileIsMadeWhereALinkLeadsNowhere() throws {
    mkdir(directory.path("d"), 0o755)
    symlink("d/a", directory.path("link"))
    try replace("link", "new")
    #expect(try directory.text("d/a") == "new")
    #expect(try status("link").st_mode & S_IFMT == S_IFLNK)
    symlink("missing/a", directory.path("lost"))
    #expect(throws: Errno.noSuchFile) { try replace("lost", "new") }
  }

  @Test func linksInACircleAndLinksToOpenFilesAreRefused() throws {
    symlink("loop", directory.path("loop"))
    #expect(throws: Errno.tooManySymbolicLinks) { try replace("loop", "new") }
    symlink("/proc/self/fd/0", directory.path("magic"))
    #expect(throws: Errno.tooManySymbolicLinks) { try replace("magic", "new") }
    #expect(try names == ["loop", "magic"])
  }

  @Test func onlyRegularFilesAreReplacedThroughALink() throws {
    mkfifo(directory.path("fifo"), 0o600)
    symlink("fifo", directory.path("link"))
    // Nobody reads the FIFO, and nothing waits for that.
    #expect(throws: Errno(rawValue: ENXIO)) { try replace("link", "new") }
    symlink("/dev/null", directory.path("null"))
    #expect(throws: Errno.invalidArgument) { try replace("null", "new") }
  }
}

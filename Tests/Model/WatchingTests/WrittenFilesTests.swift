import CLinux
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Watching

/// What becomes of files that this process has written, as an application of two users.
@Suite(.enabled(if: geteuid() == 0, "giving files away needs root"))
struct WrittenFilesTests {
  private static let other: UInt32 = 4711

  private let place: TemporaryDirectory
  private let users: [UInt32: WatchedUser]

  init() throws {
    place = try TemporaryDirectory()
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    try place.file(
      "home/.local/share/applications/org.example.Tests.desktop",
      "[Desktop Entry]\nType=Application\nName=Tests\nExec=\"\(program)\"\n")
    try FileManager.default.createDirectory(
      atPath: place.path("documents"), withIntermediateDirectories: true)
    let home = FilePath(place.path("home"))
    let watched = try #require(WatchedDirectory(FilePath(place.path("documents")), home: nil))
    let globs = try WatchGlobs(include: [], exclude: [])
    let all = [geteuid(), Self.other].map { user in
      let account = UserAccount(name: "\(user)", user: user, group: user, home: home)
      return (user, WatchedUser(account, [watched], globs, .keep, generation: 1))
    }
    users = Dictionary(uniqueKeysWithValues: all)
  }

  /// Writes a file by a hidden name, tells of it, and gives it its name only then.
  ///
  /// - Returns: the paths of the tagged files.
  private func tagged(changingOwner owner: uid_t) throws -> [String] {
    var tagged: [String] = []
    let report = WatchReport(
      tell: { item in
        guard case .file(let path, _, .tagged) = item else { return }
        tagged.append(String(decoding: path, as: UTF8.self))
      }, flush: { true })
    let files = WrittenFiles(.tag, report, fileLimit: 1024)
    let hidden = try place.file("documents/.letter")
    let process = clinux_process_open(getpid())
    defer { close(process) }
    let file = open(hidden, O_RDONLY | O_CLOEXEC)
    files.beginTurn()
    let disposal = files.take(file, Writer(identifier: getpid(), process: process), users)
    // Who holds the file closes it.
    try #require(disposal == .keep)
    try #require(chown(hidden, owner, owner) == 0)
    try #require(rename(hidden, place.path("documents/letter")) == 0)
    let due = try #require(files.nextTurn)
    try Patience.wait { Clock.milliseconds >= due }
    files.lookAgain(users, until: .max)
    return tagged
  }

  @Test func fileThatGetsItsNameLaterIsTagged() throws {
    #expect(try tagged(changingOwner: geteuid()) == [place.path("documents/letter")])
  }

  /// Which applications the other user has, nobody has looked up.
  @Test func fileThatWasGivenAwayMeanwhileIsLeftAlone() throws {
    #expect(try tagged(changingOwner: Self.other) == [])
    #expect(try Execution.run(["getfattr", place.path("documents/letter")]).text == "")
  }
}

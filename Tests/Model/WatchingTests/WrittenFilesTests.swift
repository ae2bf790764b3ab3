import CLinux
import DocumentSource
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
    try place.file(
      "home/.local/share/applications/org.example.Sheets.desktop",
      "[Desktop Entry]\nType=Application\nName=Sheets\nExec=\"\(program)\" --sheets\n"
        + "MimeType=application/sheet\n")
    try place.file("home/.local/share/mime/globs2", "50:application/sheet:*.ods\n")
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

  /// Writes a file by one name, tells of it, and gives it its last name only then.
  ///
  /// - Returns: what is reported.
  private func outcomes(
    _ first: String, _ last: String, changingOwner owner: uid_t = geteuid()
  ) throws -> [WatchOutcome] {
    var outcomes: [WatchOutcome] = []
    let report = WatchReport(
      tell: { item in
        guard case .file(_, _, let outcome) = item else { return }
        outcomes.append(outcome)
      }, flush: { true })
    let files = WrittenFiles(.tag, report, fileLimit: 1024)
    let path = try place.file("documents/\(first)")
    let process = clinux_process_open(getpid())
    defer { close(process) }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    files.beginTurn()
    let disposal = files.take(file, Writer(identifier: getpid(), process: process), users)
    // Who holds the file closes it.
    try #require(disposal == .keep)
    try #require(chown(path, owner, owner) == 0)
    try #require(rename(path, place.path("documents/\(last)")) == 0)
    let due = try #require(files.nextTurn)
    try Patience.wait { Clock.milliseconds >= due }
    files.lookAgain(users, until: .max)
    return outcomes
  }

  private static func source(_ name: String, _ path: String) -> DocumentSource {
    DocumentSource(identifier: "org.example.\(name)", name: name, path: path)
  }

  @Test(arguments: [".letter", ".fr-1/letter", "letter~", "#letter#"])
  func fileThatGetsItsNameLaterIsTagged(_ first: String) throws {
    #expect(
      try outcomes(first, "letter") == [.tagged(Self.source("Tests", "letter"))])
  }

  /// Which applications the other user has, nobody has looked up.
  @Test func fileThatWasGivenAwayMeanwhileIsLeftAlone() throws {
    #expect(try outcomes(".letter", "letter", changingOwner: Self.other) == [])
    #expect(try Execution.run(["getfattr", place.path("documents/letter")]).text == "")
  }

  @Test func laterNameTellsWhichPartOfAProgramItIs() throws {
    #expect(
      try outcomes("x.tmp", "sums.ods") == [
        .tagged(Self.source("Tests", "x.tmp")), .renamed(path: "sums.ods"),
      ])
    let attribute = DocumentSourceAttribute(
      of: .path(FilePath(place.path("documents/sums.ods")), links: .follow))
    guard case .source(let source, _) = try attribute.read().content else {
      Issue.record("no source")
      return
    }
    #expect(source == Self.source("Sheets", "sums.ods"))
  }
}

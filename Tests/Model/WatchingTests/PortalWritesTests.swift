import CLinux
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Watching

/// What is found out of files on the portal's mount. The kernel tells their paths, so that files of
/// any file system do.
@Suite struct PortalWritesTests {
  private let place: TemporaryDirectory
  private let user: WatchedUser

  init() throws {
    place = try TemporaryDirectory()
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    try place.file(
      "home/.local/share/applications/org.example.Tests.desktop",
      "[Desktop Entry]\nType=Application\nName=Tests\nExec=\"\(program)\"\n")
    let table = PortalTable.bytes([
      PortalTable.Document(
        path: "/home/anna/letter", applications: ["org.example.Tests": ["write"]],
        isDirectory: false),
      PortalTable.Document(
        path: "/home/anna/project", applications: ["org.example.Tests": ["write"]],
        isDirectory: true),
    ])
    try place.write(table, to: "home/.local/share/flatpak/db/documents")
    let account = UserAccount(
      name: "anna", user: geteuid(), group: getegid(), home: FilePath(place.path("home")))
    let globs = try WatchGlobs(include: [], exclude: [])
    user = WatchedUser(account, [], globs, .keep, generation: 1)
  }

  private static func write(_ path: String) -> PortalWrite {
    PortalWrite(path: Array(path.utf8), application: "org.example.Tests")
  }

  /// Hands over files that this process has written.
  private func take(
    _ names: [String], _ writes: PortalWrites, isGone: Bool = false
  ) throws -> [PortalWrite] {
    var all: [PortalWrite] = []
    let process = clinux_process_open(getpid())
    defer { close(process) }
    for name in names {
      let file = open(try place.file(name), O_RDONLY | O_CLOEXEC)
      let writer = Writer(identifier: isGone ? 0 : getpid(), process: isGone ? -1 : process)
      if writes.take(file, writer, user, { all.append($0) }) == .close { close(file) }
    }
    return all
  }

  @Test func documentIsKnownByItsIdentifierAndName() throws {
    let writes = PortalWrites(OpenFilePaths())
    let found = try take(
      [
        "doc/100000/letter", "doc/by-app/org.example.Tests/100000/letter",
        "doc/100001/project/parts/one",
      ], writes)
    #expect(
      found == [
        Self.write("/home/anna/letter"), Self.write("/home/anna/letter"),
        Self.write("/home/anna/project/parts/one"),
      ])
    #expect(writes.nextTurn == nil)
    #expect(try take(["doc/100000/letter"], writes, isGone: true) == [])
    #expect(writes.nextTurn == nil)
  }

  @Test func eachWriteIsOfOneApplication() {
    var recent = RecentPortalWrites()
    for application in ["org.example.Tests", "org.example.Notes"] {
      recent.note(PortalWrite(path: [0x2f], application: application))
    }
    #expect(recent.take([0x2f]) == "org.example.Notes")
    #expect(recent.take([0x2f]) == nil)
  }

  @Test func documentMayGetItsNameLater() throws {
    let writes = PortalWrites(OpenFilePaths())
    let names = [
      "doc/100000/.new", "doc/100001/projects/x", "doc/100002/letter", "other/100000/letter",
    ]
    #expect(try take(names, writes) == [])
    var found: [PortalWrite] = []
    func lookAgain(_ due: Int) throws {
      try Patience.wait { Clock.milliseconds >= due }
      writes.lookAgain(user, until: .max) { found.append($0) }
    }
    try lookAgain(try #require(writes.nextTurn))
    #expect(found == [])
    try #require(rename(place.path("doc/100000/.new"), place.path("doc/100000/letter")) == 0)
    while let due = writes.nextTurn { try lookAgain(due) }
    #expect(found == [Self.write("/home/anna/letter")])
  }
}

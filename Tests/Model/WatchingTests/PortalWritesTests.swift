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
      PortalTable.Document(
        path: "/home/anna/foreign",
        applications: ["org.example.Other": ["write"], "org.example.Tests": ["read"]],
        isDirectory: false),
    ])
    try place.write(table, to: "home/.local/share/flatpak/db/documents")
    let account = UserAccount(
      name: "anna", user: geteuid(), group: getegid(), home: FilePath(place.path("home")))
    let globs = try WatchGlobs(include: [], exclude: [])
    user = WatchedUser(account, [], globs, .keep, generation: 1)
  }

  private static func device(_ path: String) -> FileDevice {
    var status = clinux_status()
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(unsafe clinux_file_stat(file, &status) == 0)
    return FileDevice(status)
  }

  private func writes() -> PortalWrites {
    PortalWrites(OpenFilePaths(), on: Self.device(place.root))
  }

  /// Hands over files that this process has written.
  ///
  /// - Returns: the paths that are reported.
  private func take(
    _ names: [String], _ writes: PortalWrites, isGone: Bool = false
  ) throws -> [String] {
    var all: [String] = []
    let process = clinux_process_open(getpid())
    defer { close(process) }
    for name in names {
      let file = open(try place.file(name), O_RDONLY | O_CLOEXEC)
      let writer = Writer(identifier: isGone ? 0 : getpid(), process: isGone ? -1 : process)
      if writes.take(file, writer, user, { all.append(Self.path($0)) }) == .close { close(file) }
    }
    return all
  }

  private static func path(_ write: PortalWrite) -> String {
    #expect(write.application == "org.example.Tests")
    #expect((0...5000).contains(Clock.milliseconds - write.time))
    switch write.document {
    case .path(let path): return String(decoding: path, as: UTF8.self)
    case .name(let name): return "name " + String(decoding: name, as: UTF8.self)
    }
  }

  /// Looks again while files are held.
  private func lookAgain(_ writes: PortalWrites, times: Int = .max) throws -> [String] {
    var all: [String] = []
    var rest = times
    while rest > 0, let due = writes.nextTurn {
      try Patience.wait { Clock.milliseconds >= due }
      writes.lookAgain(user, until: .max) { all.append(Self.path($0)) }
      rest -= 1
    }
    return all
  }

  @Test func documentIsKnownByItsIdentifierAndName() throws {
    let writes = writes()
    let found = try take(
      ["doc/100000/letter", "doc/by-app/org.example.Tests/100000/letter"], writes)
    #expect(found == ["/home/anna/letter", "/home/anna/letter"])
    #expect(writes.nextTurn == nil)
    #expect(try take(["doc/100000/letter"], writes, isGone: true) == [])
    #expect(writes.nextTurn == nil)
  }

  /// Only what is on the portal's file system counts.
  @Test func filesElsewhereArePassedOver() throws {
    let other = PortalWrites(OpenFilePaths(), on: Self.device("/proc"))
    #expect(try take(["doc/100000/letter"], other) == [])
    #expect(other.nextTurn == nil)
  }

  /// A sandbox may mount one document by another one's name.
  @Test func documentOfAnotherApplicationIsNotReported() throws {
    let writes = writes()
    #expect(try take(["doc/100002/foreign"], writes) == [])
    #expect(try lookAgain(writes) == [])
  }

  @Test func partOfADirectoryMayGetItsNameLater() throws {
    let writes = writes()
    #expect(
      try take(["doc/100001/project/parts/.new"], writes) == ["/home/anna/project/parts/.new"])
    #expect(try lookAgain(writes, times: 1) == [])
    try #require(
      rename(place.path("doc/100001/project/parts/.new"), place.path("doc/100001/project/one"))
        == 0)
    #expect(try lookAgain(writes) == ["/home/anna/project/one"])
  }

  @Test func removedDatabaseSaysNothing() throws {
    let writes = writes()
    #expect(try take(["doc/100000/letter"], writes) == ["/home/anna/letter"])
    try FileManager.default.removeItem(
      atPath: place.path("home/.local/share/flatpak/db/documents"))
    try Patience.wait { try take(["doc/100000/letter"], writes) == [] }
  }

  @Test func eachWriteIsOfOneApplication() {
    var recent = RecentPortalWrites()
    for application in ["org.example.Tests", "org.example.Notes"] {
      recent.note(
        PortalWrite(document: .path([0x2f]), application: application, time: Clock.milliseconds))
    }
    #expect(recent.take([0x2f]) == "org.example.Notes")
    #expect(recent.take([0x2f]) == nil)
  }

  /// The portal's database has only documents that are persistent.
  @Test func unknownDocumentIsReportedByItsNameWhenItHasOne() throws {
    let writes = writes()
    let names = ["doc/abcdef/photo", "doc/fedcba/.xdp-late", "doc/by-app/a.b/abcdef/book/pages/1"]
    #expect(try take(names, writes) == [])
    // Each is looked at once in so many turns.
    #expect(try Set(lookAgain(writes, times: names.count)) == ["name photo", "name 1"])
    try #require(rename(place.path("doc/fedcba/.xdp-late"), place.path("doc/fedcba/late")) == 0)
    #expect(try lookAgain(writes, times: names.count) == ["name late"])
  }

  @Test func nameThatSeveralApplicationsHaveWrittenIsNobodys() {
    var recent = RecentPortalWrites()
    func see(_ application: String, _ name: String = "letter", ago age: Int = 0) {
      recent.note(
        PortalWrite(
          document: .name(Array(name.utf8)), application: application,
          time: Clock.milliseconds - age))
    }
    func take(_ path: String) -> String? { recent.takeUnknown(Array(path.utf8)) }
    see("org.example.Tests")
    #expect(take("/home/anna/other") == nil)
    #expect(take("/home/anna/letter") == "org.example.Tests")
    #expect(take("/home/anna/letter") == nil)
    see("org.example.Tests")
    see("org.example.Notes")
    #expect(take("/home/anna/letter") == nil)
    // Also for the one that writes it again.
    see("org.example.Tests")
    #expect(take("/home/anna/letter") == nil)
    see("org.example.Tests", "old", ago: 4000)
    #expect(take("/old") == nil)
    see("org.example.Tests", "old", ago: 4000)
    see("org.example.Notes", "old")
    #expect(take("/old") == "org.example.Notes")
    // By its path, a document has another name.
    see("org.example.Tests", "/letter")
    #expect(recent.take(Array("/letter".utf8)) == nil)
  }

  @Test func documentMayGetItsNameLater() throws {
    let writes = writes()
    let names = ["doc/100000/.new", "doc/100001/projects/x", "other/100000/letter"]
    #expect(try take(names, writes) == [])
    #expect(try lookAgain(writes, times: 1) == [])
    try #require(rename(place.path("doc/100000/.new"), place.path("doc/100000/letter")) == 0)
    #expect(try lookAgain(writes) == ["/home/anna/letter"])
  }
}

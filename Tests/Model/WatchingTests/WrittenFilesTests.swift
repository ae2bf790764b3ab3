import CLinux
import DocumentSource
import FileTree
import ForeignFormats
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing
import TextFormats

@testable import Watching

/// What becomes of files that this process has written, as an application of two users.
@Suite(.enabled(if: geteuid() == 0, "giving files away needs root"))
struct WrittenFilesTests {
  private static let other: UInt32 = 4711

  private let place: TemporaryDirectory
  private let users: [UInt32: WatchedUser]

  init() throws { try self.init(.keep) }

  private init(_ policy: WatchPolicy) throws {
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
      return (user, WatchedUser(account, [watched], globs, policy, generation: 1))
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

  /// What watch has written can be found and removed, also after the file was renamed.
  @Test func valueSaysWhenWatchHasWrittenIt() throws {
    let start = Double(time(nil)) - CalendarDate.referenceDate
    #expect(
      try outcomes("letter.part", "letter") == [
        .tagged(Self.source("Tests", "letter.part")), .renamed(path: "letter"),
      ])
    let attribute = DocumentSourceAttribute(of: .path(FilePath(place.path("documents/letter"))))
    let value = try #require(try attribute.stored()).bytes
    let written = try #require(WatchMark.time(in: value))
    #expect((start...start + 10).contains(written))
    // Whoever changes it makes it their own.
    try attribute.write(try attribute.plan(SourceChange(path: .set("letter"))))
    let changed = try #require(try attribute.stored()).bytes
    #expect(WatchMark.time(in: changed) == nil)
    #expect(Content.source(in: changed) == Self.source("Tests", "letter"))
  }

  // MARK: Files that replace others

  private static let first = DocumentSource(identifier: "org.example.First", name: "First")

  /// What happens to files of a place, one after the other.
  private final class Course {
    private final class Outcomes { var all: [WatchOutcome] = [] }

    private let tests: WrittenFilesTests
    private let reported = Outcomes()
    private let files: WrittenFiles
    private let process = clinux_process_open(getpid())

    init(_ tests: WrittenFilesTests, followsDirectories: Bool = true) {
      self.tests = tests
      let reported = reported
      let report = WatchReport(
        tell: { if case .file(_, _, let outcome) = $0 { reported.all.append(outcome) } },
        flush: { true })
      files = WrittenFiles(
        .tag, report, fileLimit: 1024, followsDirectories: followsDirectories)
    }

    deinit { close(process) }

    var outcomes: [WatchOutcome] { reported.all }

    private func path(_ name: String) -> String { tests.place.path("documents/\(name)") }

    private func attribute(_ name: String) -> DocumentSourceAttribute {
      DocumentSourceAttribute(of: .path(FilePath(path(name))))
    }

    func source(_ name: String) throws -> DocumentSource? {
      guard case .source(let source, _) = try attribute(name).read().content else { return nil }
      return source
    }

    /// Makes a file anew.
    func write(_ name: String, _ source: DocumentSource? = nil) throws {
      unlink(path(name))
      try tests.place.file("documents/\(name)", name)
      if let source { try setSource(name, source) }
    }

    func setSource(_ name: String, _ source: DocumentSource) throws {
      try attribute(name).write(try attribute(name).plan(SourceChange(to: source)))
    }

    func rename(_ first: String, _ second: String) throws {
      try #require(Glibc.rename(path(first), path(second)) == 0)
    }

    /// Hands a file over that was written by this process, or by one that is gone.
    ///
    /// - Parameter new: a file that takes its place before it is looked at.
    func hand(
      _ name: String, isGone: Bool = false, by other: pid_t? = nil, replacedBy new: String? = nil
    ) throws {
      let file = open(path(name), O_RDONLY | O_CLOEXEC)
      if let new { try rename(new, name) }
      files.beginTurn()
      files.takeChanges()
      let writer =
        isGone
        ? Writer(identifier: 0, process: -1)
        : Writer(
          identifier: other ?? getpid(), process: other.map { clinux_process_open($0) } ?? process)
      defer { if other != nil { close(writer.process) } }
      if files.take(file, writer, tests.users) == .close { close(file) }
    }

    func removeSource(_ name: String) throws {
      _ = try attribute(name).remove()
    }

    func remove(_ name: String) { unlink(path(name)) }

    func makeDirectory(_ name: String) throws {
      try #require(mkdir(path(name), 0o755) == 0)
    }

    /// Reads the sources that are there.
    func lookAround() {
      for user in tests.users.values { files.queueDirectories(of: user) }
      lookFurther()
    }

    /// Reads the sources that wait to be read.
    func lookFurther() {
      for user in tests.users.values {
        while files.hasDirectories { files.lookAround(user, until: .max) }
      }
    }

    func takeChanges() { files.takeChanges() }

    var heldCount: Int { files.heldCount }

    /// Changes two files until the kernel has no more room for events.
    func fillQueue(_ first: String, _ second: String) throws {
      let limit = try String(
        contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
      let count = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
      // Two equal events one after the other are one.
      for _ in 0...count / 2 { for name in [first, second] { chmod(path(name), 0o644) } }
    }

    /// Writes a file anew as sed -i does.
    func replaceAsSed(_ name: String) throws {
      let new = (name as NSString).deletingLastPathComponent + "/sed1"
      try write(new)
      try hand(new, isGone: true)
      try rename(new, name)
      while files.heldCount > 0 { try handWhatIsHeld() }
    }

    /// Takes the changes, and handles what is due.
    func goOn() {
      files.takeChanges()
      files.lookAgain(tests.users, until: .max)
    }

    /// Handles the held files, and holds none any more.
    func release() { files.lookAtLast(tests.users, until: .max) }

    func handWhatIsHeld() throws {
      let due = try #require(files.nextTurn)
      try Patience.wait { Clock.milliseconds >= due }
      files.lookAgain(tests.users, until: .max)
    }
  }

  /// GTK's editors close the old file, rename the new one, and close that.
  @Test func fileThatReplacesAnotherGetsItsSource() throws {
    let course = Course(self)
    try course.write("letter", Self.first)
    try course.hand("letter")
    try course.write(".new")
    try course.rename(".new", "letter")
    try course.hand("letter")
    #expect(course.outcomes == [.kept, .kept])
    #expect(try course.source("letter") == Self.first)
    // And so does the next one.
    try course.write(".new")
    try course.rename(".new", "letter")
    try course.hand("letter", isGone: true)
    #expect(course.outcomes == [.kept, .kept, .kept])
    #expect(try course.source("letter") == Self.first)
  }

  @Test func fileThatIsReplacedBeforeItIsLookedAtGivesItsSource() throws {
    let course = Course(self)
    try course.write("letter", Self.first)
    try course.write(".new")
    try course.hand("letter", replacedBy: ".new")
    try course.hand("letter")
    #expect(course.outcomes == [.kept])
    #expect(try course.source("letter") == Self.first)
  }

  /// What was read a moment ago may not be the last word.
  @Test func lastSourceOfTheReplacedFileCounts() throws {
    let course = Course(self)
    try course.write("letter")
    try course.hand("letter")
    try course.setSource("letter", Self.first)
    try course.write(".new")
    try course.hand("letter", replacedBy: ".new")
    try course.hand("letter")
    #expect(course.outcomes == [.tagged(Self.source("Tests", "letter")), .kept])
    #expect(try course.source("letter") == Self.first)
  }

  @Test func sourceThatWasSetAMomentAgoCounts() throws {
    let course = Course(self)
    try course.write("letter")
    try course.hand("letter")
    try course.setSource("letter", Self.first)
    try course.hand("letter")
    try course.write(".new")
    try course.rename(".new", "letter")
    try course.hand("letter")
    #expect(course.outcomes == [.tagged(Self.source("Tests", "letter")), .kept, .kept])
    #expect(try course.source("letter") == Self.first)
  }

  /// LibreOffice closes the new file before it has its name, and again after that.
  @Test(arguments: [true, false])
  func fileThatWasTaggedByItsFirstNameGetsTheSource(_ isClosedAgain: Bool) throws {
    let course = Course(self)
    try course.write("letter", Self.first)
    try course.hand("letter")
    try course.write("lu1.tmp")
    try course.hand("lu1.tmp")
    try course.rename("lu1.tmp", "letter")
    if isClosedAgain { try course.hand("letter") } else { try course.handWhatIsHeld() }
    #expect(course.outcomes == [.kept, .tagged(Self.source("Tests", "lu1.tmp")), .kept])
    #expect(try course.source("letter") == Self.first)
  }

  /// A program that has the name of the document portal.
  private func portal() throws -> RunningProcess {
    let program = place.path("xdg-document-portal")
    try FileManager.default.copyItem(
      atPath: URL(filePath: "/bin/sleep").resolvingSymlinksInPath().path, toPath: program)
    let process = try RunningProcess([Array(program.utf8), Array("60".utf8)])
    let exe = "/proc/\(process.identifier)/exe"
    try Patience.wait {
      try FileManager.default.destinationOfSymbolicLink(atPath: exe) == program
    }
    return process
  }

  /// Says which applications may write documents.
  private func allow(_ documents: [PortalTable.Document]) throws {
    let directory = place.path("home/.local/share/flatpak/db")
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let table = PortalTable.bytes(documents)
    #expect(try PortalDocuments(table).documents.count == documents.count)
    try Data(table).write(to: URL(filePath: "\(directory)/documents"))
  }

  private func document(
    _ name: String, _ applications: [String: [String]], isDirectory: Bool = false
  ) -> PortalTable.Document {
    PortalTable.Document(
      path: place.path("documents/\(name)"), applications: applications, isDirectory: isDirectory)
  }

  @Test func fileOfThePortalComesFromTheApplicationThatMayWriteIt() throws {
    let course = Course(self)
    let portal = try portal()
    defer {
      portal.kill(SIGKILL)
      _ = portal.wait()
    }
    let writing = ["read", "write"]
    try allow([
      document("letter", ["org.example.Tests": writing, "org.example.Viewer": ["read"]]),
      document("both", ["org.example.Tests": writing, "org.example.Other": writing]),
      document("project", ["org.example.Unknown": writing], isDirectory: true),
    ])
    try course.makeDirectory("project")
    for name in ["letter", "both", "project/part", "else"] {
      try course.write(name)
      try course.hand(name, by: portal.identifier)
    }
    // Paths are not for an application that may read the attribute.
    let tests = DocumentSource(identifier: "org.example.Tests", name: "Tests")
    // The first has its source, the others wait for what the portal may still note.
    #expect(try course.source("letter") == tests)
    try course.rename("letter", "note")
    while course.heldCount > 0 { try course.handWhatIsHeld() }
    let unknown = DocumentSource(identifier: "org.example.Unknown")
    #expect(
      course.outcomes == [
        .tagged(tests), .tagged(unknown), .none(.plain(.portal)), .none(.plain(.portal)),
      ])
    #expect(try course.source("note") == tests)
    try course.write("else")
    try course.hand("else", by: portal.identifier)
    try allow([document("else", ["org.example.Tests": writing])])
    try course.handWhatIsHeld()
    #expect(try course.source("else") == tests)
    try Data("no table".utf8).write(
      to: URL(filePath: place.path("home/.local/share/flatpak/db/documents")))
    try course.write("last")
    try course.hand("last", by: portal.identifier)
    while course.heldCount > 0 { try course.handWhatIsHeld() }
    #expect(course.outcomes.last == .none(.plain(.portal)))
  }

  @Test func fileOfThePortalComesFromTheApplicationThatWasSeenToWriteIt() throws {
    let course = Course(self)
    let portal = try portal()
    defer {
      portal.kill(SIGKILL)
      _ = portal.wait()
    }
    let names = ["before", "after", "unseen"]
    let writing = ["read", "write"]
    try allow(
      names.map { document($0, ["org.example.Tests": writing, "org.example.Other": writing]) })
    func see(_ name: String, _ application: String) {
      let path = Array(place.path("documents/\(name)").utf8)
      users[geteuid()]?.note(
        PortalWrite(
          document: .path(path), application: application, time: Clock.milliseconds))
    }
    see("before", "org.example.Tests")
    for name in names {
      try course.write(name)
      try course.hand(name, by: portal.identifier)
    }
    let tests = DocumentSource(identifier: "org.example.Tests", name: "Tests")
    let other = DocumentSource(identifier: "org.example.Other")
    #expect(course.outcomes == [.tagged(tests)])
    try course.handWhatIsHeld()
    see("after", "org.example.Other")
    while course.heldCount > 0 { try course.handWhatIsHeld() }
    #expect(course.outcomes == [.tagged(tests), .tagged(other), .none(.plain(.portal))])
  }

  /// A document that the database has is nobody's by its name alone.
  @Test func fileOfThePortalComesFromTheOnlyApplicationThatWroteItsName() throws {
    let course = Course(self)
    let portal = try portal()
    defer {
      portal.kill(SIGKILL)
      _ = portal.wait()
    }
    let writing = ["read", "write"]
    try allow([
      document("shared", ["org.example.Tests": writing, "org.example.Other": writing]),
      document("other", ["org.example.Other": writing]),
    ])
    for name in ["dropped", "shared", "other"] {
      users[geteuid()]?.note(
        PortalWrite(
          document: .name(Array(name.utf8)), application: "org.example.Tests",
          time: Clock.milliseconds))
      try course.write(name)
      try course.hand(name, by: portal.identifier)
    }
    while course.heldCount > 0 { try course.handWhatIsHeld() }
    #expect(
      course.outcomes == [
        .tagged(DocumentSource(identifier: "org.example.Tests", name: "Tests")),
        .tagged(DocumentSource(identifier: "org.example.Other")), .none(.plain(.portal)),
      ])
  }

  /// An application in a sandbox may have many documents noted all the while.
  @Test func largeDatabaseOfThePortalIsNotReadOverAndOver() throws {
    let many = (0..<10_000).map { document("\($0)", ["org.example.Other": ["write"]]) }
    try allow([document("letter", ["org.example.Tests": ["write"]])] + many)
    let database = place.path("home/.local/share/flatpak/db/documents")
    let next = place.path("next")
    try Data(PortalTable.bytes([document("letter", ["org.example.Next": ["write"]])]))
      .write(to: URL(filePath: next))
    var portal = PortalDatabase(
      BaseDirectories { $0 == "HOME" ? Array(place.path("home").utf8) : nil })
    let letter = Array(place.path("documents/letter").utf8)
    #expect(portal.writers(of: letter) { _ in false } == ["org.example.Tests"])
    try #require(rename(next, database) == 0)
    #expect(portal.writers(of: letter) { _ in false } == ["org.example.Tests"])
    try Patience.wait { portal.writers(of: letter) { _ in false } == ["org.example.Next"] }
    #expect(portal.writers(of: letter) { _ in true } == [])
  }

  /// Most applications write another file first, which the portal gives a hidden name.
  @Test(arguments: [false, true])
  func fileOfThePortalIsKnownByItsLastName(_ hasSource: Bool) throws {
    let course = Course(self)
    let portal = try portal()
    defer {
      portal.kill(SIGKILL)
      _ = portal.wait()
    }
    try allow([document("letter", ["org.example.Tests": ["read", "write"]])])
    if hasSource {
      try course.write("letter", Self.first)
      try course.hand("letter")
    }
    try course.write(".xdp-letter.new-abcdef")
    try course.hand(".xdp-letter.new-abcdef", by: portal.identifier)
    try course.handWhatIsHeld()
    try course.rename(".xdp-letter.new-abcdef", "letter")
    try course.handWhatIsHeld()
    let tests = DocumentSource(identifier: "org.example.Tests", name: "Tests")
    #expect(course.outcomes == (hasSource ? [.kept, .kept] : [.tagged(tests)]))
    #expect(try course.source("letter") == (hasSource ? Self.first : tests))
  }

  /// As sed -i does.
  @Test func fileOfNoApplicationGetsTheSourceOfTheOneThatItReplaces() throws {
    let course = Course(self)
    try course.write("letter", Self.first)
    try course.hand("letter")
    try course.write("sed1")
    try course.hand("sed1", isGone: true)
    try course.rename("sed1", "letter")
    try course.handWhatIsHeld()
    #expect(course.outcomes == [.kept, .unknown, .kept])
    #expect(try course.source("letter") == Self.first)
  }

  @Test func fileOfWhichABackupStaysIsReplaced() throws {
    let course = Course(self)
    try course.write("letter", Self.first)
    try course.hand("letter")
    try course.rename("letter", "letter~")
    try course.write("letter")
    try course.hand("letter")
    #expect(course.outcomes == [.kept, .kept])
    #expect(try course.source("letter") == Self.first)
  }

  @Test func fileThatWasRenamedIsNotReplaced() throws {
    let course = Course(self)
    try course.write("letter", Self.first)
    try course.hand("letter")
    try course.rename("letter", "other")
    try course.write("letter")
    try course.hand("letter")
    #expect(course.outcomes == [.kept, .tagged(Self.source("Tests", "letter"))])
    #expect(try course.source("other") == Self.first)
  }

  // MARK: Files that are received for long

  /// Chromium gives a file three names, the last one when all was received.
  @Test func unfinishedFileIsFollowedToItsLastName() throws {
    let course = Course(self)
    try course.write(".slow")
    try course.hand(".slow")
    try course.rename(".slow", "slow.bin.crdownload")
    try course.handWhatIsHeld()
    course.release()
    try course.rename("slow.bin.crdownload", "slow (1).bin.crdownload")
    course.goOn()
    try course.rename("slow (1).bin.crdownload", "slow (1).bin")
    course.goOn()
    // What has its last name is not followed.
    try course.rename("slow (1).bin", "letter")
    course.goOn()
    #expect(
      course.outcomes == [
        .tagged(Self.source("Tests", "slow.bin.crdownload")),
        .renamed(path: "slow (1).bin.crdownload"), .renamed(path: "slow (1).bin"),
      ])
    #expect(try course.source("letter") == Self.source("Tests", "slow (1).bin"))
  }

  /// Firefox makes an empty file first, which has the last name meanwhile.
  @Test func unfinishedFileThatReplacesAnEmptyOneHasItsLastName() throws {
    let course = Course(self)
    try course.write("x.part")
    try course.hand("x.part")
    try course.write("slow")
    try course.hand("slow")
    try course.hand("x.part")
    try course.rename("x.part", "slow.x.part")
    course.goOn()
    course.release()
    try course.hand("slow.x.part")
    try course.rename("slow.x.part", "slow")
    course.goOn()
    #expect(
      course.outcomes == [
        .tagged(Self.source("Tests", "x.part")), .tagged(Self.source("Tests", "slow")), .kept,
        .renamed(path: "slow.x.part"), .kept, .kept,
      ])
    #expect(try course.source("slow") == Self.source("Tests", "slow"))
  }

  @Test(arguments: [false, true])
  func unfinishedFileThatIsClosedAgainGetsItsLastName(_ isRenamedBefore: Bool) throws {
    let course = Course(self, followsDirectories: false)
    try course.write("slow.part")
    try course.hand("slow.part")
    course.release()
    if isRenamedBefore {
      try course.rename("slow.part", "slow")
      try course.hand("slow")
    } else {
      try course.hand("slow.part")
      try course.rename("slow.part", "slow")
      try course.handWhatIsHeld()
    }
    let tagged = WatchOutcome.tagged(Self.source("Tests", "slow.part"))
    #expect(
      course.outcomes
        == [tagged] + (isRenamedBefore ? [] : [.kept]) + [.renamed(path: "slow")])
    #expect(try course.source("slow") == Self.source("Tests", "slow"))
  }

  @Test func sourceOfAnUnfinishedFileThatWasSetSinceIsKept() throws {
    let course = Course(self)
    try course.write("slow.part")
    try course.hand("slow.part")
    course.release()
    try course.setSource("slow.part", Self.first)
    try course.rename("slow.part", "slow")
    course.goOn()
    #expect(course.outcomes == [.tagged(Self.source("Tests", "slow.part"))])
    #expect(try course.source("slow") == Self.first)
  }

  @Test func otherFileByTheNameOfAnUnfinishedOneIsLeftAlone() throws {
    let course = Course(self)
    try course.write("slow.part")
    try course.hand("slow.part")
    course.release()
    try course.rename("slow.part", "slow")
    let source = try #require(try course.source("slow"))
    try course.write("other", source)
    try course.rename("other", "slow")
    course.goOn()
    #expect(course.outcomes == [.tagged(source)])
    #expect(try course.source("slow") == source)
  }

  @Test func ofUnfinishedFilesTheLatestAreRemembered() throws {
    let course = Course(self)
    try course.write("slow.part")
    try course.hand("slow.part")
    for number in 1...1024 {
      try course.write("\(number).part")
      try course.hand("\(number).part")
    }
    course.release()
    for name in ["slow", "511", "512"] {
      try course.rename("\(name).part", name)
    }
    course.goOn()
    #expect(course.outcomes.count == 1026)
    #expect(course.outcomes.last == .renamed(path: "512"))
  }

  // MARK: Directories that are followed

  /// The source was there before the watch began, and nobody writes the old file.
  @Test func fileThatWasNeverWrittenGivesItsSource() throws {
    let course = Course(self)
    try course.write("letter", Self.first)
    course.lookAround()
    try course.replaceAsSed("letter")
    #expect(course.outcomes == [.unknown, .kept])
    #expect(try course.source("letter") == Self.first)
  }

  @Test func sourceThatIsSetBetweenWritesGoesOver() throws {
    let course = Course(self)
    try course.write("letter")
    course.lookAround()
    try course.setSource("letter", Self.first)
    try course.replaceAsSed("letter")
    #expect(course.outcomes == [.unknown, .kept])
    #expect(try course.source("letter") == Self.first)
  }

  /// Editors write a file of another name as soon as they begin.
  @Test func directoryOfAWrittenFileIsLookedAt() throws {
    let course = Course(self)
    try course.write("letter", Self.first)
    try course.write(".letter.swp")
    try course.hand(".letter.swp")
    try course.rename("letter", "letter~")
    try course.write("letter")
    try course.hand("letter")
    #expect(course.outcomes == [.kept])
    #expect(try course.source("letter") == Self.first)
  }

  @Test func sourceThatIsRemovedIsForgotten() throws {
    let course = Course(self)
    try course.write("letter", Self.first)
    course.lookAround()
    try course.removeSource("letter")
    try course.replaceAsSed("letter")
    #expect(course.outcomes == [.unknown])
    #expect(try course.source("letter") == nil)
  }

  /// Another document may get the name of one that was deleted, but not at once.
  @Test(arguments: [false, true])
  func fileThatIsDeletedIsReplacedOnlyAtOnce(_ isLater: Bool) throws {
    let course = Course(self)
    try course.write("letter", Self.first)
    try course.hand("letter")
    course.remove("letter")
    course.takeChanges()
    if isLater { Thread.sleep(forTimeInterval: 1.05) }
    try course.write("letter")
    try course.hand("letter")
    let outcome = isLater ? .tagged(Self.source("Tests", "letter")) : WatchOutcome.kept
    #expect(course.outcomes == [.kept, outcome])
  }

  @Test func renamedFileTakesItsSourceAlong() throws {
    let course = Course(self)
    try course.write("letter", Self.first)
    course.lookAround()
    try course.makeDirectory("old")
    try course.write("old/note")
    try course.hand("old/note", isGone: true)
    try course.rename("letter", "old/letter")
    try course.replaceAsSed("old/letter")
    try course.write("letter")
    try course.hand("letter", isGone: true)
    #expect(course.outcomes == [.unknown, .unknown, .kept, .unknown])
    #expect(try course.source("old/letter") == Self.first)
    #expect(try course.source("letter") == nil)
  }

  @Test func directoryThatIsRenamedIsForgotten() throws {
    let course = Course(self)
    try course.makeDirectory("project")
    try course.write("project/letter", Self.first)
    course.lookAround()
    try course.rename("project", "old")
    try course.makeDirectory("project")
    try course.write("project/letter")
    try course.hand("project/letter", isGone: true)
    #expect(course.outcomes == [.unknown])
    #expect(try course.source("project/letter") == nil)
    try course.replaceAsSed("old/letter")
    #expect(course.outcomes == [.unknown, .unknown, .kept])
    #expect(try course.source("old/letter") == Self.first)
  }

  /// Nothing follows the directory above.
  @Test func directoryThatHasBecomeAnotherOneIsForgotten() throws {
    let course = Course(self)
    try course.makeDirectory("project")
    try course.makeDirectory("project/part")
    try course.write("project/part/letter", Self.first)
    try course.hand("project/part/letter")
    try course.rename("project", "old")
    try course.makeDirectory("project")
    try course.makeDirectory("project/part")
    try course.write("project/part/letter")
    try course.write("project/part/note", Self.first)
    try course.hand("project/part/letter", isGone: true)
    #expect(course.outcomes == [.kept, .unknown])
    #expect(try course.source("project/part/letter") == nil)
    // What is in that one is known.
    try course.write("project/part/new")
    try course.rename("project/part/new", "project/part/note")
    try course.hand("project/part/note", isGone: true)
    #expect(course.outcomes == [.kept, .unknown, .kept])
  }

  /// The kernel drops what happens when its queue is full.
  @Test func sourcesAreReadAgainWhenEventsWereLost() throws {
    let course = Course(self)
    try course.makeDirectory("old")
    try course.write("letter", Self.first)
    try course.write("report", Self.first)
    course.lookAround()
    try course.fillQueue("letter", "report")
    try course.rename("letter", "old/letter")
    course.takeChanges()
    course.lookFurther()
    try course.write("new")
    try course.rename("new", "report")
    try course.hand("report", isGone: true)
    try course.write("letter")
    try course.hand("letter", isGone: true)
    #expect(course.outcomes == [.kept, .unknown])
    #expect(try course.source("letter") == nil)
    #expect(try course.source("report") == Self.first)
  }

  @Test func fileThatIsReplacedByAnotherOneWithASourceIsForgotten() throws {
    let course = Course(self)
    let second = DocumentSource(identifier: "org.example.Second", name: "Second")
    try course.write("letter", Self.first)
    try course.write("other", second)
    course.lookAround()
    try course.rename("other", "letter")
    try course.replaceAsSed("letter")
    #expect(try course.source("letter") == second)
  }

  @Test(arguments: [
    ("documents/a", true), ("documents/.a/b", false), ("documents/a/node_modules", false),
    ("documents", false), ("home", false),
  ])
  func directoriesWithoutDocumentsAreNotFollowed(_ name: String, _ isFollowed: Bool) throws {
    let user = try #require(users[geteuid()])
    #expect(user.mayHoldDocuments(Array(place.path(name).utf8)) == isFollowed)
  }

  @Test func directoriesAreFollowedInBounds() throws {
    let place = try TemporaryDirectory()
    let followed = FollowedDirectories()
    var formers = FormerSources()
    func path(_ number: Int) -> HashedPath {
      HashedPath(Array(place.path("\(number)/letter").utf8))
    }
    for number in 0...FollowedDirectories.limit {
      try #require(mkdir(place.path("\(number)"), 0o755) == 0)
      followed.meet(path(number), &formers)
    }
    #expect(!followed.follows(path(0)))
    #expect(followed.follows(path(200)))
    #expect(followed.follows(path(FollowedDirectories.limit)))
    try FileManager.default.removeItem(atPath: place.root)
    followed.takeChanges(&formers)
    #expect(!followed.follows(path(FollowedDirectories.limit)))
  }

  @Test func whatIsLeftInTheQueueIsRead() throws {
    let place = try TemporaryDirectory()
    let followed = FollowedDirectories()
    var formers = FormerSources()
    try #require(mkdir(place.path("a"), 0o755) == 0)
    let path = HashedPath(Array(place.path("a/letter").utf8))
    followed.meet(path, &formers)
    try #require(rename(place.path("a"), place.path("b")) == 0)
    followed.beginTurn()
    followed.meet(path, &formers)
    #expect(!followed.follows(path))
    followed.takeChanges(&formers)
    // It would be waited for without end.
    var ready = pollfd(fd: followed.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, 0) == 0)
  }

  @Test func directoryThatMustNotBeFollowedIsNot() throws {
    let place = try TemporaryDirectory()
    let followed = FollowedDirectories { _ in true }
    var formers = FormerSources()
    let path = HashedPath(Array(place.path("letter").utf8))
    followed.meet(path, &formers)
    #expect(!followed.follows(path))
  }

  /// A disk may need seconds for a large directory.
  @Test func turnIsNotSpentOnOneDirectory() throws {
    let place = try TemporaryDirectory()
    let followed = FollowedDirectories()
    var formers = FormerSources()
    func file(_ name: String) throws -> HashedPath {
      try place.file(name, "text")
      let attribute = DocumentSourceAttribute(of: .path(FilePath(place.path(name))))
      try attribute.write(try attribute.plan(SourceChange(to: Self.first)))
      return HashedPath(Array(place.path(name).utf8))
    }
    try #require(mkdir(place.path("a"), 0o755) == 0)
    let letter = try file("a/letter")
    // No turn has begun: there is no time.
    followed.meet(letter, &formers)
    #expect(followed.follows(letter))
    #expect(formers.last(at: letter) == nil)
    #expect(followed.hasQueue)
    // What waits in a directory that is followed no more is not looked at.
    try #require(rename(place.path("a"), place.path("b")) == 0)
    try #require(mkdir(place.path("a"), 0o755) == 0)
    _ = try file("a/letter")
    followed.takeChanges(&formers)
    followed.takeQueue(&formers, until: .max) { _ in true }
    #expect(!followed.hasQueue)
    #expect(formers.last(at: letter) == nil)
    followed.meet(letter, &formers)
    followed.takeQueue(&formers, until: .max) { _ in true }
    #expect(formers.last(at: letter)?.isPresent == true)
    // As when its file system is unmounted.
    try FileManager.default.removeItem(atPath: place.path("a"))
    followed.takeChanges(&formers)
    #expect(!followed.follows(letter))
    #expect(formers.last(at: letter) == nil)
    let areBeside = formers.areBeside(letter)
    #expect(!areBeside)
  }

  @Test func lastApplicationCountsIfThatIsWanted() throws {
    let course = Course(try WrittenFilesTests(.last))
    try course.write("letter", Self.first)
    try course.hand("letter")
    try course.write(".new")
    try course.rename(".new", "letter")
    try course.hand("letter")
    let tagged = WatchOutcome.tagged(Self.source("Tests", "letter"))
    #expect(course.outcomes == [tagged, tagged])
  }

  @Test func sourcesAreRememberedInBounds() {
    var formers = FormerSources()
    var status = clinux_status()
    func path(_ number: Int) -> HashedPath { HashedPath(Array("/d/\(number)".utf8)) }
    let old = FileIdentity(status)
    status.inode = 1
    let new = FileIdentity(status)
    func former(_ file: FileIdentity, _ number: Int) -> [UInt8]? {
      formers.former(of: file, at: path(number))?.value
    }
    for number in 0..<8191 { formers.note([1], of: old, at: path(number)) }
    #expect(former(new, 0) == [1])
    #expect(former(old, 0) == nil)
    let areBeside = formers.areBeside(path(9000))
    #expect(areBeside)
    formers.note([2], of: old, at: path(9000))
    #expect(former(new, 0) == nil)
    #expect((1..<8191).count { former(new, $0) != nil } == 4095)
    for _ in 0..<9 { formers.note([UInt8](repeating: 3, count: 1 << 19), of: old, at: path(1)) }
    #expect(former(new, 9000) == [2])
    for number in 0..<20 {
      formers.note([UInt8](repeating: 3, count: 1 << 19), of: old, at: path(number))
    }
    #expect(former(new, 9000) == nil)
    #expect(former(new, 19) != nil)
  }
}

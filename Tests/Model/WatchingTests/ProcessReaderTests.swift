import CLinux
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing

@testable import Watching

/// Directories that look like /proc/PID, and real processes.
@Suite struct ProcessReaderTests {
  private let proc: TemporaryDirectory

  init() throws { proc = try TemporaryDirectory() }

  /// Makes a process up.
  private func process(
    _ identifier: Int32, parent: Int32 = 1, session: Int32 = 1, start: Int = 5,
    name: String = "editor", user: Int = 1000, environment: String = "", arguments: String = "",
    flatpak: String? = nil, program: String = "editor", terminal: Int = 34816
  ) throws {
    let directory = "\(identifier)"
    try FileManager.default.createDirectory(
      atPath: proc.path("\(directory)/root"), withIntermediateDirectories: true)
    let zeros = Array(repeating: "0", count: 14).joined(separator: " ")
    try proc.file(
      "\(directory)/stat",
      "\(identifier) (\(name)) S \(parent) 7 \(session) \(terminal) \(zeros) \(start) 1 2 3\n")
    try proc.file("\(directory)/status", "Name:\tx\nUid:\t0\t\(user)\t0\t0\nGid:\t0\t0\t0\t0\n")
    try proc.file("\(directory)/cgroup", "0::/a\n")
    try proc.file("\(directory)/environ", environment)
    try proc.file("\(directory)/cmdline", arguments)
    symlink("/usr/bin/\(program) (deleted)", proc.path("\(directory)/exe"))
    if let flatpak { try proc.file("\(directory)/root/.flatpak-info", flatpak) }
  }

  private func read(_ identifier: Int32) -> (process: ProcessFacts, ancestors: [ProcessFacts])? {
    let process = pidfd(getpid())
    defer { close(process) }
    return ProcessReader(FilePath(proc.root)).facts(
      of: Writer(identifier: identifier, process: process))
  }

  @Test func allThatCountsIsRead() throws {
    try process(
      20, parent: 1, session: 3, name: "a) S (b",
      environment:
        "A=B\0GIO_LAUNCHED_DESKTOP_FILE=/a.desktop\0GIO_LAUNCHED_DESKTOP_FILE_PID=20\0",
      arguments: "editor\0\0x y\0", flatpak: "[Application]\nname=org.example.Flat\n")
    let facts = try #require(read(20)?.process)
    #expect(
      facts
        == ProcessFacts(
          identifier: 20, parent: 1, session: 3, hasTerminal: true, startTime: 5, user: 1000,
          command: Array("a) S (b".utf8), executable: Array("/usr/bin/editor".utf8),
          arguments: [Array("editor".utf8), [], Array("x y".utf8)],
          controlGroups: Array("0::/a\n".utf8),
          launch: .init(desktopFile: "/a.desktop", identifier: 20), flatpak: "org.example.Flat"))
    #expect(read(21) == nil)
    #expect(read(0) == nil)
    #expect(read(-1) == nil)
  }

  @Test func writerWhosePidfdIsDeadOrMissingIsGone() throws {
    try process(20)
    let reader = ProcessReader(FilePath(proc.root))
    #expect(reader.facts(of: Writer(identifier: 20, process: -1)) == nil)
    #expect(reader.facts(of: Writer(identifier: 20, process: -2)) == nil)
    let ended = try RunningProcess([Array("true".utf8)])
    let process = pidfd(ended.identifier)
    defer { close(process) }
    #expect(ended.wait() == 0)
    #expect(reader.facts(of: Writer(identifier: 20, process: process)) == nil)
  }

  @Test func ancestorsEndWhereTheyCannotBeTrusted() throws {
    func ancestors(_ identifier: Int32) -> [Int32]? {
      read(identifier)?.ancestors.map(\.identifier)
    }
    try process(10, parent: 1, session: 10)
    try process(20, parent: 10, session: 10)
    try process(30, parent: 20, session: 10)
    #expect(ancestors(30) == [20, 10])
    #expect(ancestors(10) == [])
    // It began after its child: the number is another's.
    try process(40, parent: 41, start: 5)
    try process(41, parent: 1, start: 6)
    #expect(ancestors(40) == [])
    try process(50, parent: 51)
    try process(51, parent: 1, user: 0)
    #expect(ancestors(50) == [])
    try process(60, parent: 61)
    try process(61, parent: 60)
    #expect(ancestors(60)?.count == 32)
  }

  @Test func glanceTellsNameParentTerminalGroupsAndUser() throws {
    try process(20, parent: 10, session: 7, start: 9, name: "a (b) c", user: 1, program: "x")
    let own = pidfd(getpid())
    defer { close(own) }
    let reader = ProcessReader(FilePath(proc.root))
    #expect(
      reader.glance(at: Writer(identifier: 20, process: own))
        == ProcessFacts(
          identifier: 20, parent: 10, session: 7, hasTerminal: true, startTime: 9, user: geteuid(),
          command: Array("a (b) c".utf8), controlGroups: Array("0::/a\n".utf8)))
    #expect(reader.glance(at: Writer(identifier: 21, process: own)) == nil)
    #expect(reader.glance(at: Writer(identifier: 20, process: -1)) == nil)
  }

  @Test func goneWriterHasTheAncestorsThatAreThere() throws {
    let reader = ProcessReader(FilePath(proc.root))
    func gone(
      parent: Int32, session: Int32 = 10, start: UInt64 = 5, user: UInt32 = 1000
    ) -> (ancestors: [Int32], groups: String) {
      let facts = reader.facts(
        ofGone: ProcessFacts(
          identifier: 30, parent: parent, session: session, startTime: start, user: user,
          command: Array("plug-in".utf8), controlGroups: Array("0::/a\n".utf8)))
      return (
        facts.ancestors.map(\.identifier),
        String(decoding: facts.process.controlGroups, as: UTF8.self)
      )
    }
    try process(10, parent: 1, session: 10)
    try process(20, parent: 10, session: 10)
    #expect(gone(parent: 20) == ([20, 10], "0::/a\n"))
    #expect(gone(parent: 1) == ([], "0::/a\n"))
    #expect(gone(parent: 20, session: 30) == ([], "0::/a\n"))
    // The parent is gone, too, or the number is another's.
    #expect(gone(parent: 21) == ([], ""))
    #expect(gone(parent: 20, start: 4) == ([], ""))
    #expect(gone(parent: 20, user: 1001) == ([], ""))
  }

  /// File Roller gives each program that packs for it a session of its own.
  @Test func packersHaveAParentThoughTheyLeadASession() throws {
    func ancestors(_ identifier: Int32) -> [Int32]? {
      read(identifier)?.ancestors.map(\.identifier)
    }
    try process(10, parent: 5, session: 10)
    try process(5, parent: 1, session: 5)
    try process(20, parent: 10, session: 20, program: "7z", terminal: 0)
    #expect(ancestors(20) == [10])
    try process(30, parent: 10, session: 30, program: "7z")
    #expect(ancestors(30) == [])
    try process(40, parent: 10, session: 40, terminal: 0)
    #expect(ancestors(40) == [])
  }

  @Test func environmentIsReadUpToALimit() throws {
    let filler = String(repeating: "A=\(String(repeating: "x", count: 1020))\0", count: 1024)
    let launch = "GIO_LAUNCHED_DESKTOP_FILE=/a.desktop\0GIO_LAUNCHED_DESKTOP_FILE_PID=20\0"
    try process(20, environment: filler + launch)
    #expect(read(20)?.process.launch == nil)
    try process(20, environment: launch + filler)
    #expect(read(20)?.process.launch?.identifier == 20)
    for odd in [
      "GIO_LAUNCHED_DESKTOP_FILE=/a\0GIO_LAUNCHED_DESKTOP_FILE_PID=\0",
      "GIO_LAUNCHED_DESKTOP_FILE=/a\0GIO_LAUNCHED_DESKTOP_FILE_PID=99999999999\0",
      "GIO_LAUNCHED_DESKTOP_FILE_PID=20\0", "XGIO_LAUNCHED_DESKTOP_FILE=/a\0", "\0\0=\0",
    ] {
      try process(20, environment: odd)
      #expect(read(20)?.process.launch == nil)
    }
    // The first counts, as for getenv.
    let other = "GIO_LAUNCHED_DESKTOP_FILE=/b\0"
    try process(20, environment: launch + other)
    #expect(read(20)?.process.launch?.desktopFile == "/a.desktop")
  }

  @Test func hostileFlatpakInfoIsNone() throws {
    let info = "[Application]\nname="
    for content in [
      "", "name=a.b\n", "[Runtime]\nname=a.b\n", info, info + "a/b\n", info + ".hidden\n",
      info + "a\u{1}b\n", info + String(repeating: "x", count: 300) + "\n",
      info + "a.b\n" + String(repeating: "#\n", count: 40_000),
      String(repeating: "[", count: 60_000),
    ] {
      try process(20, flatpak: content)
      #expect(read(20)?.process.flatpak == nil)
    }
    try process(20, flatpak: info + "a.b\nname=c.d\n")
    #expect(read(20)?.process.flatpak == "a.b")
    let path = proc.path("20/root/.flatpak-info")
    rename(path, proc.path("elsewhere"))
    symlink(proc.path("elsewhere"), path)
    #expect(read(20)?.process.flatpak == nil)
    unlink(path)
    mkfifo(path, 0o644)
    #expect(read(20)?.process.flatpak == nil)
  }

  @Test func damagedFilesAreNoProcess() throws {
    for text in ["", "20", "20 (a", "20 (a) S", "20 )a( S 1 1 1 1", "20 (a) S x 1 1 0"] {
      try process(20)
      try proc.file("20/stat", text)
      #expect(read(20) == nil, "\(text)")
    }
    try process(20)
    for name in ["status", "cgroup", "environ", "cmdline", "exe"] {
      unlink(proc.path("20/\(name)"))
    }
    let facts = try #require(read(20)?.process)
    #expect(facts.user == .max)
    #expect(facts.executable == nil)
    #expect(facts.arguments == [])
    #expect(facts.controlGroups == [])
    #expect(facts.launch == nil)
  }

  @Test func ownProcessIsRead() throws {
    let process = pidfd(getpid())
    defer { close(process) }
    let writer = Writer(identifier: getpid(), process: process)
    let found = try #require(ProcessReader().facts(of: writer))
    #expect(found.process.user == geteuid())
    #expect(found.process.parent == getppid())
    #expect(found.process.session == getsid(0))
    #expect(!found.process.controlGroups.isEmpty)
    let name = CommandLine.arguments[0].split(separator: "/").last.map { Array($0.utf8) }
    #expect(name.map { found.process.arguments.first?.ends(with: $0) == true } == true)
  }

  private func pidfd(_ identifier: pid_t) -> CInt { clinux_process_open(identifier) }
}

extension [UInt8] {
  fileprivate func ends(with other: [UInt8]) -> Bool { suffix(other.count).elementsEqual(other) }
}

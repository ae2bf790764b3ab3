import CLinux
import ForeignFormats
import Foundation
import Glibc
import LinuxSystem
import TestSupport
import Testing
import Xattr

@testable import Watching

/// Real processes, whose attribution is remembered.
@Suite struct KnownProcessesTests {
  /// A process that carries out commands line by line.
  private final class Actor {
    let process: RunningProcess
    private let pipe: CInt
    private let directory: TemporaryDirectory

    init(_ script: String, environment: [String: String] = [:]) throws {
      directory = try TemporaryDirectory()
      let path = directory.path("lines")
      mkfifo(path, 0o600)
      process = try RunningProcess(
        ["sh", "-c", "read -r line <'\(path)'; \(script)"].map { Array($0.utf8) },
        environment: environment)
      pipe = open(path, O_RDWR)
    }

    func goOn() { _ = write(pipe, "\n", 1) }

    deinit {
      process.kill(SIGKILL)
      _ = process.wait()
      close(pipe)
    }

    /// Waits until it runs a program.
    func isRunning(_ program: String) -> Bool {
      let exe = "/proc/\(process.identifier)/exe"
      for _ in 0..<1000 {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: exe)
        if path?.hasSuffix("/\(program)") == true { return true }
        usleep(10_000)
      }
      return false
    }
  }

  private static func attribution(
    _ known: KnownProcesses, _ identifier: pid_t, _ applications: InstalledApplications,
    context: Int = 0
  ) -> Attribution {
    let process = clinux_process_open(identifier)
    defer { close(process) }
    known.beginTurn()
    return known.attribution(
      of: Writer(identifier: identifier, process: process), among: applications, context: context)
  }

  /// A process that sleeps.
  private static func sleeper() throws -> Actor {
    let actor = try Actor("exec sleep 60")
    actor.goOn()
    #expect(actor.isRunning("sleep") || actor.isRunning("coreutils"))
    return actor
  }

  /// A process that sleeps, and what /proc has of it.
  private static func knownSleeper() throws -> (Actor, ProcessDirectory, ProcessFacts) {
    let actor = try sleeper()
    let reader = ProcessReader()
    let identifier = actor.process.identifier
    let process = clinux_process_open(identifier)
    defer { close(process) }
    let opened = try #require(reader.open(Writer(identifier: identifier, process: process)))
    let facts = try #require(reader.facts(of: identifier, in: opened)?.process)
    return (actor, opened, facts)
  }

  @Test func anotherProgramInTheSameProcessIsNoticed() throws {
    let home = try ApplicationsHome()
    let sleeper = URL(filePath: "/bin/sleep").resolvingSymlinksInPath().path
    try home.entry("org.example.Sleeper", "Name=Sleeper", "Exec=\(sleeper)")
    let actor = try Actor("exec sleep 60")
    let known = KnownProcesses()
    let identifier = actor.process.identifier
    func attribution() -> Attribution { Self.attribution(known, identifier, home.applications) }
    for _ in 0..<3 { #expect(attribution() == .none(.plain(.shell))) }
    // Nor is its end waited for: it may run an application before that.
    let shell = clinux_process_open(identifier)
    defer { close(shell) }
    #expect(known.isKnown(Writer(identifier: identifier, process: shell)))
    #expect(!known.isKnownForGood(Writer(identifier: identifier, process: shell)))
    actor.goOn()
    #expect(actor.isRunning("sleep") || actor.isRunning("coreutils"))
    let sleeping = ApplicationDescription(identifier: "org.example.Sleeper", name: "Sleeper")
    for _ in 0..<3 { #expect(attribution() == .application(sleeping)) }
    actor.process.kill(SIGKILL)
    _ = actor.process.wait()
    #expect(attribution() == .unknown)
  }

  @Test func anotherSetOfApplicationsIsAskedAnew() throws {
    let home = try ApplicationsHome()
    let known = KnownProcesses()
    let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let before = Self.attribution(known, getpid(), home.applications)
    try home.entry("org.example.Tests", "Name=Tests", "Exec=\"\(path)\"")
    #expect(Self.attribution(known, getpid(), home.applications) == before)
    let tests = ApplicationDescription(identifier: "org.example.Tests", name: "Tests")
    #expect(
      Self.attribution(known, getpid(), home.applications, context: 1) == .application(tests))
  }

  @Test(.enabled(if: ApplicationScope.mayMake)) func anotherUnitIsNoticed() throws {
    let home = try ApplicationsHome()
    let scope = try ApplicationScope("app-gnome-org.example.Unit-1.scope")
    let other = try ApplicationScope("app-gnome-org.example.Other-2.scope")
    let actor = try Self.sleeper()
    let known = KnownProcesses()
    for (scope, name) in [(scope, "org.example.Unit"), (other, "org.example.Other")] {
      try scope.add(actor.process.identifier)
      #expect(
        Self.attribution(known, actor.process.identifier, home.applications)
          == .application(ApplicationDescription(identifier: name)))
    }
  }

  @Test func goneWriterIsKnownByItsName() throws {
    let home = try ApplicationsHome()
    try home.entry("org.example.Sleeper", "Name=Sleeper", "Exec=/bin/sleep")
    let ended = try RunningProcess([Array("true".utf8)])
    let process = clinux_process_open(ended.identifier)
    defer { close(process) }
    _ = ended.wait()
    func attribution(_ command: String?) -> Attribution {
      let glance = command.map {
        ProcessFacts(identifier: ended.identifier, command: Array($0.utf8))
      }
      return KnownProcesses().attribution(
        of: Writer(identifier: ended.identifier, process: process, glance: glance),
        among: home.applications, context: 0)
    }
    let sleeper = ApplicationDescription(identifier: "org.example.Sleeper", name: "Sleeper")
    #expect(attribution("sleep") == .application(sleeper))
    #expect(attribution("cp") == .none(.plain(.copier)))
    #expect(attribution("sleeps") == .unknown)
    #expect(attribution(nil) == .unknown)
  }

  /// A program that writes many files ends before the last ones are looked at.
  @Test func knownWriterIsKnownAfterItsEnd() throws {
    let home = try ApplicationsHome()
    let sleeper = URL(filePath: "/bin/sleep").resolvingSymlinksInPath().path
    try home.entry("org.example.Sleeper", "Name=Sleeper", "Exec=\(sleeper)")
    let actor = try Self.sleeper()
    let identifier = actor.process.identifier
    let processes = [clinux_process_open(identifier), clinux_process_open(identifier)]
    defer { for process in processes { close(process) } }
    let known = KnownProcesses()
    func attribution(_ process: CInt) -> Attribution {
      known.beginTurn()
      let writer = Writer(identifier: identifier, process: process)
      #expect(known.isKnown(writer) == (known.knownAttribution(of: writer, context: 0) != nil))
      let found = known.attribution(of: writer, among: home.applications, context: 0)
      let isForGood = found != .unknown && KnownProcesses.areKnownAfterTheirEnd
      #expect(known.isKnownForGood(writer) == isForGood)
      return found
    }
    let sleeping = ApplicationDescription(identifier: "org.example.Sleeper", name: "Sleeper")
    #expect(attribution(processes[0]) == .application(sleeping))
    actor.process.kill(SIGKILL)
    _ = actor.process.wait()
    // Before Linux 6.9 nothing tells that it is the same.
    let hasInode = clinux_process_inode(processes[0]) != 0
    #expect(attribution(processes[1]) == (hasInode ? .application(sleeping) : .unknown))
    // Another process of that number.
    let ended = try RunningProcess([Array("true".utf8)])
    let other = clinux_process_open(ended.identifier)
    defer { close(other) }
    _ = ended.wait()
    #expect(clinux_process_inode(other) != clinux_process_inode(processes[0]) || !hasInode)
    #expect(attribution(other) == .unknown)
  }

  @Test(.enabled(if: ApplicationScope.mayMake)) func goneWriterIsKnownByItsUnit() throws {
    let home = try ApplicationsHome()
    let scope = try ApplicationScope("app-gnome-org.example.Gone-4.scope")
    let actor = try Self.sleeper()
    let identifier = actor.process.identifier
    try scope.add(identifier)
    let process = clinux_process_open(identifier)
    defer { close(process) }
    let glance = try #require(
      ProcessReader().glance(at: Writer(identifier: identifier, process: process)))
    #expect(glance.user == geteuid())
    #expect(glance.parent == getpid())
    actor.process.kill(SIGKILL)
    _ = actor.process.wait()
    #expect(
      KnownProcesses().attribution(
        of: Writer(identifier: identifier, process: process, glance: glance),
        among: home.applications, context: 0)
        == .application(ApplicationDescription(identifier: "org.example.Gone")))
  }

  @Test(.enabled(if: ApplicationScope.mayMake))
  func unitOfOneThatHasStartedIsBelievedForASecond() throws {
    let other = try ApplicationScope("app-gnome-org.example.Other-3.scope")
    let (actor, opened, facts) = try Self.knownSleeper()
    let known = KnownProcess(.unknown, facts, in: opened, 0, context: 0, time: 10_000)
    #expect(known.isSame(at: 10_100))
    #expect(known.isSame(at: 12_100))
    try other.add(actor.process.identifier)
    #expect(known.isSame(at: 13_000))
    #expect(!known.isSame(at: 13_200))
    let starting = KnownProcess(.unknown, facts, in: opened, 0, context: 0, time: 13_000)
    #expect(!starting.isSame(at: 13_001))
  }

  @Test(.enabled(if: ApplicationScope.mayMake))
  func unitOfOneThatStartsIsBelievedForAQuarterOfItsAge() throws {
    let other = try ApplicationScope("app-gnome-org.example.Other-5.scope")
    let (actor, opened, facts) = try Self.knownSleeper()
    let known = KnownProcess(.unknown, facts, in: opened, 0, context: 0, time: 10_000)
    #expect(known.isSame(at: 10_400))
    try other.add(actor.process.identifier)
    #expect(known.isSame(at: 10_530))
    #expect(!known.isSame(at: 10_540))
  }
}

import Foundation
import Glibc
import TestSupport
import Testing

/// How `docsource watch` has AppStream's metainfo read.
@Suite(.enabled(if: FileSystem.mayMount && ApplicationScope.mayMake), .serialized)
struct WatchMetainfoTests {
  private let home: TemporaryDirectory
  private let system: FileSystem

  init() throws {
    home = try TemporaryDirectory()
    system = try FileSystem(.tmpfs)
    try describe("org.example.Bare", "Bare")
  }

  private func describe(_ identifier: String, _ name: String) throws {
    try home.file(
      ".local/share/metainfo/\(identifier).metainfo.xml",
      "<component><id>\(identifier)</id><name>\(name)</name></component>")
  }

  /// The system's own files are left out.
  private var environment: [String: String] {
    ["HOME": home.root, "XDG_DATA_HOME": "", "XDG_DATA_DIRS": home.path("none")]
  }

  /// The tool with something else in the place of docsource-xml.
  private func tool(beside program: String?) throws -> String {
    let path = home.path("bin/docsource")
    try FileManager.default.createDirectory(
      atPath: home.path("bin"), withIntermediateDirectories: true)
    try FileManager.default.linkItem(atPath: Docsource.path, toPath: path)
    if let program {
      try FileManager.default.createSymbolicLink(
        atPath: path + "-xml", withDestinationPath: program)
    }
    return path
  }

  /// Tells the stand-in what to do.
  ///
  /// - Returns: the tool's environment.
  private func standIn(_ kind: String) throws -> [String: String] {
    try home.file(
      "bin/docsource-xml.settings",
      "STAND_IN='\(kind)' RUNS='\(home.path("runs"))' PROGRAM='\(Docsource.path)-xml'\n")
    return environment
  }

  private static let standIn = Fixture.root.appending(path: "Tests/Scripts/stand-in-xml").path

  private func place(
    tool: String = Docsource.path, _ environment: [String: String], wrapper: [String] = []
  ) throws -> WatchPlace {
    try WatchPlace(
      system, home: home, [system.root],
      wrapper: wrapper + ["sh", "-c", "shift; exec '\(tool)' \"$@\"", "sh"],
      environment: environment)
  }

  /// The name that a file gets of an application in a scope of its own.
  private func name(_ identifier: String, _ place: WatchPlace) throws -> String? {
    let scope = try ApplicationScope("app-gnome-\(identifier)-4242.scope")
    let path = system.path(identifier)
    let writer = try WatchCommandTests.writer("open('\(path)', 'w').close()", scope: scope)
    defer { WatchCommandTests.finish(writer) }
    let event = try place.waitForEvent(path)
    #expect(event?.event == "tagged")
    #expect(event?.source?.identifier == identifier)
    return event?.source?.name
  }

  private static func summary(_ count: Int) -> String {
    "docsource: \(count) tagged, 0 kept, 0 not from an application, 0 from unknown programs, 0 failed;"
      + " no events lost\n"
  }

  private static func failure(_ reason: String) -> String {
    "docsource: no names from AppStream for applications without a desktop file: \(reason)\n"
  }

  @Test func hostileFilesDoNotHarmTheOthers() throws {
    for name in ["billion-laughs", "parameter-entities", "usual"] {
      try home.write(
        Fixture.bytes("AppStream/\(name).metainfo.xml"),
        to: ".local/share/metainfo/\(name).metainfo.xml")
    }
    let many = (0..<100_000).map { " a\($0)=''" }.joined()
    for (name, content) in [
      ("a", "<component"), ("m", "<c><id>m</id><a\(many)/></c>"),
      ("n", String(repeating: "<a>", count: 300_000)), ("o", "<c><id>o</id>&no;</c>"),
      ("z", String(repeating: "<", count: 1 << 21)),
    ] {
      try home.file(".local/share/metainfo/\(name).metainfo.xml", content)
    }
    let place = try place(environment)
    #expect(try name("org.example.Bare", place) == "Bare")
    #expect(try name("org.example.App", place) == "Tom & Jerry's \u{1F600} <App>")
    #expect(try place.end().errors == Self.summary(2))
  }

  @Test func oneRunReadsManyFiles() throws {
    for number in 0..<300 { try describe("org.example.A\(number)", "Name \(number)") }
    let place = try place(tool: tool(beside: Self.standIn), standIn("itself"))
    #expect(try name("org.example.A0", place) == "Name 0")
    #expect(try name("org.example.A299", place) == "Name 299")
    #expect(try place.end().errors == Self.summary(2))
    let runs = try home.text("runs").split(separator: "\n")
    #expect(runs.count == 1)
    #expect(runs.first?.hasSuffix(" metainfo docsource-xml") == true)
  }

  @Test func withoutFilesNothingIsRun() throws {
    try FileManager.default.removeItem(atPath: home.path(".local"))
    let place = try place(tool: tool(beside: Self.standIn), standIn("itself"))
    #expect(try name("org.example.Bare", place) == nil)
    #expect(try place.end().errors == Self.summary(1))
    #expect(!FileManager.default.fileExists(atPath: home.path("runs")))
  }

  @Test func applicationWithADesktopFileIsNotAskedAfter() throws {
    try home.file(
      ".local/share/applications/org.example.Bare.desktop",
      "[Desktop Entry]\nType=Application\nName=Entry\nExec=no-such-program\n")
    let place = try place(tool: tool(beside: Self.standIn), standIn("itself"))
    #expect(try name("org.example.Bare", place) == "Entry")
    #expect(!FileManager.default.fileExists(atPath: home.path("runs")))
  }

  @Test(arguments: [
    ("fail", "no \\x1b luck"),
    ("silent", "docsource-xml failed without a reason"),
    ("crash", "docsource-xml was terminated by signal 6"),
    ("loader", "docsource-xml exited with status 127: libxml2.so.2: no such file"),
    ("empty", "docsource-xml has a different version"),
    ("other", "docsource-xml has a different version"),
    (nil, "docsource-xml is neither in the directory of docsource nor in ../libexec/docsource"),
  ])
  func failureIsSaidOnceAndTheWatchGoesOn(_ kind: String?, _ reason: String) throws {
    let place = try place(
      tool: tool(beside: kind.map { _ in Self.standIn }), standIn(kind ?? ""))
    #expect(try name("org.example.Bare", place) == nil)
    // A desktop file is new: everything is read again.
    try home.file(".local/share/applications/a.desktop", "[Desktop Entry]\n")
    if kind != nil {
      try Patience.wait { try home.text("runs").split(separator: "\n").count > 1 }
    }
    let end = try place.end()
    #expect(end.errors == Self.failure(reason) + Self.summary(1))
    #expect(end.status == 0)
  }

  @Test func filesThatTakeLongAreNotReadAgain() throws {
    let place = try place(tool: tool(beside: Self.standIn), standIn("slow"))
    for number in 0..<30 {
      try home.file(
        ".local/share/applications/org.example.N\(number).desktop",
        "[Desktop Entry]\nType=Application\nName=New\nExec=no-such-program\n")
    }
    // The desktop files are read within five seconds.
    var number = 0
    while try number < 29 && name("org.example.N\(number)", place) == nil {
      number += 1
      usleep(300_000)
    }
    #expect(try name("org.example.N29", place) == "New")
    #expect(try name("org.example.Bare", place) == "Bare")
    #expect(try home.text("runs").split(separator: "\n").count == 1)
  }

  /// As the service has it, without CAP_KILL.
  @Test func programThatHangsIsEnded() throws {
    let place = try place(
      tool: tool(beside: Self.standIn), standIn("hang"),
      wrapper: [
        "setpriv", "--no-new-privs",
        "--bounding-set", "-all,+sys_admin,+sys_ptrace,+dac_override,+setuid,+setgid",
      ])
    // Files are marked before metainfo is read.
    try Patience.wait { (try? home.text("runs"))?.hasSuffix("\n") == true }
    let run = try #require(try home.text("runs").split(separator: " ").first)
    try Patience.wait { !FileManager.default.fileExists(atPath: "/proc/\(run)") }
    #expect(try name("org.example.Bare", place) == nil)
    let status = try String(contentsOfFile: "/proc/\(place.identifier)/status", encoding: .utf8)
    #expect(status.contains("\nUid:\t0\t0\t0\t0\n"))
    #expect(
      try place.end().errors == Self.failure("docsource-xml took longer than 6 s") + Self.summary(1)
    )
  }

  @Test func signalIsNotPutOffByAProgramThatHangs() throws {
    let streams = try TemporaryDirectory()
    let tool = try tool(beside: Self.standIn)
    let watch = try RunningProcess(
      [tool, "watch", system.root].map { Array($0.utf8) }, environment: standIn("hang"),
      streams: streams)
    try Patience.wait { (try? home.text("runs"))?.hasSuffix("\n") == true }
    let run = try #require(try home.text("runs").split(separator: " ").first)
    watch.kill(SIGTERM)
    #expect(watch.wait() == 0)
    #expect(try streams.text("errors") == Self.summary(0))
    #expect(!FileManager.default.fileExists(atPath: "/proc/\(run)"))
  }
}

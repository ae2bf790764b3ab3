import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource open --portal` against a stub that is made of the portals' interface files.
@Suite struct OpenPortalTests {
  /// What docsource says, without what the bus says of its limits, and GVFS's daemon of its end.
  private static func words(_ execution: Execution) -> String {
    execution.errors.split(separator: "\n").filter {
      !$0.hasPrefix("dbus-daemon[") && $0 != "A connection to the bus can't be made"
    }
    .map { "\($0)\n" }.joined()
  }

  private struct Portal {
    let world: DesktopWorld

    init() throws { world = try DesktopWorld() }

    func open(_ variables: [String: String], _ words: String...) throws -> Execution {
      var environment = world.environment
      environment["DBUS_SESSION_BUS_ADDRESS"] = nil
      environment.merge(variables) { $1 }
      let stub = Fixture.root.appending(path: "Tests/Scripts/portal-stub").path
      return try Execution.run(
        [
          "dbus-run-session", "--", "/usr/bin/python3", stub, "/usr/share/dbus-1/interfaces",
          world.directory.path("calls"), Docsource.path, "open", "--portal",
        ] + words, in: world.directory.root, environment: environment)
    }

    func calls() throws -> String {
      let text = try world.directory.text("calls")
      try FileManager.default.removeItem(atPath: world.directory.path("calls"))
      return text
    }
  }

  @Test func fileAndURLAreHandedToThePortal() throws {
    let portal = try Portal()
    let path = try portal.world.directory.file("a b.txt", "content é\n")
    let opened = try portal.open([:], "a b.txt", "https://example.com/?q=1#x")
    #expect(
      opened.text == """
        a b.txt: opened by the portal
        https://example.com/?q=1#x: opened by the portal

        """)
    #expect(Self.words(opened) == "" && opened.status == 0)
    let handle = #""handle": "/org/freedesktop/portal/desktop/request/SENDER/docsource"#
    let lines = try portal.calls().split(separator: "\n").map { line in
      // The token is random.
      line.replacing(/docsource[0-9]+/, with: "docsource")
    }
    #expect(
      lines == [
        #"{"files": ["\#(path)", "content \u00e9\n"], \#(handle)", "interface": "org.freedesktop.portal.OpenURI", "method": "OpenFile", "options": {"writable": true}, "parent": "", "signature": "(sha{sv})", "words": []}"#,
        #"{"files": [], \#(handle)", "interface": "org.freedesktop.portal.OpenURI", "method": "OpenURI", "options": {}, "parent": "", "signature": "(ssa{sv})", "words": ["https://example.com/?q=1#x"]}"#,
      ])
  }

  @Test func optionsOfThePortalAreGiven() throws {
    let portal = try Portal()
    let path = try portal.world.directory.file("a.txt", "x")
    chmod(path, 0o444)
    _ = try portal.open(["XDG_ACTIVATION_TOKEN": "token-1"], "--ask", "a.txt")
    let options = getuid() == 0 ? "true" : "false"
    #expect(
      try portal.calls().contains(
        #""options": {"activation_token": "token-1", "ask": true, "writable": \#(options)}"#))
  }

  @Test(arguments: [
    ("0", 0, ""), ("1", 1, "a: cancelled"), ("2", 2, "a: the portal could not open it"),
  ])
  func answersAreDistinguished(_ answer: String, _ status: Int32, _ message: String) throws {
    let portal = try Portal()
    _ = try portal.world.directory.file("a", "x")
    let opened = try portal.open(["PORTAL_ANSWER": answer], "a")
    #expect(opened.status == status)
    #expect(Self.words(opened) == (message.isEmpty ? "" : "docsource: \(message)\n"))
    let json = try portal.open(["PORTAL_ANSWER": answer, "PORTAL_HANDLE": "own"], "--json", "a")
    let outcome = ["opened", "cancelled", "failed"][Int(status)]
    #expect(json.text.contains("\"outcome\":\"\(outcome)\""), "\(json.errors)")
  }

  @Test func refusalAndAbsenceAreReported() throws {
    let portal = try Portal()
    _ = try portal.world.directory.file("a", "x")
    let refused = try portal.open(["PORTAL_REFUSE": "1"], "a")
    #expect(refused.status == 2)
    #expect(
      Self.words(refused)
        == "docsource: a: the portal refuses: GDBus.Error:org.freedesktop.portal.Error.NotAllowed: not today\n"
    )
    let absent = try portal.world.run("open", "--portal", "a")
    #expect(absent.status == 2)
    #expect(
      absent.errors
        == "docsource: cannot reach the session bus: Could not connect: No such file or directory\n"
    )
    let dry = try portal.world.run("open", "--portal", "-n", "a", "geo:1,2")
    #expect(
      dry.text == """
        would call the portal's OpenFile with: \(portal.world.directory.path("a"))
        would call the portal's OpenURI with: "geo:1,2"

        """)
  }

  @Test func sandboxLeadsToThePortal() throws {
    let world = try DesktopWorld()
    _ = try world.directory.file("a", "x")
    let dry = try Execution.run(
      [Docsource.path, "open", "-n", "a"], in: world.directory.root,
      environment: world.environment.merging(["SNAP_NAME": "x", "SNAP_REVISION": "1"]) { $1 })
    #expect(dry.text == "would call the portal's OpenFile with: \(world.directory.path("a"))\n")
  }

  /// An application on the bus, which is asked there, and started where nobody has its name.
  @Test func activatableApplicationIsCalledElseStarted() throws {
    let world = try DesktopWorld()
    try world.program("app")
    let path = try world.directory.file("a.txt", "")
    try world.entry(
      "org.example.Bus", "Name=Bus\nExec=app %k %U\nDBusActivatable=true\nMimeType=text/plain;\n")
    try world.updateDatabases()
    var environment = world.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = nil
    func open(_ words: String...) throws -> Execution {
      try Execution.run(
        ["dbus-run-session", "--", Docsource.path, "open"] + words, in: world.directory.root,
        environment: environment)
    }
    let dry = try open("-n", "a.txt")
    #expect(dry.text == "would call org.example.Bus with: file://\(path)\n")
    let opened = try open("a.txt")
    #expect(opened.status == 0)
    #expect(Self.words(opened) == "")
    #expect(
      try world.records(1) == [
        [world.directory.path("share/applications/org.example.Bus.desktop"), path]
      ])
  }
}

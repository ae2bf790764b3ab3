import Foundation
import TestSupport
import Testing

/// Applications that fail right after their start, as without a display: what `open` and `share` say.
@Suite struct EarlyEndTests {
  /// Applications for text that end in several ways.
  private static func world() throws -> DesktopWorld {
    let world = try DesktopWorld()
    for (name, script) in [
      ("fails", "exit 255"), ("aborts", "kill -ABRT $$"), ("succeeds", "exit 0"),
      ("detaches", "(sleep 3; exit 1) & exit 0"),
      ("stays", "sleep 1.5; touch \"$RECORD.stayed\"; exit 1"),
      ("picks", "case $1 in *bad*) exit 3;; esac"),
    ] {
      try world.program(name, script)
      let code = name == "picks" ? "%f" : "%F"
      try world.entry(name, "Name=The \(name)\nExec=\(name) \(code)\nMimeType=text/plain;\n")
    }
    for name in ["a.txt", "bad.txt"] { _ = try world.file(name, "x") }
    return world
  }

  @Test(arguments: [
    ("fails", "ended with status 255"), ("aborts", "was ended by signal 6"),
  ])
  func failureRightAfterTheStartIsAFailure(_ name: String, _ ending: String) throws {
    let world = try Self.world()
    let reason = "The \(name) \(ending) right after its start"
    let opened = try world.run("open", "--with", name, "a.txt")
    #expect(opened.text == "")
    #expect(opened.errors == "docsource: a.txt: \(reason)\n")
    #expect(opened.status == 2)
    let object = try world.run("open", "--json", "--with", name, "a.txt")
    #expect(object.text == #"{"file":"a.txt","outcome":"failed","error":"\#(reason)"}"# + "\n")
    #expect(object.status == 2)
    let shared = try world.share("--to", name, "a.txt")
    #expect(shared.text == "")
    #expect(shared.errors.contains(reason), "\(shared.errors)")
    #expect(shared.status == 2)
  }

  @Test func processOfEachFileFailsByItself() throws {
    let world = try Self.world()
    let opened = try world.run("open", "--with", "picks", "a.txt", "bad.txt")
    #expect(opened.text == "a.txt: opened in The picks (picks)\n")
    #expect(
      opened.errors == "docsource: bad.txt: The picks ended with status 3 right after its start\n")
    #expect(opened.status == 2)
  }

  /// An end without a failure ends the wait, also where a process is left that fails later.
  @Test(arguments: ["succeeds", "detaches"])
  func endOfTheProgramEndsTheWait(_ name: String) throws {
    let world = try Self.world()
    let start = ContinuousClock.now
    let opened = try world.run("open", "--with", name, "a.txt")
    #expect(opened.text == "a.txt: opened in The \(name) (\(name))\n")
    #expect(opened.errors == "" && opened.status == 0)
    #expect(ContinuousClock.now - start < .seconds(0.9))
  }

  @Test func applicationThatRunsLongerIsOpenAndGoesOn() throws {
    let world = try Self.world()
    let opened = try world.run("open", "--with", "stays", "a.txt")
    #expect(opened.text == "a.txt: opened in The stays (stays)\n")
    #expect(opened.errors == "" && opened.status == 0)
    try Patience.wait {
      FileManager.default.fileExists(atPath: world.directory.path("record.stayed"))
    }
  }

  @Test func missingDisplayIsSaidBefore() throws {
    let world = try Self.world()
    let words =
      "docsource: there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set; applications with"
      + " windows cannot start\n"
    func open(_ arguments: String..., with variables: [String: String]) throws -> Execution {
      try Execution.run(
        [Docsource.path, "open"] + arguments, in: world.directory.root,
        environment: world.environment.merging(variables) { $1 })
    }
    let none = ["DISPLAY": "", "WAYLAND_DISPLAY": ""]
    let failed = try open("--with", "fails", "a.txt", with: none)
    #expect(
      failed.errors
        == words + "docsource: a.txt: The fails ended with status 255 right after its start\n")
    let shared = try world.share("--to", "succeeds", "a.txt", with: none)
    #expect(shared.errors == words && shared.status == 0)
    let dry = try open("-n", "--with", "fails", "a.txt", with: none)
    #expect(dry.errors == "" && dry.status == 0)
    for variable in ["DISPLAY", "WAYLAND_DISPLAY"] {
      let opened = try open(
        "--with", "succeeds", "a.txt", with: none.merging([variable: "x:1"]) { $1 })
      #expect(opened.errors == "" && opened.status == 0, "\(variable)")
    }
  }
}

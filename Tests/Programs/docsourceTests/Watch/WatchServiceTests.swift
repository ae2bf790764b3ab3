import Foundation
import Glibc
import TestSupport
import Testing

/// The unit `docsource-watch.service` as `make install` puts it.
@Suite struct WatchServiceTests {
  private static let hasSystemd =
    (try? Execution.run(["systemd-analyze", "--version"]))?.status == 0

  private static func install(_ place: TemporaryDirectory, _ prefix: String) throws -> String {
    let script = Fixture.root.appending(path: "Sources/Integrations/installation").path
    let installed = try Execution.run([script, "install", place.root, prefix, Docsource.path])
    #expect(installed.errors == "")
    #expect(installed.status == 0)
    return place.path("\(prefix)/lib/systemd/system/docsource-watch.service")
  }

  @Test func placeOfTheExecutableIsWrittenForSystemd() throws {
    let place = try TemporaryDirectory()
    for (prefix, expected) in [
      ("/usr", "/usr"), ("/opt/d s", "/opt/d s"), (#"/o"$x%y\z"#, #"/o\"$$x%%y\\z"#),
    ] {
      let unit = try String(contentsOfFile: Self.install(place, prefix), encoding: .utf8)
      #expect(unit.contains("\nExecStart=\"\(expected)/bin/docsource\" watch --quiet\n"))
      #expect(!unit.contains("@PREFIX@"))
    }
    // Installed, not switched on.
    #expect(try Execution.run(["find", place.root, "-name", "*.wants"]).text == "")
  }

  @Test(.enabled(if: hasSystemd)) func systemdAcceptsItAndFindsItHardened() throws {
    let place = try TemporaryDirectory()
    // Where it is installed is below a directory here, so it is looked at from within that.
    let unit = try Self.install(place, place.root)
    let prefix = place.path(place.root)
    let text = try String(contentsOfFile: unit, encoding: .utf8)
      .replacing("\"\(place.root)/bin", with: "\"\(prefix)/bin")
    try text.write(toFile: unit, atomically: true, encoding: .utf8)
    let verified = try Execution.run(
      ["systemd-analyze", "verify", unit], environment: ["MANPATH": "\(prefix)/share/man"])
    #expect(verified.errors == "")
    #expect(verified.text == "")
    #expect(verified.status == 0)
    // In tenths.
    let judged = try Execution.run([
      "systemd-analyze", "security", "--offline=true", "--threshold=20", unit,
    ])
    #expect(judged.status == 0, "\(judged.text)")
    #expect(judged.text.contains("Overall exposure level for docsource-watch.service: 2.0 "))
  }

  /// systemd makes the directory, and says so to the service alone.
  @Test(.enabled(if: FileSystem.mayMount)) func serviceTellsOfItselfAndNobodyElseForIt() throws {
    let home = try TemporaryDirectory()
    try home.file("passwd", "root:x:0:0:root:/nonexistent:/bin/sh\n")
    let script = """
      mount -t tmpfs tmpfs /run && mkdir /run/docsource || exit
      mount --bind '\(home.path("passwd"))' /etc/passwd || exit
      status() { "$0" watch --status | tail -n 1; }
      env RUNTIME_DIRECTORY=/run/docsource "$0" watch -q 2>/dev/null & service=$!
      for _ in $(seq 500); do test -e /run/docsource/watch.json && break; sleep 0.02; done
      status
      "$0" watch --once 0 -q 2>/dev/null
      "$0" watch -q 2>/dev/null & second=$!
      for _ in $(seq 500); do grep -qs '^sigmask:' /proc/$second/fdinfo/* && break; sleep 0.02; done
      kill $second; wait $second
      status
      kill $service; wait $service
      status; ls /run/docsource
      """
    let reported = try Execution.run(
      ["unshare", "-m", "sh", "-c", script, Docsource.path],
      environment: ["HOME": home.root, "XDG_CONFIG_HOME": ""])
    let runs =
      "the service is running for 0 users: 0 tagged, 0 kept, 0 not from an application,"
      + " 0 from unknown programs, 0 failed; no events lost\n"
    let hint =
      "the service is not running; an administrator can start it with"
      + " 'systemctl enable --now docsource-watch'\n"
    #expect(reported.text == runs + runs + hint)
    #expect(reported.errors == "")
  }

  /// `ProtectSystem=strict` lets the service read only.
  @Test(.enabled(if: FileSystem.mayMount && ApplicationScope.mayMake))
  func serviceThatMayWriteNowhereTagsAllTheSame() throws {
    let system = try FileSystem(.ext4)
    let script = "mount -o remount,bind,ro \"$0\" && ! touch \"$0/x\" 2>/dev/null && exec \"$@\""
    let place = try WatchPlace(
      system, home: TemporaryDirectory(), [system.root],
      wrapper: [
        "unshare", "-m", "sh", "-c", script, system.root, "setpriv", "--no-new-privs",
        "--bounding-set",
        "-all,+sys_admin,+sys_ptrace,+dac_override,+dac_read_search,+setuid,+setgid",
      ])
    let scope = try ApplicationScope("app-gnome-org.example.Unit-4242.scope")
    let code = """
      file = open('\(system.path("file"))', 'w'); os.fchown(file.fileno(), 2001, 2001); file.close()
      open('\(system.path("own"))', 'w').close()
      """
    let writer = try WatchCommandTests.writer(code, scope: scope)
    defer { WatchCommandTests.finish(writer) }
    #expect(try place.waitForEvent(system.path("own"))?.event == "tagged")
    #expect(try place.event(system.path("file")) == nil)
    #expect(
      try Docsource.run("show", "--field", "identifier", system.path("own")).text
        == "org.example.Unit\n")
  }

  /// With a file of metainfo, which a program of its own reads.
  @Test(.enabled(if: FileSystem.mayMount && hasSystemd))
  func everySystemCallPassesTheFilter() throws {
    let system = try FileSystem(.tmpfs)
    let home = try TemporaryDirectory()
    try home.write(
      Fixture.bytes("AppStream/usual.metainfo.xml"), to: "data/metainfo/a.metainfo.xml")
    let trace = home.path("trace")
    let watched = try Execution.run(
      ["strace", "-f", "-o", trace, Docsource.path, "watch", "--once", "1", system.root],
      environment: ["HOME": home.root, "XDG_DATA_DIRS": home.path("data"), "XDG_DATA_HOME": ""])
    #expect(watched.status == 0)
    #expect(!watched.errors.contains("AppStream"))
    let calls = try home.text("trace").split(separator: "\n").compactMap { line -> Substring? in
      let call = line.drop { $0 != " " }.drop { $0 == " " }.prefix { $0 != "(" }
      return call.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" } ? call : nil
    }
    #expect(calls.contains("fanotify_init"))
    #expect(calls.contains("setresuid"))
    let allowed = try Self.allowedCalls(Self.install(home, "/usr"))
    #expect(Set(calls.map(String.init)).subtracting(allowed) == [])
  }

  /// What the lines of the filter come to: each adds to what those before it allow, or takes away.
  private static func allowedCalls(_ unit: String) throws -> Set<String> {
    var allowed = try members("@default")
    for line in try String(contentsOfFile: unit, encoding: .utf8).split(separator: "\n") {
      guard let value = line.wholeMatch(of: /SystemCallFilter=(~?)(.*)/) else { continue }
      for name in value.2.split(separator: " ") {
        let names = try members(String(name))
        if value.1.isEmpty { allowed.formUnion(names) } else { allowed.subtract(names) }
      }
    }
    return allowed
  }

  /// The calls of a group, which may have others in it.
  private static func members(_ name: String) throws -> Set<String> {
    guard name.hasPrefix("@") else { return [name] }
    let listed = try Execution.run(["systemd-analyze", "syscall-filter", name])
    #expect(listed.status == 0)
    let lines = listed.text.split(separator: "\n").dropFirst()
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return try lines.filter { !$0.hasPrefix("#") }.reduce(into: []) {
      $0.formUnion(try members($1))
    }
  }
}

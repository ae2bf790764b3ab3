import Foundation
import Glibc
import TestSupport
import Testing

/// Users who try to stop `docsource watch` for the others, and what its processes may do.
@Suite(.enabled(if: FileSystem.mayMount && ApplicationScope.mayMake), .serialized)
struct WatchWorkerTests {
  private static let (one, other): (uid_t, uid_t) = (2001, 2002)

  private let system: FileSystem
  private let home: TemporaryDirectory
  private let scope: ApplicationScope
  /// Where users can reach it.
  private let hangingFUSE: String

  init() throws {
    system = try FileSystem(.ext4)
    home = try TemporaryDirectory()
    scope = try ApplicationScope("app-gnome-org.example.Unit-4242.scope")
    hangingFUSE = system.path("hanging-fuse")
    try FileManager.default.copyItem(
      atPath: Fixture.root.appending(path: "Tests/Scripts/hanging-fuse").path, toPath: hangingFUSE)
    for user in [Self.one, Self.other] {
      let made = try Execution.run(
        ["sh", "-c", "mkdir $0 && chown $0:$0 $0", "\(user)"], in: system.root)
      #expect(made.status == 0)
    }
  }

  /// The users' directories, each watched for its owner.
  ///
  /// - Parameter seesMounts: whether mounts that are made later are to be seen.
  private func place(seesMounts: Bool = false) throws -> WatchPlace {
    let directories = [Self.one, Self.other].map { system.path("\($0)") }
    let script = WatchPlace.withoutMetainfo + "exec \"$@\""
    let place = try WatchPlace(
      system, home: home, directories,
      wrapper: seesMounts ? [] : ["unshare", "-m", "sh", "-c", script, "sh"])
    // They have become the users' when they have given up all other rights.
    try Patience.wait {
      try Self.workers(of: place).count { $0.line("CapPrm") == "0000000000000006" } == 2
    }
    return place
  }

  private struct Worker {
    let process: pid_t
    let status: String

    func line(_ name: String) -> String? {
      status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        .map { $0.split(separator: "\t").dropFirst().joined(separator: " ") }
    }
  }

  private static func workers(of place: WatchPlace) throws -> [Worker] {
    let list = "/proc/\(place.identifier)/task/\(place.identifier)/children"
    let children = try String(contentsOfFile: list, encoding: .utf8).split(separator: " ")
    return children.compactMap { child in
      let status = try? String(contentsOfFile: "/proc/\(child)/status", encoding: .utf8)
      return status.flatMap { status in pid_t(child).map { Worker(process: $0, status: status) } }
    }
  }

  private func write(_ name: String, user: uid_t) throws -> RunningProcess {
    try WatchCommandTests.writer(
      "open('\(system.path("\(user)/\(name)"))', 'w').write('text')", scope: scope, user: user)
  }

  @Test func workersAreTheUsersAndMayOnlyWriteTheirFiles() throws {
    let place = try place()
    for worker in try Self.workers(of: place) {
      let user = try #require(worker.line("Uid")?.split(separator: " ").first)
      #expect(["2001", "2002"].contains(user))
      #expect(worker.line("Uid") == "\(user) \(user) \(user) \(user)")
      #expect(worker.line("Gid") == "\(user) \(user) \(user) \(user)")
      #expect(worker.line("Groups")?.trimmingCharacters(in: .whitespaces) == "")
      // CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, and none of them while it waits.
      #expect(worker.line("CapPrm") == "0000000000000006")
      #expect(worker.line("CapEff") == "0000000000000000")
      #expect(worker.line("CapInh") == "0000000000000000")
      #expect(worker.line("NoNewPrivs") == "1")
    }
    // A file that its owner may not write.
    let writer = try WatchCommandTests.writer(
      """
      file = os.open('\(system.path("2001/file"))', os.O_WRONLY | os.O_CREAT, 0o444)
      os.fchmod(file, 0); os.close(file)
      """, scope: scope, user: Self.one)
    defer { WatchCommandTests.finish(writer) }
    #expect(try place.waitForEvent(system.path("2001/file"))?.event == "tagged")
  }

  /// With the rights of the worker, which may read everything, it would name root's application.
  @Test func settingsAreReadWithTheUsersRightsAlone() throws {
    let applications = system.path("2001/.local/share/applications")
    let secret = system.path("secret.desktop")
    try "[Desktop Entry]\nType=Application\nName=Secret\nExec=x\n".write(
      toFile: secret, atomically: false, encoding: .utf8)
    #expect(chmod(secret, 0o640) == 0)
    try FileManager.default.createDirectory(
      atPath: applications, withIntermediateDirectories: true)
    #expect(symlink(secret, "\(applications)/org.example.Unit.desktop") == 0)
    #expect(
      try Execution.run(["chown", "-Rh", "2001:2001", system.path("2001/.local")]).status == 0)
    try home.file("passwd", "one:x:2001:2001::\(system.path("2001")):/bin/sh\n")
    let script =
      WatchPlace.withoutMetainfo
      + "mount --bind '\(home.path("passwd"))' /etc/passwd && exec \"$@\""
    // As from a login of root's, with its groups.
    let place = try WatchPlace(
      system, home: home, [system.path("2001")],
      wrapper: ["unshare", "-m", "setpriv", "--groups", "0", "sh", "-c", script, "sh"])
    let writer = try write("file", user: Self.one)
    defer { WatchCommandTests.finish(writer) }
    let event = try place.waitForEvent(system.path("2001/file"))
    #expect(event?.event == "tagged")
    #expect(event?.source?.name == nil)
  }

  /// The attack that stopped the service for good.
  @Test func processWhoseRootDoesNotAnswerStopsItsOwnUserOnly() throws {
    let place = try place()
    let root = system.path("2001/fuse")
    let code = """
      import os, time
      files = [os.open('\(system.path("2001"))/%d' % n, os.O_WRONLY | os.O_CREAT) for n in range(9)]
      os.chroot('\(root)')
      for file in files: os.close(file); time.sleep(1)
      time.sleep(60)
      """
    let before = try Self.workers(of: place).map(\.process)
    // Some machines let only root open the device.
    let device = """
      cp -a /dev/fuse "$0" && chmod 666 "$0" && mount --bind "$0" /dev/fuse && exec "$@"
      """
    let attack = try RunningProcess(
      [
        "unshare", "-m", "sh", "-c", device, system.path("device"),
        "setpriv", "--reuid", "2001", "--regid", "2001", "--clear-groups", "unshare", "-rm", "sh",
        "-c", "mkdir -p \"$1\" && exec \"$0\" \"$@\"", hangingFUSE, root, ".flatpak-info",
        "/usr/bin/python3", "-c", code,
      ].map { Array($0.utf8) })
    defer { WatchCommandTests.finish(attack) }
    try Patience.wait { FileManager.default.fileExists(atPath: system.path("2001/8")) }
    for number in 0..<10 {
      let writer = try write("file\(number)", user: Self.other)
      defer { WatchCommandTests.finish(writer) }
      #expect(
        try place.waitForEvent(system.path("2002/file\(number)"))?.event == "tagged")
    }
    // The worker that hangs is given up, and another one is there.
    try Patience.wait {
      try place.errors().contains("user 2001: 1 worker did not answer or failed")
    }
    try Patience.wait { try Self.workers(of: place).contains { !before.contains($0.process) } }
    let start = Date.now
    let end = try place.end()
    #expect(end.status == 0)
    #expect(Date.now.timeIntervalSince(start) < 15)
    #expect(end.errors.contains("10 tagged, "))
    #expect(end.errors.contains(" dropped\n"))
  }

  /// Runs a shell's line while a FUSE mount is in the first user's directory.
  private func whileMounted(
    _ what: String, name: String = "2001/mount", type: String = "fuse",
    _ body: (String) throws -> Void
  ) throws {
    let mount = system.path(name)
    #expect(
      try Execution.run(["sh", "-c", "mkdir \"$0\" && chown 2001:2001 \"$0\"", mount]).status == 0)
    let server = try RunningProcess(
      [hangingFUSE, mount, what, "sleep", "60"].map { Array($0.utf8) },
      environment: ["OWNER": "2001", "TYPE": type])
    defer {
      server.kill(SIGKILL)
      _ = server.wait()
      _ = try? Execution.run(["umount", "--lazy", mount])
    }
    try Patience.wait {
      try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8).contains(" \(mount) ")
    }
    try body(mount)
  }

  @Test func mountOfAProgramHasAWorkerOfItsOwn() throws {
    let place = try place(seesMounts: true)
    try whileMounted("nothing") { mount in
      try Patience.wait { try Self.workers(of: place).count == 3 }
      let writer = try WatchCommandTests.writer(
        """
        for turn in range(200):
          open('\(mount)/file', 'w').write('text')
          time.sleep(0.1)
        """, scope: scope, user: Self.one)
      defer { WatchCommandTests.finish(writer) }
      let event = try place.waitForEvent("\(mount)/file", "tagged")
      #expect(event?.event == "tagged")
      #expect(event?.source?.path == "mount/file")
    }
    try Patience.wait { try Self.workers(of: place).count == 2 }
    #expect(try place.end().errors.contains(" tagged, "))
  }

  /// Any program of the user's may say that it is the document portal.
  @Test(arguments: ["getattr", "statfs", "open"], [false, true])
  func mountThatDoesNotAnswerCostsItsUserThatMountAlone(_ what: String, isPortal: Bool) throws {
    let place = try place(seesMounts: true)
    let (name, type) = isPortal ? ("doc", "fuse.portal") : ("2001/mount", "fuse")
    try whileMounted(what, name: name, type: type) { mount in
      try Patience.wait { try Self.workers(of: place).count >= 3 }
      if what == "open" {
        let writer = try WatchCommandTests.writer(
          "open('\(mount)/file', 'w').write('text')", scope: scope, user: Self.one)
        defer { WatchCommandTests.finish(writer) }
        usleep(100_000)
      }
      for user in [Self.one, Self.other] {
        let writer = try write("beside", user: user)
        defer { WatchCommandTests.finish(writer) }
        #expect(try place.waitForEvent(system.path("\(user)/beside"))?.event == "tagged")
      }
      let end = try place.end()
      #expect(end.errors.contains("2 tagged, "))
    }
  }

  @Test(arguments: [SIGSTOP, SIGKILL])
  func workerThatIsStoppedIsReplaced(_ signal: CInt) throws {
    let place = try place()
    let early = try write("early", user: Self.one)
    defer { WatchCommandTests.finish(early) }
    #expect(try place.waitForEvent(system.path("2001/early"))?.event == "tagged")
    let worker = try #require(
      try Self.workers(of: place).first { $0.line("Uid")?.hasPrefix("2001 ") == true })
    // As the user may.
    #expect(kill(worker.process, signal) == 0)
    let first = signal == SIGSTOP ? try write("first", user: Self.one) : nil
    defer { first.map(WatchCommandTests.finish) }
    try Patience.wait {
      try Self.workers(of: place).allSatisfy { $0.process != worker.process }
    }
    // Another one is started when there is something to do.
    let second = try write("second", user: Self.one)
    defer { WatchCommandTests.finish(second) }
    #expect(try place.waitForEvent(system.path("2001/second"))?.event == "tagged")
    let errors = try place.end().errors
    // The first file may be held still, in case it is renamed.
    let expected =
      signal == SIGSTOP
      ? /docsource: user 2001: 1 worker did not answer or failed, [12] files? not examined\ndocsource: 2 tagged, .*; [12] dropped\n/
      : /docsource: user 2001: 1 worker did not answer or failed, [01] files? not examined\ndocsource: 2 tagged, .*\n/
    #expect(errors.wholeMatch(of: expected) != nil, "\(errors)")
  }

  /// One second of a processor takes some hundred of these.
  @Test func programsThatTakeLongToFindAreLeftOut() throws {
    let applications = system.path("2001/.local/share/applications")
    let script = """
      import os, sys
      os.makedirs('\(applications)')
      place = os.open('\(system.path("2001"))', os.O_RDONLY)
      for level in range(1000):
        os.mkdir('d', dir_fd=place)
        place, former = os.open('d', os.O_RDONLY, dir_fd=place), place
        os.close(former)
      os.close(os.open('x', os.O_CREAT | os.O_WRONLY, 0o755, dir_fd=place))
      path = '\(system.path("2001"))' + '/d' * 1000 + '/x'
      for number in range(9000):
        with open('\(applications)/a%d.desktop' % number, 'w') as file:
          file.write('[Desktop Entry]\\nType=Application\\nName=A\\nExec=%s\\n' % path)
      """
    #expect(try Execution.run(["/usr/bin/python3", "-c", script]).status == 0)
    #expect(
      try Execution.run(["chown", "-R", "2001:2001", system.path("2001")]).status == 0)
    try home.file(
      "passwd",
      "one:x:2001:2001::\(system.path("2001")):/bin/sh\n"
        + "other:x:2002:2002::\(system.path("2002")):/bin/sh\n")
    let line =
      WatchPlace.withoutMetainfo
      + "mount --bind '\(home.path("passwd"))' /etc/passwd && exec \"$@\""
    let place = try WatchPlace(
      system, home: home, [Self.one, Self.other].map { system.path("\($0)") },
      wrapper: ["unshare", "-m", "sh", "-c", line, "sh"])
    for user in [Self.other, Self.one] {
      let writer = try write("file", user: user)
      defer { WatchCommandTests.finish(writer) }
      #expect(try place.waitForEvent(system.path("\(user)/file"))?.event == "tagged")
    }
    #expect(
      try place.errors() == """
        docsource: \(system.path("2001")): some applications are not known, because reading the \
        desktop files took too long

        """)
  }

  /// `XDG_DOCUMENTS_DIR="/"` would have the service mark what is not the user's.
  @Test func directoriesAreBelowHomeOrTheUsersOwn() throws {
    let own = system.path("own")
    #expect(mkdir(own, 0o755) == 0)
    #expect(chown(own, Self.one, Self.one) == 0)
    let script = """
      mkdir -p Music .config/docsource
      echo '{"enabled":true}' >.config/docsource/watch.json
      printf 'XDG_DOCUMENTS_DIR="/"\\nXDG_VIDEOS_DIR="%s"\\n' "$0" >.config/user-dirs.dirs
      chown -R 2001:2001 .
      """
    #expect(
      try Execution.run(["sh", "-c", script, own], in: system.path("2001")).status == 0)
    try home.file("passwd", "one:x:2001:2001::\(system.path("2001")):/bin/sh\n")
    let line =
      WatchPlace.withoutMetainfo
      + "mount --bind '\(home.path("passwd"))' /etc/passwd && exec \"$@\""
    let place = try WatchPlace(
      system, home: home, [], wrapper: ["unshare", "-m", "sh", "-c", line, "sh"])
    var writers: [RunningProcess] = []
    defer { for writer in writers { WatchCommandTests.finish(writer) } }
    for path in ["2001/no", "2001/Music/yes", "own/yes"] {
      writers.append(
        try WatchCommandTests.writer(
          "open('\(system.path(path))', 'w').write('text')", scope: scope, user: Self.one))
    }
    #expect(try place.waitForEvent(system.path("own/yes"))?.event == "tagged")
    #expect(try place.waitForEvent(system.path("2001/Music/yes"))?.event == "tagged")
    #expect(try place.events().count == 2)
    #expect(
      try place.errors()
        == "docsource: /: not watched, because the directory is neither below your home directory"
        + " nor yours\n")
    let shown = try Execution.run(
      [
        "setpriv", "--reuid", "2001", "--regid", "2001", "--clear-groups", Docsource.path, "watch",
        "--status",
      ], environment: ["HOME": system.path("2001"), "XDG_CONFIG_HOME": ""])
    let lines = shown.text.split(separator: "\n").filter { $0.hasPrefix("  /") }
    #expect(lines == ["  \(system.path("2001/Music"))", "  \(own)"])
  }

  /// Settings of the first user.
  private func set(_ settings: String) throws {
    let script = """
      mkdir -p Documents .config/docsource
      echo "$0" >.config/docsource/watch.json
      chown -R 2001:2001 .
      """
    #expect(
      try Execution.run(["sh", "-c", script, settings], in: system.path("2001")).status == 0)
  }

  /// systemd makes the directory; without it the service does.
  @Test(arguments: ["mkdir /run/docsource && export RUNTIME_DIRECTORY=/run/docsource", ":"])
  func statusListsWorkers(_ beginning: String) throws {
    try set(#"{"enabled":true}"#)
    try home.file("passwd", "one:x:2001:2001::\(system.path("2001")):/bin/sh\n")
    let service = """
      mount -t tmpfs tmpfs /run && \(beginning) || exit
      mount --bind '\(home.path("passwd"))' /etc/passwd || exit
      "$0" watch -q 2>/dev/null & service=$!
      for _ in $(seq 500); do grep -qs '"state":"ready"' /run/docsource/watch.json && break
        sleep 0.02; done
      "$0" watch --status --json; "$0" watch --status | tail -n 1; kill $service; wait $service
      """
    let shown = try Execution.run(
      ["unshare", "-m", "sh", "-c", service, Docsource.path],
      environment: ["HOME": home.root, "XDG_CONFIG_HOME": ""])
    let pattern =
      /.*"users":1,.*"dropped":0,"filtered":0,"workers":\[\{"user":2001,"process":\d+,"state":"ready","queued":0,"held":0,"dropped":0,"lost":0\}\]\}\}\nthe service is running for 1 user: 0 tagged, .*\n/
    #expect(shown.text.wholeMatch(of: pattern) != nil, "\(shown.text)")
  }

  /// The service with the first user alone, when there is a worker.
  private func service(_ settings: String) throws -> WatchPlace {
    try set(settings)
    try home.file("passwd", "one:x:2001:2001::\(system.path("2001")):/bin/sh\n")
    let script =
      WatchPlace.withoutMetainfo
      + "mount --bind '\(home.path("passwd"))' /etc/passwd && mount -t tmpfs tmpfs /run"
      + " && mkdir -p /run/user/2001 && chown 2001 /run/user/2001 && exec \"$@\""
    let place = try WatchPlace(
      system, home: home, [], wrapper: ["unshare", "-m", "sh", "-c", script, "sh"])
    try Patience.wait { try Self.hasWorker(place) }
    return place
  }

  private static func hasWorker(_ place: WatchPlace) throws -> Bool {
    try workers(of: place).contains { $0.line("CapPrm") == "0000000000000006" }
  }

  @Test func pauseEndsByItself() throws {
    let place = try service(#"{"enabled":true}"#)
    let date = Date(timeIntervalSinceNow: 5).formatted(.iso8601)
    try set(#"{"enabled":true,"pausedUntil":"\#(date)"}"#)
    place.kill(SIGHUP)
    try Patience.wait { try !Self.hasWorker(place) }
    let early = try write("Documents/early", user: Self.one)
    defer { WatchCommandTests.finish(early) }
    try Patience.wait { try Self.hasWorker(place) }
    #expect(Date.now.formatted(.iso8601) >= date)
    let late = try write("Documents/late", user: Self.one)
    defer { WatchCommandTests.finish(late) }
    #expect(try place.waitForEvent(system.path("2001/Documents/late"))?.event == "tagged")
    #expect(try place.event(system.path("2001/Documents/early")) == nil)
  }

  @Test func wholeHomeIsWatchedButForItsHiddenPart() throws {
    #expect(
      try Execution.run(["install", "-d", "-o", "2001", system.path("2001/.notes")]).status == 0)
    let place = try service(
      #"{"enabled":true,"directories":[".",".notes"],"excludedApplications":["org.example.Other"],"log":true}"#
    )
    let other = try ApplicationScope("app-gnome-org.example.Other-4243.scope")
    let excluded = try WatchCommandTests.writer(
      "open('\(system.path("2001/excluded"))', 'w').write('text')", scope: other, user: Self.one)
    defer { WatchCommandTests.finish(excluded) }
    let names = [".config/hidden", ".notes/note", "top", "Documents/letter"]
    let writers = try names.map { try write($0, user: Self.one) }
    defer { for writer in writers { WatchCommandTests.finish(writer) } }
    let letter = try place.waitForEvent(system.path("2001/Documents/letter"))
    #expect(letter?.source?.path == "Documents/letter")
    #expect(try place.waitForEvent(system.path("2001/top"))?.source?.path == "top")
    #expect(try place.waitForEvent(system.path("2001/.notes/note"))?.source?.path == ".notes/note")
    let refused = try place.waitForEvent(system.path("2001/excluded"))
    #expect(refused?.event == "none")
    #expect(refused?.reason == "filtered")
    #expect(try place.event(system.path("2001/.config/hidden")) == nil)
    let log = "/proc/\(place.identifier)/root/run/user/2001/docsource/watch.log"
    try Patience.wait {
      let text = try String(contentsOfFile: log, encoding: .utf8)
      return text.contains("\"path\":\"Documents/letter\"") && text.contains("\"path\":\"top\"")
    }
    #expect(!(try String(contentsOfFile: log, encoding: .utf8).contains("org.example.Other")))
    let status = "/proc/\(place.identifier)/root/run/docsource/watch.json"
    try Patience.wait {
      try String(contentsOfFile: status, encoding: .utf8).contains("\"filtered\":1,")
    }
    let owner = try FileManager.default.attributesOfItem(atPath: log)[.ownerAccountID] as? Int
    #expect(owner == 2001)
  }
}

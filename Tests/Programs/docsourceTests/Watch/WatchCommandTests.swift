import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource watch` on file systems of the tests' own.
@Suite(.enabled(if: FileSystem.mayMount && ApplicationScope.mayMake), .serialized)
struct WatchCommandTests {
  static let editor = "org.example.Editor"

  /// The ways in which programs write a file, in Python, `path` being its path.
  private static let ways = [
    "write": "open(path, 'w').write('text')",
    "append": "open(path, 'a').write('text')",
    "rename-save": "open(path + '.new', 'w').write('text'); os.rename(path + '.new', path)",
    "hidden rename-save": """
    hidden = os.path.dirname(path) + '/.' + os.path.basename(path)
    open(hidden, 'w').write('text'); os.rename(hidden, path)
    """,
    "mmap": """
    file = open(path, 'w+'); file.truncate(4); memory = mmap.mmap(file.fileno(), 4); file.close()
    memory[:] = b'text'; memory.close()
    """,
  ]

  /// Runs Python that writes files, and then waits until it has been looked at.
  static func writer(
    _ code: String, scope: ApplicationScope? = nil, prefix: String = "", user: uid_t = 0
  ) throws -> RunningProcess {
    let program = "import mmap, os, sys, time\nos.setsid()\n\(code)\ntime.sleep(30)\n"
    let wrapper = user == 0 ? "" : "setpriv --reuid \(user) --regid \(user) --clear-groups "
    // Only root may enter, and only from there.
    let enter = scope.map { "echo $$ >'\($0.path)/cgroup.procs'; " } ?? ""
    let line = "\(enter)exec \(prefix)\(wrapper)/usr/bin/python3 -"
    return try RunningProcess(
      ["sh", "-c", line].map { Array($0.utf8) }, input: Array(program.utf8))
  }

  /// Ends a process, and those of its session that it has started.
  static func finish(_ process: RunningProcess) {
    kill(-process.identifier, SIGKILL)
    process.kill(SIGKILL)
    _ = process.wait()
  }

  static func home() throws -> TemporaryDirectory {
    let home = try TemporaryDirectory()
    let applications = home.path(".local/share/applications")
    try FileManager.default.createDirectory(
      atPath: applications, withIntermediateDirectories: true)
    try home.file(
      ".local/share/applications/\(editor).desktop",
      "[Desktop Entry]\nType=Application\nName=Editor\nExec=no-such-editor\n")
    return home
  }

  static func source(_ path: String) throws -> String {
    let shown = try Docsource.run("show", "--json", path)
    return shown.status == 0 ? shown.text : ""
  }

  @Test(arguments: [FileSystem.Kind.ext4, .xfs, .btrfs])
  func everyWayOfWritingIsTaggedWithTheScopesApplication(_ kind: FileSystem.Kind) throws {
    let system = try FileSystem(kind)
    let place = try WatchPlace(system, home: Self.home(), [system.root])
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let code = Self.ways.map { "path = '\(system.path($0.key))'\n\($0.value)" }
      .joined(separator: "\n")
    let writer = try Self.writer(code, scope: scope)
    defer { Self.finish(writer) }
    for way in Self.ways.keys {
      let path = system.path(way)
      try Patience.wait { try Self.source(path).contains("\"path\":\"\(way)\"") }
      #expect(
        try Self.source(path).contains(
          "\"identifier\":\"\(Self.editor)\",\"name\":\"Editor\",\"path\":\"\(way)\""), "\(way)")
    }
    let end = try place.end()
    #expect(end.status == 0)
    #expect(end.errors.contains("5 tagged, 0 kept, 0 not from an application"))
    #expect(end.errors.hasSuffix("no events lost\n"))
  }

  @Test(arguments: [FileSystem.Kind.ext4, .xfs, .btrfs])
  func nothingElseOfTheFileChanges(_ kind: FileSystem.Kind) throws {
    let system = try FileSystem(kind)
    let place = try WatchPlace(system, home: Self.home(), [system.root])
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let path = system.path("file")
    let code = """
      open('\(path)', 'w').write('text')
      os.utime('\(path)', (1, 1)); os.setxattr('\(path)', 'user.other', b'x')
      os.chmod('\(path)', 0o640)
      open('\(Self.done(place))', 'w').close()
      """
    let writer = try Self.writer(code, scope: scope)
    defer { Self.finish(writer) }
    try Patience.wait { FileManager.default.fileExists(atPath: Self.done(place)) }
    try Patience.wait { try Self.source(path) != "" }
    let state = try FileState(path, except: ["user.x-document-source"])
    #expect(state.content == Array("text".utf8))
    #expect(state.mode & 0o777 == 0o640)
    #expect(state.modified == [1, 0])
    #expect(state.attributes.contains("user.other=0x78"))
  }

  @Test func sandboxAndStartByGIOAreSeen() throws {
    let system = try FileSystem(.ext4)
    let place = try WatchPlace(system, home: Self.home(), [system.root])
    // A root directory of its own, with flatpak's note in it.
    let root = try TemporaryDirectory()
    try root.file(".flatpak-info", "[Application]\nname=org.example.Flat\n")
    let flat = try Self.writer(
      """
      file = os.open('\(system.path("flat"))', os.O_WRONLY | os.O_CREAT)
      os.chroot('\(root.root)')
      os.close(file)
      """)
    let gio = try Self.writer(
      "open('\(system.path("gio"))', 'w').write('text')",
      prefix: "env GIO_LAUNCHED_DESKTOP_FILE=/a/\(Self.editor).desktop"
        + " GIO_LAUNCHED_DESKTOP_FILE_PID=$$ ")
    let stale = try Self.writer(
      "open('\(system.path("stale"))', 'w').write('text')",
      prefix: "env GIO_LAUNCHED_DESKTOP_FILE=/a/\(Self.editor).desktop"
        + " GIO_LAUNCHED_DESKTOP_FILE_PID=1 ")
    defer { for process in [flat, gio, stale] { Self.finish(process) } }
    #expect(try place.waitForEvent(system.path("flat"))?.source?.identifier == "org.example.Flat")
    #expect(try place.waitForEvent(system.path("gio"))?.source?.identifier == Self.editor)
    let none = try place.waitForEvent(system.path("stale"))
    #expect(none?.event == "none")
    #expect(none?.reason == "nothing-known")
  }

  @Test func shellsAndCopiersTagNothingEvenInAScope() throws {
    let system = try FileSystem(.ext4)
    let place = try WatchPlace(system, home: Self.home(), [system.root])
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let script = """
      echo $$ >\(scope.path)/cgroup.procs
      echo text >\(system.path("shell"))
      cp \(system.path("shell")) \(system.path("copy"))
      sleep 60
      : # so that the shell does not become the last program
      """
    let shell = try RunningProcess(["setsid", "bash", "-c", script].map { Array($0.utf8) })
    defer { Self.finish(shell) }
    #expect(try place.waitForEvent(system.path("shell"))?.reason == "shell")
    // cp may have ended before it was looked at.
    let copy = try place.waitForEvent(system.path("copy"))
    #expect(copy?.reason == "copier" || copy?.event == "unknown")
    #expect(try Self.source(system.path("shell")) == "")
    #expect(try Self.source(system.path("copy")) == "")
  }

  @Test func writersThatEndAtOnceAreUnknownOrRight() throws {
    let system = try FileSystem(.ext4)
    let place = try WatchPlace(system, home: Self.home(), [system.root])
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let code = """
      import os, sys
      open('\(scope.path)/cgroup.procs', 'w').write(str(os.getpid()))
      open(sys.argv[1], 'w').write('text')
      """
    for number in 0..<10 {
      let path = system.path("\(number)")
      _ = try Execution.run(["setsid", "-w", "/usr/bin/python3", "-c", code, path])
      let event = try place.waitForEvent(path)
      #expect(event?.event == "unknown" || event?.source?.identifier == Self.editor)
    }
  }

  @Test func sourceThatIsThereIsKeptUnlessTheLastCounts() throws {
    for (policy, expected) in [("keep", "kept"), ("last", "tagged")] {
      let system = try FileSystem(.ext4)
      let path = system.path("file")
      try Data().write(to: URL(filePath: path))
      #expect(try Docsource.run("tag", "-q", "-i", "a.b", path).status == 0)
      let arguments = policy == "keep" ? [] : ["--policy", policy]
      let place = try WatchPlace(system, home: Self.home(), [system.root], arguments)
      let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
      let writer = try Self.writer("open('\(path)', 'a').write('text')", scope: scope)
      defer { Self.finish(writer) }
      #expect(try place.waitForEvent(path)?.event == expected)
      #expect(try Self.source(path).contains(policy == "keep" ? "\"a.b\"" : Self.editor))
    }
  }

  @Test func whateverIsThereIsKeptWhoeverWrites() throws {
    let system = try FileSystem(.ext4)
    let preparation = """
      cd \(system.root) && mkdir scratch && touch tagged damaged empty .hidden scratch/elsewhere &&
      "\(Docsource.path)" tag -q -i a.b tagged .hidden scratch/elsewhere &&
      setfattr -n user.x-document-source -v junk damaged &&
      setfattr -n user.x-document-source empty
      """
    #expect(try Execution.run(["bash", "-c", preparation]).status == 0)
    let place = try WatchPlace(
      system, home: Self.home(), [system.root], ["--exclude", "scratch/*"])
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let script = """
      for name in .hidden scratch/elsewhere tagged damaged; do
        echo text >>\(system.root)/$name
      done
      sleep 60
      : # so that the shell does not become the last program
      """
    let shell = try RunningProcess(["setsid", "bash", "-c", script].map { Array($0.utf8) })
    defer { Self.finish(shell) }
    #expect(try place.waitForEvent(system.path("tagged"))?.event == "kept")
    #expect(try place.waitForEvent(system.path("damaged"))?.event == "kept")
    let writer = try Self.writer("open('\(system.path("empty"))', 'a').write('text')", scope: scope)
    defer { Self.finish(writer) }
    // An empty value says nothing.
    #expect(try place.waitForEvent(system.path("empty"))?.event == "tagged")
    #expect(try place.events().count == 3)
    // Those that are passed over do not count.
    #expect(try place.end().errors.contains("1 tagged, 2 kept, 0 not from an application"))
  }

  @Test func hiddenFilesCachesAndOtherOwnersFilesArePassedOver() throws {
    let system = try FileSystem(.ext4)
    for directory in [
      ".hidden", ".git", "Cache", "a.git", "CVS", "deep/er", "node_modules/x", "marked/below",
      "linked", "wrongly",
    ] {
      try FileManager.default.createDirectory(
        atPath: system.path(directory), withIntermediateDirectories: true)
    }
    try Data("Signature: 8a477f597d28d172789f06886806bc55\n# of a test\n".utf8)
      .write(to: URL(filePath: system.path("marked/CACHEDIR.TAG")))
    #expect(symlink("../marked/CACHEDIR.TAG", system.path("linked/CACHEDIR.TAG")) == 0)
    try Data("Signature: 8a477f597d28d172789f06886806bc5".utf8)
      .write(to: URL(filePath: system.path("wrongly/CACHEDIR.TAG")))
    let place = try WatchPlace(
      system, home: Self.home(), [system.root],
      ["--include", "*.txt", "--include", "*/er/*", "--exclude", "no*"])
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let names = [
      ".hidden/a.txt", "Cache/a.txt", "a.git/a.txt", "CVS/a.txt", ".a.txt", "node_modules/x/a.txt",
      "marked/a.txt", "marked/below/a.txt", "linked/a.txt", "wrongly/a.txt", "other.txt", "a.odt",
      "no.txt", "deep/er/a.odt", "a.txt", "deep/er/#a.odt#", "deep/er/a.odt~",
      ".git/a.txt", "deep/z.txt",
    ]
    let code = """
      for name in \(names):
        file = open('\(system.root)/' + name, 'w'); file.write('text')
        if name == 'other.txt': os.chown(file.fileno(), 1234, 1234)
        file.close()
      """
    let writer = try Self.writer(code, scope: scope)
    defer { Self.finish(writer) }
    #expect(try place.waitForEvent(system.path("deep/z.txt")) != nil)
    #expect(
      try place.events().compactMap { $0.source?.path }
        == ["linked/a.txt", "wrongly/a.txt", "deep/er/a.odt", "a.txt", "deep/z.txt"])
    #expect(try place.events().count == 5)
  }

  @Test func dryRunWritesNothingAndOnceEndsByItself() throws {
    let system = try FileSystem(.ext4)
    let home = try Self.home()
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let path = system.path("file")
    // It is ready when the two seconds begin.
    let code = """
      open('\(home.path("ready"))', 'w').close()
      while not os.path.exists('\(home.path("go"))'): time.sleep(0.01)
      open('\(path)', 'w').write('text')
      """
    let writer = try Self.writer(code, scope: scope)
    defer { Self.finish(writer) }
    try Patience.wait { FileManager.default.fileExists(atPath: home.path("ready")) }
    let place = try WatchPlace(
      system, home: home, [system.root], ["--dry-run", "--once", "2"])
    try home.file("go")
    #expect(try place.waitForEvent(path)?.event == "would-tag")
    let end = try place.end(0)
    #expect(end.status == 0)
    #expect(end.errors.contains(" 1 would be tagged, 0 kept,"))
    #expect(try Self.source(path) == "")
  }

  @Test func filesOutsideOfTheDirectoryAreNotCounted() throws {
    let system = try FileSystem(.ext4)
    let preparation = """
      cd \(system.root) && mkdir inside outside && touch inside/file outside/file &&
      "\(Docsource.path)" tag -q -i a.b inside/file outside/file
      """
    #expect(try Execution.run(["sh", "-c", preparation]).status == 0)
    let place = try WatchPlace(
      system, home: Self.home(), [system.path("inside")], ["--once", "5"])
    let script = "for name in outside inside; do echo text >>$name/file; done"
    #expect(try Execution.run(["sh", "-c", script], in: system.root).status == 0)
    let end = try place.end(0)
    #expect(end.status == 0)
    #expect(end.errors.contains(" 0 tagged, 1 kept, 0 not from an application, "))
    #expect(try place.events().map(\.file) == [system.path("inside/file")])
  }

  @Test func onlyUsersWhoHaveSwitchedItOnAreWatched() throws {
    let system = try FileSystem(.ext4)
    let (on, off): (uid_t, uid_t) = (2001, 2002)
    var accounts = "root:x:0:0:root:/nonexistent:/bin/sh\n"
    for (user, name) in [(on, "on"), (off, "off")] {
      accounts += "\(name):x:\(user):\(user)::\(system.path(name)):/bin/sh\n"
      let script = "mkdir -p \(name)/Documents \(name)/.config && chown -R \(user):\(user) \(name)"
      #expect(try Execution.run(["sh", "-c", script], in: system.root).status == 0)
      let change = try Execution.run(
        ["setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", Docsource.path]
          + ["watch", user == on ? "--enable" : "--disable"],
        environment: ["HOME": system.path(name), "XDG_CONFIG_HOME": ""])
      #expect(change.status == 0)
      #expect(change.text.hasPrefix("watching is \(name): "))
    }
    // What root has put there is nobody's wish.
    try Data("{\"enabled\":true}".utf8).write(
      to: URL(filePath: system.path("off/.config/docsource/watch.json")))
    #expect(
      try Execution.run(["chown", "0", system.path("off/.config/docsource/watch.json")]).status == 0
    )
    let home = try Self.home()
    try home.file("passwd", accounts)
    let script =
      WatchPlace.withoutMetainfo
      + "mount --bind '\(home.path("passwd"))' /etc/passwd && exec \"$@\""
    let place = try WatchPlace(
      system, home: home, [], wrapper: ["unshare", "-m", "sh", "-c", script, "sh"])
    let scope = try ApplicationScope("app-gnome-org.example.Unit-4242.scope")
    var writers: [RunningProcess] = []
    defer { for writer in writers { Self.finish(writer) } }
    for (user, name) in [(off, "off"), (on, "on")] {
      let code = "open('\(system.path(name))/Documents/file', 'w').write('text')"
      writers.append(try Self.writer(code, scope: scope, user: user))
    }
    let event = try place.waitForEvent(system.path("on/Documents/file"))
    #expect(event?.event == "tagged")
    #expect(event?.source?.path == "Documents/file")
    #expect(
      try place.errors() == """
        docsource: \(system.path("off/.config/docsource/watch.json")): ignored, because the \
        file belongs to another user, who cannot enable watching for you

        """)
    #expect(try place.events().count == 1)
    // Switched on meanwhile, and read at once.
    #expect(
      try Execution.run(["chown", "\(off)", system.path("off/.config/docsource/watch.json")]).status
        == 0)
    place.kill(SIGHUP)
    try Patience.wait {
      try place.errors().hasSuffix("docsource: configuration reloaded\n")
    }
    writers.append(
      try Self.writer(
        "open('\(system.path("off"))/Documents/two', 'w').write('text')", scope: scope, user: off))
    #expect(try place.waitForEvent(system.path("off/Documents/two"))?.event == "tagged")
    let end = try place.end()
    #expect(end.status == 0)
    #expect(end.errors.contains("docsource: configuration reloaded\n"))
  }

  /// Whoever opens a terminal may be sent signals by its keys.
  @Test func terminalsOfUsersDoNotBecomeTheServices() throws {
    let system = try FileSystem(.ext4)
    let home = try Self.home()
    var (keys, screen): (CInt, CInt) = (-1, -1)
    try #require(openpty(&keys, &screen, nil, nil, nil) == 0)
    defer { close(keys) }
    let terminal = try #require(ttyname(screen).map { String(cString: $0) })
    close(screen)
    try FileManager.default.createDirectory(
      atPath: home.path(".config/docsource"), withIntermediateDirectories: true)
    for name in [
      ".config/docsource/watch.json", ".config/docsource/apps.json", ".config/user-dirs.dirs",
      ".local/share/applications/a.desktop", ".local/share/applications/mimeapps.list",
    ] {
      #expect(symlink(terminal, home.path(name)) == 0)
    }
    let place = try WatchPlace(
      system, home: home, [system.root, "/dev/pts"], wrapper: ["setsid"])
    close(open(terminal, O_WRONLY | O_NOCTTY | O_CLOEXEC))
    #expect(write(keys, "\u{3}\u{1c}\u{1a}", 3) == 3)
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let path = system.path("file")
    let writer = try Self.writer("open('\(path)', 'w').write('text')", scope: scope)
    defer { Self.finish(writer) }
    #expect(try place.waitForEvent(path)?.event == "tagged")
    let status = try String(contentsOfFile: "/proc/\(place.identifier)/stat", encoding: .utf8)
    let fields = status.split(separator: " ")
    // It leads its session, and has no terminal.
    #expect(fields[5] == "\(place.identifier)")
    #expect(fields[6] == "0")
  }

  @Test func fileSystemThatIsMountedLaterIsWatched() throws {
    let system = try FileSystem(.ext4)
    let place = try WatchPlace(system, home: Self.home(), [system.root])
    let below = system.path("below")
    mkdir(below, 0o755)
    let marks = place.markCount
    #expect(try Execution.run(["mount", "-t", "tmpfs", "tmpfs", below]).status == 0)
    defer { _ = try? Execution.run(["umount", "--lazy", below]) }
    try Patience.wait { place.markCount > marks }
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let writer = try Self.writer("open('\(below)/file', 'w').write('text')", scope: scope)
    defer { Self.finish(writer) }
    let event = try place.waitForEvent("\(below)/file")
    #expect(event?.event == "tagged")
    #expect(event?.source?.path == "below/file")
  }

  /// Their list takes some 18 MiB: a user of FUSE may mount 1000 file systems at paths of the longest.
  @Test func mountsOfOneUserHideNoOthers() throws {
    let system = try FileSystem(.tmpfs)
    let script = """
      import ctypes, os, sys
      name = "\\n" * 250
      for number in range(1200):
          os.chdir(sys.argv[1])
          os.mkdir(str(number))
          os.chdir(str(number))
          for level in range(15):
              os.mkdir(name)
              os.chdir(name)
          assert ctypes.CDLL(None).mount(b"none", b".", b"tmpfs", 0, b"size=4k") == 0
      assert len(open("/proc/self/mountinfo", "rb").read()) > 17 << 20
      os.execv(sys.argv[2], sys.argv[2:])
      """
    let home = try Self.home()
    let run = try Execution.run(
      ["unshare", "-m", "python3", "-c", script, system.root, Docsource.path]
        + ["watch", "--dry-run", "--once=1", home.root],
      environment: ["HOME": home.root, "XDG_CONFIG_HOME": ""])
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.errors.contains("cannot watch"))
  }

  /// The kernel gives it the numbers of the device and of the mount again.
  @Test(arguments: [[], ["--mount"]])
  func fileSystemThatTakesThePlaceOfAnotherIsWatched(_ options: [String]) throws {
    let system = try FileSystem(.ext4)
    let below = system.path("below")
    mkdir(below, 0o755)
    let image = try TemporaryDirectory()
    let making = """
      cd '\(image.root)' && truncate -s 64M image && mkfs.ext4 -q image && losetup -f --show image
      """
    let device = try Execution.run(["sh", "-c", making]).text.split(separator: "\n").joined()
    try #require(device.hasPrefix("/dev/loop"))
    defer {
      _ = try? Execution.run(["umount", "--lazy", below])
      _ = try? Execution.run(["losetup", "-d", device])
    }
    try #require(try Execution.run(["mount", device, below]).status == 0)
    let place = try WatchPlace(
      system, home: Self.home(), [system.root, below], options)
    let marks = place.markCount
    try #require(try Execution.run(["umount", below]).status == 0)
    try FileSystem.waitUntilUnmounted(device)
    let again = "mkfs.ext4 -qF '\(device)' && mount '\(device)' '\(below)'"
    #expect(try Execution.run(["sh", "-c", again]).errors == "")
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    try Patience.wait { place.markCount == marks }
    let writer = try Self.writer("open('\(below)/file', 'w').write('text')", scope: scope)
    defer { Self.finish(writer) }
    #expect(try place.waitForEvent("\(below)/file")?.event == "tagged")
  }

  @Test func fileThatIsRenamedSoonGetsItsNewPath() throws {
    let system = try FileSystem(.ext4)
    let place = try WatchPlace(system, home: Self.home(), [system.root])
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let code = """
      open('\(system.path("a.part"))', 'w').write('text')
      while 'user.x-document-source' not in os.listxattr('\(system.path("a.part"))'):
        time.sleep(0.01)
      os.rename('\(system.path("a.part"))', '\(system.path("a.pdf"))')
      """
    let writer = try Self.writer(code, scope: scope)
    defer { Self.finish(writer) }
    let event = try place.waitForEvent(system.path("a.pdf"))
    #expect(event?.event == "renamed")
    #expect(event?.document == "a.pdf")
    #expect(try Self.source(system.path("a.pdf")).contains("\"path\":\"a.pdf\""))
  }

  @Test func filesOfAFloodAreTaggedByTheNamesThatTheyHaveAfterIt() throws {
    let system = try FileSystem(.ext4)
    let place = try WatchPlace(system, home: Self.home(), [system.root])
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    // So that all of them come at once.
    place.kill(SIGSTOP)
    let code = """
      for number in range(300):
        name = '\(system.root)/%d' % number
        open(name + '.part', 'w').write('text')
        if number % 3 == 1: os.rename(name + '.part', name)
        if number % 3 == 2: os.rename(name + '.part', '\(system.root)/.%d' % number)
      open('\(Self.done(place))', 'w').close()
      """
    let writer = try Self.writer(code, scope: scope)
    defer { Self.finish(writer) }
    try Patience.wait { FileManager.default.fileExists(atPath: Self.done(place)) }
    place.kill(SIGCONT)
    #expect(try place.waitForEvent(system.path("298")) != nil)
    // What is held is not forgotten.
    let end = try place.end()
    #expect(end.status == 0)
    #expect(end.errors.hasPrefix("docsource: 200 tagged, 0 kept, 0 not from an application, "))
    #expect(end.errors.hasSuffix(" 0 failed; no events lost\n"))
    let found = try Docsource.run(
      "find", "--hidden", "--sort", "--format", "{document}", "--document", "29*", system.root)
    #expect(found.text == "291.part\n292\n294.part\n295\n297.part\n298\n")
  }

  @Test func sourceOfAFloodsFirstWriterIsKept() throws {
    let system = try FileSystem(.ext4)
    let place = try WatchPlace(system, home: Self.home(), [system.root])
    let first = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let second = try ApplicationScope("app-gnome-org.example.Second-4242.scope")
    let ready = system.path(".ready")
    let writers = [
      try Self.writer(
        """
        for number in range(50): open('\(system.root)/%d' % number, 'w').write('text')
        open('\(ready)', 'w').close()
        """, scope: first),
      try Self.writer(
        """
        while not os.path.exists('\(ready)'): time.sleep(0.01)
        open('\(system.path("49"))', 'a').write('more')
        """, scope: second),
    ]
    defer { for writer in writers { Self.finish(writer) } }
    #expect(try place.waitForEvent(system.path("49"), "kept") != nil)
    #expect(try Self.source(system.path("49")).contains(Self.editor))
  }

  /// While it is stopped the queue overflows.
  @Test func filesWhoseEventsAreLostAreCounted() throws {
    let system = try FileSystem(.ext4)
    let place = try WatchPlace(system, home: Self.home(), [system.root])
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    place.kill(SIGSTOP)
    let limit = try String(
      contentsOfFile: "/proc/sys/fs/fanotify/max_queued_events", encoding: .utf8)
    func write(_ names: String, _ count: Int) throws -> RunningProcess {
      let code = """
        for number in range(\(count)): open('\(system.root)/\(names)-%d' % number, 'w').close()
        open('\(Self.done(place))-\(names)', 'w').close()
        """
      let writer = try Self.writer(code, scope: scope)
      try Patience.wait {
        FileManager.default.fileExists(atPath: "\(Self.done(place))-\(names)")
      }
      return writer
    }
    let first = try write("first", 50)
    // Nobody's documents fill the queue.
    let fill = """
      import os
      os.mkdir('\(system.root)/.hidden')
      for number in range(\(limit)):
        os.close(os.open('\(system.root)/.hidden/%d' % number, os.O_CREAT | os.O_WRONLY))
      """
    #expect(try Execution.run(["/usr/bin/python3", "-c", fill]).status == 0)
    let second = try write("second", 300)
    defer { for writer in [first, second] { Self.finish(writer) } }
    for name in ["cache", ".cache"] {
      mkdir(system.path(name), 0o755)
      try Data().write(to: URL(filePath: system.path("\(name)/file")))
    }
    place.kill(SIGCONT)
    try Patience.wait { try place.errors().contains("while events were lost") }
    #expect(try place.events().last?.event == "missed")
    #expect(
      try place.end().errors == """
        docsource: events were lost because the queue was full; some files were not tagged (1 time so far)
        docsource: 300 files without a source changed while events were lost
        docsource: 50 tagged, 0 kept, 0 not from an application, 0 from unknown programs, 0 failed; \
        the event queue overflowed 1 time and events were lost; 300 missed

        """)
    #expect(try Self.source(system.path("first-49")).contains(Self.editor))
  }

  /// A file that says that a writer is done.
  private static func done(_ place: WatchPlace) -> String { place.home.path("done") }

  @Test(arguments: [SIGTERM, SIGINT, SIGKILL])
  func endingLeavesNothingHalfDoneAndIsNotPutOff(_ signal: CInt) throws {
    let system = try FileSystem(.ext4)
    let scope = try ApplicationScope("app-gnome-\(Self.editor)-4242.scope")
    let writer = try Self.writer(
      """
      for number in range(10**9):
        with open('\(system.root)/%d' % (number % 500), 'w') as file: file.write('text')
      """, scope: scope)
    defer { Self.finish(writer) }
    for turn in 0..<2 {
      let place = try WatchPlace(system, home: Self.home(), [system.root], ["--policy", "last"])
      try Patience.wait { try !place.events().isEmpty }
      usleep(useconds_t(100_000 + turn * 70_000))
      let start = Date.now
      let end = try place.end(signal)
      #expect(end.status == (signal == SIGKILL ? 137 : 0))
      // The bench has how long it takes; here everything else may come in between.
      #expect(Date.now.timeIntervalSince(start) < 15)
    }
    let damaged = try Docsource.run("find", "--damaged", system.root)
    #expect(damaged.text == "")
    #expect(damaged.status == 1)
    #expect(try Docsource.run("find", "--identifier", Self.editor, system.root).status == 0)
  }
}

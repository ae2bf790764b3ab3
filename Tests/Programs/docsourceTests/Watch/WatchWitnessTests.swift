import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource watch --witness` and `docsource show --verify`, with programs that want a file to seem another
/// application's.
@Suite(.enabled(if: FileSystem.mayMount), .serialized) struct WatchWitnessTests {
  private let place: WitnessPlace
  private var system: FileSystem { place.system }
  private var home: TemporaryDirectory { place.home }

  init() throws { try self.init(FileSystem(.ext4)) }

  private init(_ system: FileSystem) throws { place = try WitnessPlace(system) }

  @Test(arguments: [(FileSystem.Kind.ext4, false), (.xfs, false), (.btrfs, false), (.btrfs, true)])
  func applicationThatHasWrittenTheFileIsWitnessed(
    _ kind: FileSystem.Kind, _ isSubvolume: Bool
  ) throws {
    let other = try WatchWitnessTests(FileSystem(kind, isSubvolume: isSubvolume))
    try other.applicationIsWitnessed()
  }

  private func applicationIsWitnessed() throws {
    try place.run("editor", WitnessPlace.save)
    #expect(try place.verdict() == 0)
    let json = try place.verified().text
    #expect(json.contains(#""verdict":"agrees","witness":{"state":"valid","history":[{"#))
    #expect(
      json.contains(
        #""application":"\#(WitnessPlace.identifier)","executable":"\#(home.path("editor"))","#
          + #""knownBy":"executable","action":"created","time":"#))
    let shown = try Docsource.run("show", "--verify", system.path("a"))
    #expect(
      shown.text.contains(
        "  Verified     agrees: written by \(WitnessPlace.identifier), the program \(home.path("editor")), on "
      ))
    let row =
      #"  Witness      written by "\#(WitnessPlace.identifier)", the program "\#(home.path("editor"))", "#
    let traced = try Docsource.run("trace", system.path("a")).text
    #expect(traced.contains(row))
    #expect(
      traced.contains(
        "\n    security.docsource (seen while the file was written; only root can write this mark)\n"
      ))
    #expect(
      try Docsource.run("trace", "--json", system.path("a")).text.contains(
        #""carrier":"security.docsource","form":"attribute","trust":"witnessed","#
          + #""value":{"state":"valid","history":[{"application":"\#(WitnessPlace.identifier)""#))
    #expect(
      try Docsource.run("find", "--verify=agrees", system.root).text == "\(system.path("a"))\n")
    for other in ["unknown", "disagrees"] {
      #expect(try Docsource.run("find", "--verify", other, system.root).status == 1)
    }
    // Somebody writes another application's name, which changes the file, too.
    #expect(try Docsource.run("tag", "-q", "-i", "org.other.App", system.path("a")).status == 0)
    #expect(try place.verified().status == 1)
    #expect(
      try place.verified().text.contains(#""verdict":"unknown","witness":{"state":"changed""#))
    #expect(
      try Docsource.run("find", "--verify=unknown", system.root).text == "\(system.path("a"))\n")
    #expect(
      try Docsource.run("trace", system.path("a")).text.contains(
        "; changed since by something not seen, perhaps only its name or attributes\n"))
  }

  /// It runs no other program, also while nobody has waited for it, and while it ends: it runs none then, for as
  /// long as the kernel takes to free its memory and to close its files.
  @Test(arguments: [0, 400])
  func applicationThatEndsAtOnceIsWitnessed(_ megabytes: Int) throws {
    let code = "memory = b'x' * (\(megabytes) << 20)\n" + WitnessPlace.save + "\nos._exit(0)"
    let editor = try place.start("editor", code)
    #expect(try place.waitForEvent(system.path("a"), "tagged") != nil)
    #expect(try place.verdict() == 0)
    #expect(editor.wait() == 0)
  }

  /// Root's programs carry the record to a copy, and overlayfs when it makes one. What overlayfs shows does not
  /// count, since a user can mount it.
  @Test func recordCountsForTheFileItWasWrittenForOnly() throws {
    try place.run("editor", "os.mkdir('d'); os.chdir('d')\n" + WitnessPlace.save)
    #expect(try place.verdict("d/a") == 0)
    // Else a record of cp's own may take the place of the one that it has copied.
    place.stopWatching()
    let copied = """
      cd '\(system.root)' && cp -a d/a cp && tar --xattrs --xattrs-include='*' -C d -cf a.tar a
      mkdir tar && tar --xattrs --xattrs-include='*' -C tar -xf a.tar
      mkdir upper work over && mount -t overlay -o lowerdir=d,upperdir=upper,workdir=work none over
      '\(Docsource.path)' show --verify --json over/a >over.json; chmod 600 over/a; umount over
      """
    #expect(try Execution.run(["sh", "-c", copied]).errors == "")
    #expect(
      try String(contentsOfFile: system.path("over.json"), encoding: .utf8).contains(
        #""verdict":"unknown","witness":{"state":"none"}"#))
    for copy in ["cp", "tar/a", "upper/a"] {
      #expect(
        try place.verified(copy).text.contains(
          #""verdict":"unknown","witness":{"state":"other-file""#))
      #expect(try place.verified(copy).status == 1)
    }
  }

  /// What ext4 has for the attributes of a file is one block.
  @Test func fileWithoutRoomForTheRecordKeepsItsAttributes() throws {
    try place.run(
      "editor",
      """
      f = open('a', 'w'); f.write('content')
      for size in range(4096, 0, -4):
          try: os.setxattr('a', 'user.big', b'x' * size); break
          except OSError: pass
      os.setxattr('a', 'user.big', b'x' * (size - 280)); f.close()
      """)
    _ = try place.waitForEvent(system.path("a"), "tagged")
    usleep(500_000)
    #expect(try place.verified().text.contains(#""verdict":"unknown","witness":{"state":"none"}"#))
    let names = try Execution.run(["getfattr", "-m-", "--absolute-names", system.path("a")]).text
    #expect(
      names.split(separator: "\n").dropFirst() == ["user.big", "user.x-document-source"])
  }

  @Test func fileOfAProgramWithoutAnEntryIsNotWitnessed() throws {
    try place.run("other", WitnessPlace.save)
    #expect(
      try Docsource.run("tag", "-q", "-i", WitnessPlace.identifier, system.path("a")).status == 0)
    #expect(try place.verified().text.contains(#""verdict":"unknown","witness":{"state":"none"}"#))
    #expect(try place.verified().status == 1)
    // Nor by another name, or a link from a directory that is watched.
    try place.run("other", "os.link('a', 'b'); os.rename('a', 'c')")
    for name in ["b", "c"] { #expect(try place.verified(name).status == 1) }
  }

  @Test(arguments: [
    "f = open('a', 'r+'); f.write('evil'); f.close()",
    """
    s = os.stat('a'); f = open('a', 'r+'); f.write('evil'); f.close()
    os.utime('a', ns=(s.st_atime_ns, s.st_mtime_ns))
    """,
    """
    import mmap
    s = os.stat('a'); f = os.open('a', os.O_RDWR); m = mmap.mmap(f, 7); os.close(f); m[:4] = b'evil'
    os.utime('a', ns=(s.st_atime_ns, s.st_mtime_ns)); m.close()
    """,
    "os.truncate('a', 3)", "os.chmod('a', 0o600)", "os.rename('a', 'b'); os.rename('b', 'a')",
    "open('b', 'w').write('evil'); os.rename('b', 'a')",
  ])
  func whatAnotherProgramChangesIsNotTheApplications(_ attack: String) throws {
    try place.run("editor", WitnessPlace.save)
    #expect(try place.verdict() == 0)
    try place.run("other", attack)
    #expect(try place.verified().status == 1)
    usleep(1_000_000)
    #expect(try place.verified().status == 1)
  }

  /// The kernel merges what a process does to a file with its attempt to run the file into one event.
  @Test func writingAFileThatIsRunIsSeen() throws {
    try place.run("editor", WitnessPlace.save)
    #expect(try place.verdict() == 0)
    let attack = """
      os.chmod('a', 0o755)
      try: os.execv('./a', ['a'])
      except OSError: pass
      f = os.open('a', os.O_WRONLY); os.write(f, b'evil'); os.close(f)
      """
    try place.run("other", attack)
    try place.run("editor", "f = open('a', 'r+'); f.seek(5); f.write('nt'); f.close()")
    usleep(500_000)
    #expect(try place.verified().status == 1)
  }

  /// The history goes on with each program that writes alone.
  @Test func changesByOneProgramAreAdded() throws {
    try place.run("editor", WitnessPlace.save)
    #expect(try place.verdict() == 0)
    try place.run("editor", "f = open('a', 'r+'); f.write('C'); f.close()")
    try Patience.wait { try place.verified().text.contains(#""action":"changed""#) }
    #expect(try place.verified().text.contains(#""verdict":"agrees""#))
    #expect(
      try place.history() == [
        "\(WitnessPlace.identifier) created", "\(WitnessPlace.identifier) changed",
      ])
    try place.run("other", "f = open('a', 'r+'); f.write('c'); f.close()")
    try Patience.wait { try place.history().count == 3 }
    #expect(try place.history().last == "other changed")
    #expect(try place.verified().text.contains(#""verdict":"unknown","witness":{"state":"valid""#))
    #expect(
      try Docsource.run("show", "--verify", system.path("a")).text.contains(
        "; no application is known to compare\n"))
  }

  /// An editor that saves by making a new file: the source is that of the earlier file.
  @Test func fileThatTakesThePlaceOfAnotherIsNobodysContradiction() throws {
    var name = ""
    var isSeen = false
    // Attacks of other tests keep the whole machine from looking at processes for seconds.
    for attempt in 0..<5 where !isSeen {
      name = "a\(attempt)"
      try place.run("editor", "f = open('\(name)', 'w'); f.write('content'); f.close()")
      #expect(try place.verdict(name) == 0)
      #expect(try Docsource.run("tag", "-q", "-i", "org.other.App", system.path(name)).status == 0)
      try place.run(
        "editor", "f = open('b', 'w'); f.write('more'); f.close(); os.rename('b', '\(name)')")
      for _ in 0..<50 where !isSeen {
        usleep(100_000)
        isSeen = try place.verified(name).text.contains(#""action":"replaced""#)
      }
    }
    #expect(
      try place.verified(name).text.contains(#""verdict":"unknown","witness":{"state":"valid""#))
    #expect(
      try Docsource.run("show", "--verify", system.path(name)).text.contains(
        "; the file took the place of an earlier one, from which it has its source\n"))
  }

  /// Elsewhere, others could name a file of root's, or put a directory in the place of root's.
  @Test(arguments: [
    ("0755", "0755", true), ("0755", "1777", true), ("0777", "0755", false),
    ("0775", "0755", false),
    ("1777", "0755", false), ("0755", "0777", false),
  ])
  func programIsOneThatOnlyRootCanHavePutAtItsPath(
    _ directory: String, _ above: String, _ isKnown: Bool
  ) throws {
    let path = home.path("above/bin")
    let script = """
      mkdir -p '\(path)' && cp '\(home.path("editor"))' '\(path)/placed'
      chmod \(directory) '\(path)'; chmod \(above) '\(home.path("above"))'
      """
    #expect(try Execution.run(["sh", "-c", script]).errors == "")
    try place.run("above/bin/placed", WitnessPlace.save)
    _ = try place.waitForEvent(system.path("a"), "tagged")
    #expect(try place.verdict() == (isKnown ? 0 : 1))
    #expect(try place.history() == (isKnown ? ["org.example.Placed created"] : []))
  }

  /// An entry may name a program without its directory.
  @Test func programIsNotKnownByItsNameAlone() throws {
    let script =
      "mkdir '\(home.path("bin"))' && cp '\(home.path("editor"))' '\(home.path("bin/named"))'"
    #expect(try Execution.run(["sh", "-c", script]).errors == "")
    try place.run("bin/named", WitnessPlace.save)
    #expect(
      try place.waitForEvent(system.path("a"), "tagged")?.source?.identifier == "org.example.Named")
    try Patience.wait { try place.history() == ["named created"] }
    #expect(try place.verified().status == 1)
  }

  /// A program's first file is not known to be its if the program was not seen before.
  @Test func threadOfTheFormerProgramIsNotTheApplication() throws {
    // Until the application runs, another thread of the same process can write.
    try place.run(
      "other",
      """
      import threading
      go = threading.Event()
      def write():
          for number in range(2000):
              f = open('evil%d' % number, 'w'); f.write('evil'); f.close()
              go.set()
      threading.Thread(target=write, daemon=True).start()
      go.wait()
      os.execv('\(home.path("editor"))', ['editor', '-c', 'import time; time.sleep(1)', 'x' * 100000])
      """)
    let names = try FileManager.default.contentsOfDirectory(atPath: system.root)
      .filter { $0.hasPrefix("evil") }
    try #require(!names.isEmpty)
    for name in names {
      _ = try Docsource.run("tag", "-q", "-i", WitnessPlace.identifier, system.path(name))
    }
    usleep(500_000)
    #expect(
      try Docsource.run("find", "--verify=agrees", system.root).text == "")
  }

  /// Whoever holds the file open, or mapped, while the application writes it.
  @Test(arguments: [
    "f = os.open('a', os.O_RDWR | os.O_CREAT); os.write(f, b'evil')",
    "import mmap; f = os.open('a', os.O_RDWR | os.O_CREAT); os.truncate(f, 7); m = mmap.mmap(f, 7); os.close(f)",
  ])
  func fileThatIsAlsoOpenElsewhereIsNotWitnessed(_ attack: String) throws {
    let text =
      "import os, time\nos.setsid()\nos.chdir('\(system.root)')\n\(attack)\ntime.sleep(5)\n"
    let attacker = try RunningProcess(
      [home.path("other"), "-c", text].map { Array($0.utf8) },
      environment: ["PYTHONHOME": "/usr"])
    try Patience.wait { FileManager.default.fileExists(atPath: system.path("a")) }
    try place.run("editor", "f = open('a', 'r+'); f.write('c'); f.close()")
    _ = try place.waitForEvent(system.path("a"), "tagged")
    #expect(try place.verified().status == 1)
    attacker.kill(SIGKILL)
    _ = attacker.wait()
    usleep(500_000)
    #expect(try place.verified().status == 1)
  }

  @Test func debuggedApplicationIsNotWitnessed() throws {
    let debugger = """
      import ctypes
      libc = ctypes.CDLL(None)
      child = os.fork()
      if child == 0:
          libc.ptrace(0, 0, 0, 0)
          os.execv('\(home.path("editor"))', ['editor', '-c', \"\"\"
      import os, time
      \(WitnessPlace.save)
      time.sleep(1)
      \"\"\"])
      while True:
          pid, status = os.waitpid(child, 0)
          if os.WIFEXITED(status): break
          libc.ptrace(7, child, 0, 0)
      """
    try place.run("other", debugger)
    _ = try place.waitForEvent(system.path("a"), "tagged")
    usleep(500_000)
    #expect(try place.verified().status == 1)
  }

  /// In namespaces of his own, a user can put any file at the path of an application, and has all
  /// capabilities there.
  @Test func namespacesOfAUserGiveNothing() throws {
    let own = system.path("own")
    #expect(mkdir(own, 0o755) == 0)
    #expect(chown(own, 65534, 65534) == 0)
    #expect(try Execution.run(["cp", "/usr/bin/python3", "\(own)/evil"]).status == 0)
    let script = """
      mount --bind '\(own)/evil' '\(home.path("editor"))'
      cd '\(own)' && PYTHONHOME=/usr exec setsid '\(home.path("editor"))' -c "
      import time
      \(WitnessPlace.save)
      time.sleep(1)"
      """
    chmod(home.root, 0o755)
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    let mounted = try Execution.run(user + ["unshare", "-Urm", "sh", "-c", script])
    try #require(mounted.status == 0, "\(mounted.errors)")
    #expect(try Docsource.run("tag", "-q", "-i", WitnessPlace.identifier, "\(own)/a").status == 0)
    usleep(500_000)
    #expect(try place.verified("own/a").status == 1)
    let written = try Execution.run(
      user + [
        "unshare", "-Ur", "setfattr", "-n", "security.docsource", "-v", "x", "\(own)/a",
      ])
    #expect(written.status == 1)
    #expect(written.errors.contains("Operation not permitted"))
  }

  /// In a container, the path of a program is that of another file here.
  @Test func programOfAContainerIsNotKnown() throws {
    let script = """
      mkdir '\(home.path("o"))' && cd '\(home.path("o"))' && mount -t tmpfs none . && mkdir upper work root
      mount -t overlay -o lowerdir=/,upperdir=upper,workdir=work none root
      mkdir -p 'root\(home.root)' && cp '\(home.path("editor"))' 'root\(home.root)'
      mount --bind '\(system.root)' root/mnt
      PYTHONHOME=/usr exec setsid chroot root '\(home.path("editor"))' -c "
      import os, time
      os.chdir('/mnt'); time.sleep(0.3)
      \(WitnessPlace.save)
      time.sleep(0.5)"
      """
    let contained = try Execution.run(["unshare", "-m", "sh", "-c", script])
    try #require(contained.status == 0, "\(contained.errors)")
    #expect(
      try Docsource.run("tag", "-q", "-i", WitnessPlace.identifier, system.path("a")).status == 0)
    usleep(500_000)
    #expect(try place.verified().text.contains(#""verdict":"unknown","witness":{"state":"none"}"#))
  }

  /// Copies of root carry the attribute, and so do backups.
  @Test func recordIsOfOneFile() throws {
    try place.run("editor", WitnessPlace.save)
    #expect(try place.verdict() == 0)
    #expect(try Execution.run(["cp", "-a", system.path("a"), system.path("b")]).status == 0)
    #expect(try place.verified("b").text.contains(#""state":"other-file""#))
    #expect(try place.verified("b").status == 1)
    #expect(try place.verified("a").status == 0)
  }

  @Test func optionsThatContradictEachOtherAreRefused() throws {
    let words: [([String], String)] = [
      (["show", "--verify", "--raw", "a"], "show: --verify and --raw cannot be combined"),
      (["show", "--verify", "-f", "name", "a"], "show: --verify and --field cannot be combined"),
      (
        ["watch", "--enable", "--witness", "--no-witness"],
        "watch: --witness and --no-witness cannot be combined"
      ),
      (["watch", "--no-witness", "/tmp"], "watch: --no-witness takes no DIR"),
    ]
    for (words, message) in words {
      let execution = try Execution.run([Docsource.path] + words)
      #expect(execution.errors == "docsource: \(message); see 'docsource help \(words[0])'\n")
      #expect(execution.status == 64)
    }
  }
}

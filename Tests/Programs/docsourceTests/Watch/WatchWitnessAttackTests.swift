import Foundation
import Glibc
import TestSupport
import Testing

extension WatchWitnessTests {
  /// Users who make file systems with chosen numbers, or want the witness to see less of others.
  ///
  /// A part of the other suite, so that nothing else is witnessed meanwhile: what a number is known for is
  /// forgotten when two file systems have it.
  @Suite(.enabled(if: FileSystem.mayMount), .serialized) struct Attacks {
    private static let attribute = "user.x-document-source"
    private static let user: uid_t = 65534

    private static func rights(of user: uid_t) -> [String] {
      ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
    }

    private let home: TemporaryDirectory

    init() throws {
      home = try WatchCommandTests.home()
      try #require(chmod(home.root, 0o755) == 0)
    }

    private func shell(_ script: String) throws {
      let execution = try Execution.run(["sh", "-ec", script], in: home.root)
      try #require(execution.status == 0, "\(execution.errors)")
    }

    // MARK: Chosen and repeated numbers

    /// With the number of the file system that has the application, and another program where that is.
    @Test func diskWithTheNumberOfAnApplicationsGivesNothing() throws {
      defer { _ = try? shell("umount -l copy above/bin || umount -l above/bin") }
      try shell(
        """
        mkdir -p copy above/bin; truncate -s 64M image; mkfs.ext4 -q image
        mount -o loop image above/bin; cp /usr/bin/python3 above/bin/placed; umount above/bin
        """)
      try Patience.wait {
        try Execution.run(["losetup", "-j", "image"], in: home.root).text.isEmpty
      }
      try shell("cp image other-image; mount -o loop image above/bin")
      let system = try FileSystem(.ext4)
      try shell("mkdir '\(system.path("own"))'; chown \(Self.user) '\(system.path("own"))'")
      let place = try WitnessPlace(system, home: home, users: [system.path("own")])
      try place.run("above/bin/placed", WitnessPlace.save)
      #expect(try place.verdict() == 0)

      // Programs of the disk are reported once the witness has looked at a process.
      try shell("mount -o loop,nosuid,nodev other-image copy; printf x >>copy/placed; sleep 0.5")
      let script = """
        mount --bind copy/placed above/bin/placed; cd '\(place.system.path("own"))'
        PYTHONHOME=/usr exec setsid '\(home.path("above/bin/placed"))' -c "
        import os, time
        time.sleep(0.3)
        f = open('a', 'w'); f.write('evil')
        os.setxattr('a', '\(Self.attribute)', os.getxattr('../a', '\(Self.attribute)')); f.close()
        time.sleep(0.5)"
        """
      let written = try Execution.run(
        Self.rights(of: Self.user) + ["unshare", "-Urm", "sh", "-ec", script], in: home.root)
      try #require(written.status == 0, "\(written.errors)")
      #expect(try place.waitForEvent(place.system.path("own/a"), "kept") != nil)
      #expect(try place.verdict("own/a") == 1)
    }

    /// A device of a user's, and where it is mounted.
    private final class Disk {
      let device: String
      let root: String

      init(_ name: String, in home: TemporaryDirectory) throws {
        root = home.path(name)
        let script = """
          mkdir \(name); chown \(Attacks.user) \(name); truncate -s 32M \(name).image
          losetup -f --show \(name).image
          """
        let made = try Execution.run(["sh", "-ec", script], in: home.root)
        try #require(made.status == 0, "\(made.errors)")
        device = made.text.trimmingCharacters(in: .newlines)
      }

      deinit {
        _ = try? Execution.run(["umount", "-l", root])
        _ = try? Execution.run(["losetup", "-d", device])
      }

      func path(_ name: String) -> String { "\(root)/\(name)" }

      /// Makes another file system there.
      func make(_ options: String...) throws {
        try Self.run(
          ["mkfs.ext4", "-qF", "-E", "root_owner=\(Attacks.user):0"] + options + [device])
      }

      func mount(_ place: WitnessPlace) throws {
        try Self.run(["mount", "-o", "nosuid,nodev", device, root])
        try place.waitUntilSeen(at: root)
        // The user's worker starts anew.
        usleep(1_000_000)
      }

      /// Unmounts it, for long enough to be noticed.
      func unmount() throws {
        try Self.run(["umount", root])
        try FileSystem.waitUntilUnmounted(device)
        usleep(1_000_000)
      }

      private static func run(_ command: [String]) throws {
        let execution = try Execution.run(command)
        try #require(execution.status == 0, "\(execution.errors)")
      }
    }

    private func disks() throws -> (Disk, Disk, WitnessPlace) {
      let (first, second) = try (Disk("first", in: home), Disk("second", in: home))
      let place = try WitnessPlace(
        FileSystem(.ext4), home: home, users: [first.root, second.root])
      // Their user's worker starts later, and what was written before is forgotten then.
      try place.waitUntilSeen(at: first.root)
      try place.run("editor", WitnessPlace.save)
      #expect(try place.verdict() == 0)
      return (first, second, place)
    }

    /// Has the application save a file of the user's, with a source, since the worker does not know the tests'
    /// application.
    private func save(_ path: String, _ place: WitnessPlace) throws {
      try place.run(
        "editor",
        """
        f = open('\(path)', 'w'); f.write('content')
        os.setxattr(f.fileno(), '\(Self.attribute)', os.getxattr('a', '\(Self.attribute)')); f.close()
        """, wrapper: Self.rights(of: Self.user))
    }

    /// What the application does to a file with the number that a file of the user's has on another file system,
    /// before that file is asked for.
    private func expectNothing(
      of evil: Disk, from disk: Disk, _ place: WitnessPlace
    ) throws {
      let rights = Self.rights(of: Self.user)
      let (path, saved) = (evil.path("evil"), disk.path("saved"))
      try place.run(
        "other",
        """
        for n in range(20): open('\(evil.root)/%d' % n, 'w').close()
        f = open('\(path)', 'w')
        os.setxattr(f.fileno(), '\(Self.attribute)', os.getxattr('a', '\(Self.attribute)')); f.close()
        for n in range(40):
            f = open('\(disk.root)/%d' % n, 'w'); f.close()
            if os.stat(f.name).st_ino == os.stat('\(path)').st_ino: break
        os.rename(f.name, '\(disk.path("last"))')
        """, wrapper: rights)
      func count() throws -> Int { try place.events().count { $0.file == path } }
      try Patience.wait { try count() == 1 }
      // The number is free when nobody has the file open.
      #expect(try place.waitForEvent(disk.path("last")) != nil)
      let open = "ls -l /proc/[0-9]*/fd 2>/dev/null | grep -qF '\(disk.path("last"))'"
      try Patience.wait { try Execution.run(["sh", "-c", open]).status == 1 }
      // For less time than the worker may take to answer.
      let worker = try #require(try place.worker(of: Self.user))
      kill(worker, SIGSTOP)
      defer { kill(worker, SIGCONT) }
      let change = "printf evil >'\(path)'; sleep 0.05; rm '\(disk.path("last"))'"
      #expect(try Execution.run(rights + ["sh", "-c", change]).status == 0)
      // Without a source, so that nothing is asked for this one, which would have the record.
      let editor = try place.start(
        "editor", "f = open('\(saved)', 'w'); f.write('content'); f.close()", wrapper: rights)
      defer { #expect(editor.wait() == 0) }
      try Patience.wait { access(saved, F_OK) == 0 }
      usleep(100_000)
      let numbers = try [path, saved].map {
        try FileManager.default.attributesOfItem(atPath: $0)[.systemFileNumber] as? UInt64
      }
      try #require(numbers[0] == numbers[1])
      try #require(try count() == 1)
      kill(worker, SIGCONT)
      try Patience.wait { try count() == 2 }
      #expect(try place.verdict(path) == 1)
    }

    @Test func filesOfDisksWithOneNumberAreNotTakenForEachOther() throws {
      let (first, second, place) = try disks()
      for disk in [first, second] { try disk.make("-U", "5a1ba0c6-2b2c-4bd5-8f8a-6a6b5a1f3b12") }
      try first.mount(place)
      try save(first.path("a"), place)
      #expect(try place.verdict(first.path("a")) == 0)
      try second.mount(place)
      try expectNothing(of: first, from: second, place)
    }

    @Test func disksThatChangePlacesAreNotTakenForEachOther() throws {
      let (first, second, place) = try disks()
      for disk in [first, second] { try disk.make() }
      try first.mount(place)
      try save(first.path("a"), place)
      #expect(try place.verdict(first.path("a")) == 0)
      try first.unmount()
      try shell(
        """
        dd status=none bs=1M if=\(first.device) of=moved; dd status=none bs=1M if=\(second.device) of=\(first.device)
        dd status=none bs=1M if=moved of=\(second.device)
        """)
      try first.mount(place)
      try second.mount(place)
      try expectNothing(of: first, from: second, place)
    }

    @Test func anotherFileSystemOfADeviceIsWitnessed() throws {
      let (disk, _, place) = try disks()
      for _ in 0..<2 {
        try disk.make()
        try disk.mount(place)
        try save(disk.path("a"), place)
        #expect(try place.verdict(disk.path("a")) == 0)
        try disk.unmount()
      }
    }

    /// Its number is given again to the next one that is made.
    @Test func subvolumeWithTheNumberOfARemovedOneIsWitnessed() throws {
      let place = try WitnessPlace(FileSystem(.btrfs), home: home)
      let root = place.system.root
      func device(_ name: String) -> dev_t {
        var status = stat()
        return stat("\(root)/\(name)", &status) == 0 ? status.st_dev : 0
      }
      try shell("btrfs -q subvolume create '\(root)/removed'")
      try place.run("editor", "os.chdir('removed')\n" + WitnessPlace.save)
      #expect(try place.verdict("removed/a") == 0)
      let number = device("removed")
      try shell("rm '\(root)/removed/a'; rmdir '\(root)/removed'")
      // The lowest one that is free is given, soon after it is.
      let name = try (0..<20).lazy.map { "made\($0)" }.first { name in
        usleep(200_000)
        try shell("sync -f '\(root)'; btrfs -q subvolume create '\(root)/\(name)'")
        return device(name) == number
      }
      let found = try #require(name)
      try place.run("editor", "os.chdir('\(found)')\n" + WitnessPlace.save)
      #expect(try place.verdict("\(found)/a") == 0)
    }

    // MARK: Who is forgotten, and who stops the witness

    /// Has the application running, and saving a file whenever that is asked for.
    private func saver(_ place: WitnessPlace) throws -> RunningProcess {
      try place.start(
        "editor",
        """
        for n in range(5):
            while not os.path.exists('go%d' % n): time.sleep(0.02)
            f = open('a%d' % n, 'w'); f.write('content'); f.close()
        """)
    }

    private func expectRecord(_ number: Int, _ place: WitnessPlace) throws {
      try shell("touch '\(place.system.path("go\(number)"))'")
      #expect(try place.waitForEvent(place.system.path("a\(number)"), "tagged") != nil)
      #expect(try place.verdict("a\(number)") == 0)
    }

    /// The witness knows only so many processes.
    @Test func manyProcessesOfAnotherUserDoNotMakeAnApplicationForgotten() throws {
      let place = try WitnessPlace(FileSystem(.ext4), home: home)
      try shell("mkdir -m 777 '\(place.system.path("other"))'")
      let editor = try saver(place)
      defer {
        editor.kill(SIGKILL)
        _ = editor.wait()
      }
      try expectRecord(0, place)
      // They end when they have been seen.
      try place.run(
        "other",
        """
        os.chdir('other')
        for batch in range(22):
            end, parent = os.pipe()
            for n in range(200):
                if os.fork() == 0:
                    os.close(parent); f = open('%d' % n, 'w'); f.write('x'); f.close()
                    os.read(end, 1); os._exit(0)
            time.sleep(0.1); os.close(parent); os.close(end)
            for n in range(200): os.wait()
        """, wrapper: Self.rights(of: 1))
      for number in 1..<5 { try expectRecord(number, place) }
    }

    @Test func userWhoseWorkerEndsTakesNothingFromOthers() throws {
      try shell("mkdir one; chown 1 one")
      let place = try WitnessPlace(FileSystem(.ext4), home: home, users: [home.path("one")])
      let editor = try saver(place)
      defer {
        editor.kill(SIGKILL)
        _ = editor.wait()
      }
      for number in 0..<5 {
        try expectRecord(number, place)
        var ended: pid_t?
        try Patience.wait {
          ended = try place.worker(of: 1)
          return ended != nil
        }
        let worker = try #require(ended)
        // A file of the user's has another one started.
        try Patience.wait {
          let script = "kill -KILL \(worker); : >one/a; rm one/a"
          _ = try Execution.run(Self.rights(of: 1) + ["sh", "-c", script], in: home.root)
          return try ![nil, worker].contains(place.worker(of: 1))
        }
      }
    }

    /// A program that begins to run while a file of FUSE is open: until the file is closed, which FUSE does not
    /// answer, nobody sees what it runs.
    @Test(.enabled(if: access("/dev/fuse", F_OK) == 0))
    func processWhoseProgramIsNotSeenDoesNotStopTheWitness() throws {
      let place = try WitnessPlace(FileSystem(.ext4), home: home)
      try place.run("editor", WitnessPlace.save)
      #expect(try place.verdict() == 0)
      let witness = try #require(try place.witness)
      func looker() throws -> String {
        try String(contentsOfFile: "/proc/\(witness)/task/\(witness)/children", encoding: .utf8)
      }
      let before = try looker()
      try #require(before != "")
      try shell("mkdir fuse; mkdir -m 777 '\(place.system.path("other"))'")
      defer { _ = try? shell("umount -l fuse") }
      let code = """
        import os
        open('\(place.system.path("other/x"))', 'w').write('x')
        f = os.open('\(home.path("fuse/file"))', os.O_RDONLY)
        os.execv('/bin/true', ['true'])
        """
      let script = Fixture.root.appending(path: "Tests/Scripts/hanging-fuse").path
      // Only this has the device open: its end ends the wait.
      let server = try RunningProcess(
        (["timeout", "-s", "KILL", "5", script, home.path("fuse"), "flush"] + Self.rights(of: 1)
          + [home.path("other"), "-c", code]).map { Array($0.utf8) },
        environment: ["PYTHONHOME": "/usr", "OWNER": "1"])
      try Patience.wait { try looker() != before }
      try place.run(
        "editor",
        "for n in range(5):\n    f = open('b%d' % n, 'w'); f.write('content'); f.close(); time.sleep(0.1)"
      )
      #expect(try place.verdict("b4") == 0)
      // It was not over by itself.
      server.kill(SIGTERM)
      #expect(server.wait() == 128 + SIGTERM)
    }
  }
}

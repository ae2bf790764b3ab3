import Foundation
import Glibc
import TestSupport
import Testing

/// `docsource doctor` on real file systems.
@Suite struct DoctorCommandTests {
  private static let tools = """
    When a file moves
      Lost by      mail, uploads, editors that save by renaming
      Instead      'docsource export' writes a manifest, 'import' restores it

    """

  /// Gives a file a value of so many bytes.
  private static let setting =
    "import os, sys; os.setxattr(sys.argv[1], 'user.x-document-source', b'a' * int(sys.argv[2]))"

  /// Without any program installed, so that the end is always the same.
  private static func doctor(_ arguments: String..., as user: String? = nil) throws -> Execution {
    let prefix = user.map { ["setpriv", "--reuid", $0, "--clear-groups"] } ?? []
    return try Execution.run(
      prefix + [Docsource.path, "doctor"] + arguments, environment: ["PATH": "/nonexistent"])
  }

  /// `ext4 at /mnt, rw,relatime` by findmnt(8).
  private static func system(_ path: String) throws -> String {
    let columns = "FSTYPE,TARGET,VFS-OPTIONS,FS-OPTIONS"
    let found = try Execution.run(["findmnt", "-rnT", path, "-o", columns]).text
    // Of file systems that are mounted over each other, the last one is seen.
    let words = (found.split(separator: "\n").last ?? "").split(separator: " ").map(String.init)
    var options: [String] = []
    for option in words.dropFirst(2).joined(separator: ",").split(separator: ",").map(String.init)
    where !options.contains(option) {
      options.append(option)
    }
    return "\(words[0]) at \(words[1]), \(options.joined(separator: ","))"
  }

  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"),
    arguments: [
      (FileSystem.Kind.ext4, 4024), (.xfs, 65536), (.btrfs, 16206), (.tmpfs, 65536),
    ])
  func fileSystemsThatStoreItHaveRoomAsReported(_ kind: FileSystem.Kind, _ room: Int) throws {
    let system = try FileSystem(kind)
    let path = system.path("file")
    #expect(try Execution.run(["sh", "-c", "echo x >\(path)"]).status == 0)
    #expect(try Docsource.tag(path).status == 0)
    let before = [try FileState(path), try FileState(system.root)]
    let reported = try Self.doctor(path)
    #expect(reported.errors == "")
    #expect(reported.status == 0)
    #expect(
      reported.text == """
        \(path): the attribute can be stored
          File         regular file, mode 0644, owner root
          File system  \(try Self.system(path))
          Stored now   242 bytes
          Room         \(room) bytes, \(room - 242) left, tested on an unnamed file in the same directory
        \(Self.tools)
        """)
    let directory = try Self.doctor(system.root)
    #expect(
      directory.text.contains(
        "  Room         \(room) bytes, tested on an unnamed file in the directory\n"))
    #expect(try [FileState(path), FileState(system.root)] == before)
    // So much there is, and no more.
    #expect(try Docsource.run("remove", path).status == 0)
    func set(_ count: Int) throws -> Int32 {
      try Execution.run(["python3", "-c", Self.setting, path, "\(count)"]).status
    }
    #expect(try set(room) == 0)
    #expect(try set(room + 1) != 0)
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func otherAttributesTakeRoom() throws {
    let system = try FileSystem(.ext4)
    let path = system.path("file")
    let value = String(repeating: "a", count: 1000)
    #expect(try Execution.run(["touch", path]).status == 0)
    #expect(try Execution.run(["setfattr", "-n", "user.other", "-v", value, path]).status == 0)
    let json = try Self.doctor("--json", path).output
    let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
    let room = try #require(object?["room"] as? Int)
    #expect(object?["left"] as? Int == room)
    #expect(room > 2900)
    #expect(room < 3024)
    #expect(
      try Execution.run(["python3", "-c", Self.setting, path, "\(room)"]).status == 0)
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func fileSystemWithoutAttributesIsAnObstacle() throws {
    let system = try FileSystem(.ramfs)
    let path = system.path("file")
    #expect(try Execution.run(["sh", "-c", "echo x >\(path)"]).status == 0)
    let reported = try Self.doctor(path)
    #expect(
      reported.text == """
        \(path): the attribute cannot be stored
          File         regular file, mode 0644, owner root
          File system  \(try Self.system(path))
          Stored now   nothing
          Obstacle     the file system stores content only
          Remedy       use tmpfs instead

        """)
    #expect(reported.errors == "")
    #expect(reported.status == 1)
  }

  @Test func kernelsFilesAreNone() throws {
    let reported = try Self.doctor("/proc/version")
    #expect(
      reported.text == """
        /proc/version: the attribute cannot be stored
          File         regular file, mode 0444, owner root
          File system  \(try Self.system("/proc"))
          Stored now   nothing
          Obstacle     the kernel generates the files, which store nothing
          Remedy       use ext4, xfs, btrfs or tmpfs, or keep the source with 'docsource export'

        """)
    #expect(reported.errors == "")
    #expect(reported.status == 1)
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func readOnlyMountIsAnObstacle() throws {
    let system = try FileSystem(.xfs)
    let path = system.path("file")
    #expect(try Execution.run(["sh", "-c", "echo x >\(path)"]).status == 0)
    #expect(try Docsource.tag(path).status == 0)
    try system.makeReadOnly()
    let reported = try Self.doctor(path)
    #expect(
      reported.text == """
        \(path): the attribute cannot be stored
          File         regular file, mode 0644, owner root
          File system  \(try Self.system(path))
          Stored now   242 bytes
          Room         65536 bytes, 65294 left, as on every xfs file system
          Obstacle     the file system is mounted read-only
          Remedy       as root: mount -o remount,rw \(system.root)

        """)
    #expect(reported.errors == "")
    #expect(reported.status == 1)
  }

  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"),
    arguments: [("i", "immutable"), ("a", "append-only")])
  func flagsAreObstacles(_ flag: String, _ word: String) throws {
    let system = try FileSystem(.ext4)
    let path = system.path("file")
    #expect(try Execution.run(["sh", "-c", "echo x >\(path)"]).status == 0)
    #expect(try Execution.run(["chattr", "+\(flag)", path]).status == 0)
    let reported = try Self.doctor(path)
    #expect(
      reported.text == """
        \(path): the attribute cannot be stored
          File         regular file, mode 0644, owner root
          File system  \(try Self.system(path))
          Stored now   nothing
          Room         4024 bytes, tested on an unnamed file in the same directory
          Obstacle     the file is \(word)
          Remedy       as root: chattr -\(flag)

        """)
    #expect(reported.errors == "")
    #expect(reported.status == 1)
  }

  @Test(.enabled(if: FileSystem.mayMount, "becoming another user needs root"))
  func permissionsAreObstacles() throws {
    let system = try FileSystem(.ext4)
    let path = system.path("file")
    #expect(try Execution.run(["sh", "-c", "echo x >\(path); chmod 600 \(path)"]).status == 0)
    #expect(try Docsource.tag(path).status == 0)
    let reported = try Self.doctor(path, as: "65534")
    #expect(
      reported.text == """
        \(path): the attribute cannot be stored
          File         regular file, mode 0600, owner root
          File system  \(try Self.system(path))
          Stored now   unknown: permission denied: the file must be readable and its directories searchable
          Obstacle     no write permission: owner root, mode 0600, you are 65534
          Remedy       ask the owner, or root

        """)
    #expect(reported.errors == "")
    #expect(reported.status == 1)
    chmod(system.root, 0o1777)
    let sticky = try Self.doctor(system.root, as: "65534")
    #expect(
      sticky.text == """
        \(system.root): the attribute cannot be stored
          File         directory, mode 1777, owner root
          File system  \(try Self.system(path))
          Stored now   nothing
          Room         4024 bytes, tested on an unnamed file in the directory
          Obstacle     only the owner, root, may write attributes of a sticky directory
          Remedy       ask the owner, or root

        """)
    #expect(sticky.errors == "")
    #expect(sticky.status == 1)
  }

  @Test func linksAndSpecialFilesAreObstacles() throws {
    let directory = try TemporaryDirectory()
    try directory.file("file")
    let (link, fifo) = (directory.path("link"), directory.path("fifo"))
    symlink("file", link)
    mkfifo(fifo, 0o644)
    #expect(try Self.doctor(link).status == 0)
    let system = try Self.system(directory.root)
    let owner = geteuid() == 0 ? "root" : "\(geteuid())"
    let reported = try Self.doctor("-h", "--no-dereference", link, fifo)
    #expect(reported.text.hasPrefix("docsource doctor: "))
    let both = try Self.doctor("--no-dereference", link, fifo)
    #expect(
      both.text == """
        \(link): the attribute cannot be stored
          File         symbolic link, owner \(owner)
          File system  \(system)
          Obstacle     Linux does not store user attributes on symbolic links
          Remedy       omit --no-dereference to examine the target of the link
        \(fifo): the attribute cannot be stored
          File         FIFO, mode 0644, owner \(owner)
          File system  \(system)
          Obstacle     Linux stores user attributes on files and directories, not on a FIFO

        """)
    #expect(both.errors == "")
    #expect(both.status == 1)
  }

  @Test func pathThatCannotBeReachedIsAFailureAndDoesNotStopTheRest() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("file")
    let (missing, dangling) = (directory.path("missing"), directory.path("dangling"))
    symlink("nowhere", dangling)
    let reported = try Self.doctor("--json", missing, dangling, file)
    #expect(
      reported.errors == """
        docsource: \(missing): cannot examine: no such file or directory
        docsource: \(dangling): cannot examine: the target of the symbolic link does not exist

        """)
    #expect(reported.status == 2)
    let lines = reported.text.split(separator: "\n")
    #expect(
      lines.first.map(String.init) == #"{"file":"\#(missing)","canStore":null,"#
        + #""error":"cannot examine: no such file or directory"}"#)
    let last = try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8))
    let object = try #require(last as? [String: Any])
    #expect(object["canStore"] as? Bool == true)
    #expect(object["kind"] as? String == "regular file")
    #expect(object["stored"] == nil)
    #expect(object["carrier"] == nil)
    #expect(object["storedError"] == nil)
    #expect((object["fileSystem"] as? [String: Any])?["device"] is String)
    #expect(object["mode"] as? String == "0644")
    #expect((object["obstacles"] as? [Any])?.isEmpty == true)
    #expect(object["isMeasured"] as? Bool == true)
  }

  /// Takes all the room there is.
  static let filling = """
    import os, sys
    file, size, step = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY), 0, 1 << 28
    while step >= 1024:
        try:
            os.posix_fallocate(file, size, step)
            size += step
        except OSError:
            step //= 2
    """

  private static let noRoom = """
      Obstacle     no room: the disk or the quota is full, or other attributes use the space
      Remedy       free space, or remove other attributes of the file

    """

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func fullDiskIsAnObstacleWhereTheFileHasNoRoomLeft() throws {
    let system = try FileSystem(.ext4)
    let (plain, other) = (system.path("plain"), system.path("other"))
    #expect(try Execution.run(["touch", plain, other]).status == 0)
    // So much that it has a block, where room is left.
    let value = String(repeating: "a", count: 200)
    #expect(try Execution.run(["setfattr", "-n", "user.other", "-v", value, other]).status == 0)
    #expect(
      try Execution.run(["python3", "-c", Self.filling, system.path("filler")]).status == 0)
    let full = try Self.doctor(plain)
    #expect(full.text.hasPrefix("\(plain): the attribute cannot be stored\n"))
    #expect(full.text.hasSuffix("  Stored now   nothing\n" + Self.noRoom))
    #expect(full.status == 1)
    #expect(try Docsource.tag(plain).status == 2)
    let roomy = try Self.doctor(other)
    #expect(roomy.text.hasSuffix("  Stored now   nothing\n" + Self.tools))
    #expect(roomy.status == 0)
    #expect(try Docsource.tag(other).status == 0)
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func fileSystemWithoutRoomForAFileIsAnObstacle() throws {
    let system = try FileSystem(.tmpfs)
    let path = system.path("file")
    #expect(try Execution.run(["touch", path]).status == 0)
    #expect(
      try Execution.run(["mount", "-o", "remount,nr_inodes=2", system.root]).status == 0)
    let full = try Self.doctor(path)
    #expect(full.text.hasSuffix("  Stored now   nothing\n" + Self.noRoom))
    #expect(full.status == 1)
    #expect(try Docsource.tag(path).status == 2)
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func accessControlListsTakeRoom() throws {
    let system = try FileSystem(.ext4)
    let path = system.path("file")
    #expect(try Execution.run(["touch", path]).status == 0)
    // Three entries of the owner and others, a mask, and a hundred users who may read.
    let script = """
      import os, struct, sys
      entries = [(1, 6, -1)] + [(2, 4, 1000 + i) for i in range(100)]
      entries += [(4, 4, -1), (16, 4, -1), (32, 4, -1)]
      value = struct.pack('<I', 2) + b''.join(
          struct.pack('<HHI', tag, may, user & 0xffffffff) for tag, may, user in entries)
      os.setxattr(sys.argv[1], 'system.posix_acl_access', value)
      """
    #expect(try Execution.run(["python3", "-c", script, path]).status == 0)
    let json = try Self.doctor("--json", path).output
    let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
    let room = try #require(object?["room"] as? Int)
    func set(_ count: Int) throws -> Int32 {
      try Execution.run(["python3", "-c", Self.setting, path, "\(count)"]).status
    }
    #expect(room < 3400)
    #expect(try set(room) == 0)
    #expect(try set(room + 1) != 0)
  }

  @Test func directoryOfAProgramsNameIsNoProgram() throws {
    let directory = try TemporaryDirectory()
    for name in ["bin", "bin/git", "bin/gio"] { mkdir(directory.path(name), 0o755) }
    symlink("/bin/true", directory.path("bin/zip"))
    let reported = try Execution.run(
      [Docsource.path, "doctor", "/dev/shm"], environment: ["PATH": directory.path("bin")])
    #expect(reported.text.contains("  Lost by      zip, mail, uploads, "))
    #expect(!reported.text.contains("Kept by"))
  }
}

/// The programs that `doctor` says to keep or lose the attribute do.
@Suite struct MovingToolTests {
  /// A shell's way to copy or move `a` to `b` for each.
  private static let scripts = [
    "cp -a": "cp -a a b", "mv": "mv a b", "rsync -X": "rsync -X a b",
    "tar --xattrs (to pack and to unpack)":
      "tar --xattrs -cf t a && mkdir d && tar --xattrs -xf t -C d && mv d/a b",
    "gio copy": "gio copy a b", "cp": "cp a b", "install": "install a b",
    "rsync -a": "rsync -a a b",
    "tar": "tar -cf t a && mkdir d && tar -xf t -C d && mv d/a b",
    "zip": "zip -q t.zip a && mkdir d && unzip -q t.zip -d d && mv d/a b",
    "gzip": "gzip a && gunzip a.gz && mv a b",
    "git": "git init -q . && git add a && rm a && git checkout -q a && mv a b",
    "scp": "scp -pq a b", "sed -i": "sed -i s/x/y/ a && mv a b",
  ]

  private static func calls(_ label: String, _ lines: [Substring]) -> [String] {
    var text = ""
    for line in lines.drop(while: { !$0.hasPrefix("  \(label)") }) {
      guard text.isEmpty || line.hasPrefix("     ") else { break }
      text += (text.isEmpty ? "" : " ") + line.dropFirst(15)
    }
    return text.components(separatedBy: ", ")
  }

  @Test(arguments: [("Kept by", true), ("Lost by", false)])
  func programsDoAsIsSaid(_ label: String, _ keeps: Bool) throws {
    let reported = try Docsource.run("doctor", "/dev/shm", TemporaryDirectory().root)
    let lines = reported.text.split(separator: "\n")
    #expect(lines.drop { $0 != "When a file moves" }.allSatisfy { $0.count <= 80 })
    let calls = Self.calls(label, lines).filter {
      !["mail", "uploads", "editors that save by renaming"].contains($0)
    }
    #expect(calls.contains(keeps ? "cp -a" : "cp"))
    for call in calls {
      let script = try #require(Self.scripts[call], "\(call)")
      let directory = try TemporaryDirectory()
      try directory.file("a", "x\n")
      #expect(try Docsource.tag(directory.path("a")).status == 0)
      let done = try Execution.run(["sh", "-c", script], in: directory.root)
      #expect(done.status == 0, "\(call): \(done.errors)")
      #expect(try Docsource.run("show", directory.path("b")).status == (keeps ? 0 : 1), "\(call)")
    }
  }

  /// Across file systems mv copies.
  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"),
    arguments: [FileSystem.Kind.tmpfs, .ext4, .xfs, .btrfs])
  func mvToAnotherFileSystemKeepsIt(_ kind: FileSystem.Kind) throws {
    let directory = try TemporaryDirectory()
    let system = try FileSystem(kind)
    let path = try directory.file("a")
    #expect(try Docsource.tag(path).status == 0)
    #expect(try Execution.run(["mv", path, system.path("a")]).status == 0)
    #expect(try Docsource.run("show", system.path("a")).status == 0)
  }
}

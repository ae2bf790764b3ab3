import Glibc
import TestSupport
import Testing

/// What the kernel refuses is said in words, with status 2, and changes nothing.
@Suite struct RefusalTests {
  private static func expectRefusal(
    _ path: String, _ reason: String, arguments: [String] = Docsource.workingCopy,
    as user: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try FileState(path)
    let prefix = user.map { ["setpriv", "--reuid", $0, "--clear-groups"] } ?? []
    let execution = try Execution.run(prefix + [Docsource.path, "tag"] + arguments + [path])
    #expect(execution.text == "", sourceLocation: sourceLocation)
    #expect(
      execution.errors == "docsource: \(path): cannot write document source: \(reason)\n",
      sourceLocation: sourceLocation)
    #expect(execution.status == 2, sourceLocation: sourceLocation)
    #expect(try FileState(path) == before, sourceLocation: sourceLocation)
  }

  private static func named(_ length: Int) -> [String] {
    ["--app-name", String(repeating: "n", count: length)]
  }

  private static let noRoom =
    " bytes (ext4: about 4000 bytes for all attributes of a file, btrfs: 16206),"
    + " or the disk is full"

  @Test(
    .enabled(if: FileSystem.mayMount, "mounting needs root"),
    arguments: [
      (FileSystem.Kind.ext4, 4100, "no space for a value of 4342" + noRoom),
      (.ext4, 66000, "a value of 66262 bytes exceeds the limit of 65536 bytes"),
      (.xfs, 66000, "a value of 66262 bytes exceeds the limit of 65536 bytes"),
      (.tmpfs, 66000, "a value of 66262 bytes exceeds the limit of 65536 bytes"),
      (.btrfs, 17000, "no space for a value of 17242" + noRoom),
    ])
  func valueOverTheLimit(_ kind: FileSystem.Kind, _ length: Int, _ reason: String) throws {
    let system = try FileSystem(kind)
    let path = system.path("file")
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    #expect(try Docsource.tag(path).status == 0)
    try Self.expectRefusal(path, reason, arguments: Self.named(length))
  }

  @Test(.enabled(if: geteuid() == 0, "becoming another user needs root"))
  func stickyDirectoryOfAnotherUser() throws {
    let directory = try TemporaryDirectory()
    chmod(directory.root, 0o755)
    let path = directory.path("sticky")
    mkdir(path, 0o777)
    chmod(path, 0o1777)
    try Self.expectRefusal(
      path, "only the owner may write attributes of a sticky directory", as: "65534")
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func readOnlyMount() throws {
    let system = try FileSystem(.ext4)
    let path = system.path("file")
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    #expect(try Docsource.run("tag", "--app-name", "Old", path).status == 0)
    try system.makeReadOnly()
    try Self.expectRefusal(path, "the file system is mounted read-only")
    let removal = try Docsource.run("remove", path)
    #expect(
      removal.errors
        == "docsource: \(path): cannot remove document source:"
        + " the file system is mounted read-only\n")
    #expect(removal.status == 2)
  }

  @Test(
    .enabled(if: FileSystem.mayMount, "chattr needs root"),
    arguments: [
      ("i", "the file is immutable; root can clear this flag with 'chattr -i'"),
      ("a", "the file is append-only; root can clear this flag with 'chattr -a'"),
    ])
  func immutableOrAppendOnlyFile(_ flag: String, _ reason: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    #expect(try Execution.run(["chattr", "+\(flag)", path]).status == 0)
    defer { _ = try? Execution.run(["chattr", "-\(flag)", path]) }
    try Self.expectRefusal(path, reason)
  }

  @Test(.enabled(if: FileSystem.mayMount, "changing the user needs root"))
  func noPermissionAsAnOrdinaryUser() throws {
    let system = try FileSystem(.tmpfs)
    let path = system.path("file")
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    #expect(try Docsource.tag(path).status == 0)
    chmod(system.root, 0o755)
    chmod(path, 0o444)
    let binary = system.path("docsource")
    #expect(try Execution.run(["cp", Docsource.path, binary]).status == 0)
    let user = ["setpriv", "--reuid", "65534", "--clear-groups", binary]
    let before = try FileState(path)
    func expectRefusal(_ reason: String, _ path: String = path) throws {
      let tagged = try Execution.run(user + ["tag", "--app-name", "x", path])
      #expect(
        tagged.errors
          == "docsource: \(path): cannot write document source: permission denied\(reason)\n")
      #expect(tagged.status == 2)
    }
    try expectRefusal(": the file belongs to root; ask the owner, or root")
    #expect(try FileState(path) == before)
    chown(path, 1000, 1000)
    try expectRefusal(": the file belongs to user 1000; ask the owner, or root")
    chown(path, 65534, 65534)
    try expectRefusal(": even the owner needs write permission ('chmod u+w')")
    chown(path, 0, 0)
    mkdir(system.path("closed"), 0o700)
    let hidden = system.path("closed/file")
    #expect(try Execution.run(["cp", "/etc/hostname", hidden]).status == 0)
    try expectRefusal(": a directory in the path is not searchable", hidden)

    chmod(path, 0o000)
    let shown = try Execution.run(user + ["show", path])
    #expect(
      shown.errors
        == "docsource: \(path): cannot read document source: permission denied:"
        + " the file must be readable and its directories searchable\n")
    #expect(shown.status == 2)
  }

  @Test(.enabled(if: FileSystem.mayMount, "changing the user needs root"))
  func fileThatMayOnlyBeWrittenIsReplacedAndRemoved() throws {
    let system = try FileSystem(.tmpfs)
    let path = system.path("file")
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    #expect(try Docsource.tag(path).status == 0)
    chmod(path, 0o222)
    let binary = system.path("docsource")
    #expect(try Execution.run(["cp", Docsource.path, binary]).status == 0)
    let user = ["setpriv", "--reuid", "65534", "--clear-groups", binary]
    #expect(try Execution.run(user + ["remove", "-n", path]).text == "\(path): would remove\n")
    #expect(try Execution.run(user + ["tag", "--app-name", "x", path]).status == 2)
    #expect(
      try Execution.run(user + ["tag", "--replace", "--app-name", "x", path]).text
        == "\(path): tagged: x\n")
    #expect(try Docsource.run("show", "--field", "name", path).text == "x\n")
    #expect(try Execution.run(user + ["remove", path]).text == "\(path): removed\n")
  }

  @Test func fifo() throws {
    let directory = try TemporaryDirectory()
    mkfifo(directory.path("fifo"), 0o600)
    try Self.expectRefusal(
      directory.path("fifo"), "Linux stores user attributes only on regular files and directories")
    #expect(try Docsource.run("show", directory.path("fifo")).status == 1)
  }

  @Test func danglingLink() throws {
    let directory = try TemporaryDirectory()
    symlink("nowhere", directory.path("link"))
    try Self.expectRefusal(directory.path("link"), "the target of the symbolic link does not exist")
    #expect(
      try Docsource.run("show", directory.path("link")).errors
        == "docsource: \(directory.path("link")): cannot read document source:"
        + " the target of the symbolic link does not exist\n")
  }

  @Test func linkItself() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    symlink("file", directory.path("link"))
    try Self.expectRefusal(
      directory.path("link"), "Linux does not store user attributes on symbolic links",
      arguments: ["--no-dereference", "--app-name", "x"])
    #expect(try Docsource.run("tag", "--app-name", "x", directory.path("link")).status == 0)
    #expect(try Docsource.run("show", "--field", "name", path).text == "x\n")
  }

  @Test func missingFile() throws {
    let directory = try TemporaryDirectory()
    for verb in [["tag", "--app-name", "x"], ["show"], ["remove"]] {
      let path = directory.path("missing")
      let execution = try Execution.run([Docsource.path] + verb + [path])
      let operation = ["tag": "write", "show": "read", "remove": "remove"][verb[0]] ?? ""
      #expect(
        execution.errors
          == "docsource: \(path): cannot \(operation) document source:"
          + " no such file or directory\n")
      #expect(execution.status == 2)
    }
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func fileSystemWithoutUserAttributes() throws {
    let system = try FileSystem(.ramfs)
    let path = system.path("file")
    #expect(try Execution.run(["cp", "/etc/hostname", path]).status == 0)
    try Self.expectRefusal(path, "this file system does not store user attributes")
    let directory = try TemporaryDirectory()
    let other = try directory.file("other")
    let lack = "\(path): no document source"
    for (arguments, words) in [
      (["show", path], lack), (["show", "--raw", path], lack), (["show", "--xml", path], lack),
      (["show", "-q", path], nil), (["show", "-r", system.root], nil),
      (["copy", path, other], "\(lack); nothing was copied"), (["find", path], nil),
      (["export", "--root", system.root, path], "no document source found"),
      (["icon", "--offline", path], lack),
      (["trace", "--no-recent", path], "\(path): no mark of origin"),
    ] as [([String], String?)] {
      let execution = try Execution.run([Docsource.path] + arguments)
      #expect(execution.text == "", "\(arguments)")
      #expect(
        execution.errors == (words.map { "docsource: \($0)\n" } ?? ""), "\(arguments)")
      #expect(execution.status == 1, "\(arguments)")
    }
    let json = try Docsource.run("show", "--json", path)
    #expect(
      json.text == "{\"file\":\"\(path)\",\"source\":null,\"reason\":\"no document source\"}\n")
    #expect(json.errors == "")
    #expect(json.status == 1)
    // What is only looked for and not there stays as it is.
    for arguments in [
      ["strip", path], ["adopt", path], ["remove", path], ["remove", "-n", path],
    ] {
      let execution = try Execution.run([Docsource.path] + arguments)
      #expect(execution.text == "\(path): unchanged\n", "\(arguments)")
      #expect(execution.errors == "", "\(arguments)")
      #expect(execution.status == 0, "\(arguments)")
    }
    let quiet = try Docsource.run("remove", "-q", path)
    #expect(quiet.text == "" && quiet.errors == "" && quiet.status == 0)
    let chosen = try Docsource.run("tag", "--if-app-name", "*", "--app-name", "x", path)
    #expect(chosen.text == "" && chosen.errors == "")
    #expect(chosen.status == 0)
  }

  @Test func oneFailingFileDoesNotStopTheRest() throws {
    let directory = try TemporaryDirectory()
    let good = try directory.file("good")
    let execution = try Docsource.run(
      "tag", "--app-name", "x", directory.path("missing"), good)
    #expect(execution.text == "\(good): tagged: x\n")
    #expect(execution.status == 2)
  }
}

import Foundation
import TestSupport
import Testing

/// Files that `--output` names, which `plist encode`, `icon` and `export` write in the same way.
@Suite struct OutputFileTests {
  private static let old = "the old content, which is longer than the new one will be\n"

  /// Has `a.json`, and `out` with the old content.
  private static func place(in parent: String? = nil) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory(in: parent)
    try directory.file("a.json", "{}")
    try directory.file("out", old)
    return directory
  }

  private static func encoded(_ directory: TemporaryDirectory) throws -> [UInt8] {
    try Docsource.run("plist", "encode", "a.json", in: directory.root).output
  }

  @discardableResult
  private static func encode(
    _ output: String, _ directory: TemporaryDirectory
  ) throws -> Execution {
    let written = try Docsource.run("plist", "encode", "-o", output, "a.json", in: directory.root)
    #expect(written.text == "")
    #expect(written.errors == "")
    #expect(written.status == 0)
    return written
  }

  private static func inode(_ path: String) throws -> String {
    try Execution.run(["stat", "-c", "%i", path]).text
  }

  @Test(arguments: ["write", "/^rename"])
  func killedWriterLeavesTheOldFile(_ call: String) throws {
    let directory = try Self.place()
    for output in ["out", "new"] {
      let killed = try Execution.run(
        [
          "strace", "-f", "-qq", "-o", directory.path("trace"), "-e",
          "inject=\(call):signal=KILL:when=1", Docsource.path, "plist", "encode", "-o", output,
          "a.json",
        ], in: directory.root)
      #expect(killed.status == 128 + SIGKILL, "\(call)")
    }
    #expect(try directory.text("out") == Self.old)
    #expect(access(directory.path("new"), F_OK) != 0)
    try Self.encode("out", directory)
    #expect(try directory.bytes("out") == Self.encoded(directory))
  }

  @Test func readersOfTheOldFileReadItToItsEnd() throws {
    let directory = try Self.place()
    let read = try Execution.run(
      ["sh", "-c", "exec 3<out && \"$0\" plist encode -o out a.json && cat <&3", Docsource.path],
      in: directory.root)
    #expect(read.text == Self.old)
    #expect(read.errors == "")
    #expect(read.status == 0)
    #expect(try directory.bytes("out") == Self.encoded(directory))
    #expect(try Execution.run(["ls", "-A", directory.root]).text == "a.json\nout\n")
  }

  @Test func newFileHasTheModeThatTheMaskLeaves() throws {
    let directory = try Self.place()
    let script = "umask 027 && \"$0\" plist encode -o new a.json && stat -c %a new"
    let made = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    #expect(made.text == "640\n")
    #expect(made.errors == "")
    #expect(made.status == 0)
  }

  @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
  func replacedFileKeepsOwnerModeAndAttributes() throws {
    let directory = try Self.place(in: "/var/tmp/docsource-tests")
    let out = directory.path("out")
    // An access control list for user 1 of rw-, with the mask rw-.
    let list =
      "0x02000000" + "01000600ffffffff" + "0200060001000000" + "04000400ffffffff"
      + "10000600ffffffff" + "20000000ffffffff"
    for command in [
      ["chown", "65534:65533", out], ["chmod", "0660", out],
      ["setfattr", "-n", "user.kept", "-v", "x", out],
      ["setfattr", "-n", "system.posix_acl_access", "-v", list, out],
      // What new files get here, this one has not.
      ["setfattr", "-n", "system.posix_acl_default", "-v", list, directory.root],
      ["setfattr", "-n", "security.docsource", "-v", "y", out],
    ] { #expect(try Execution.run(command).status == 0) }
    let state = ["sh", "-c", "stat -c '%u %g %a' out && getfattr -d -m - -e hex out"]
    let before = try Execution.run(state, in: directory.root).text
    let inode = try Self.inode(out)
    try Self.encode("out", directory)
    #expect(try directory.bytes("out") == Self.encoded(directory))
    #expect(try Execution.run(state, in: directory.root).text == before)
    #expect(try Self.inode(out) != inode)
  }

  /// Replacing it would need more than the right to write it.
  @Test(.enabled(if: geteuid() == 0, "becoming another user needs root"))
  func fileInADirectoryThatMayNotBeWrittenIsWrittenInPlace() throws {
    let directory = try Self.place(in: "/var/tmp/docsource-tests")
    let out = directory.path("out")
    let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", Docsource.path]
    let command = user + ["plist", "encode", "-o", "out", "a.json"]
    chmod(directory.root, 0o755)
    #expect(try Execution.run(["chown", "65534:65534", out]).status == 0)
    let inode = try Self.inode(out)
    let written = try Execution.run(command, in: directory.root)
    #expect(written.errors == "")
    #expect(written.status == 0)
    #expect(try directory.bytes("out") == Self.encoded(directory))
    #expect(try Self.inode(out) == inode)

    // And the right to replace it is none to write it.
    #expect(try Execution.run(["chown", "65534:65534", directory.root]).status == 0)
    chmod(out, 0o444)
    try directory.file("a.json", "[]")
    let refused = try Execution.run(command, in: directory.root)
    #expect(refused.errors == "docsource: out: cannot write: permission denied\n")
    #expect(refused.status == 2)
    #expect(try Execution.run(["ls", "-A", directory.root]).text == "a.json\nout\n")
    #expect(try directory.bytes("out") != Self.encoded(directory))
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func fullDiskLeavesTheOldFileAndNoOther() throws {
    let system = try FileSystem(.tmpfs)
    let script = """
      mount -o remount,size=64k "$1" && cd "$1" && head -c 8192 /dev/zero >out &&
      head -c 40960 /dev/zero >filler && sha256sum out >../sum
      """
    #expect(try Execution.run(["sh", "-c", script, "sh", system.root]).status == 0)
    // Equal strings are stored once.
    let words = (0..<1000).map { "\"\($0) 0123456789abcdef\"" }
    let json = "[" + words.joined(separator: ",") + "]"
    for output in ["out", "new"] {
      let full = try Execution.run(
        [Docsource.path, "plist", "encode", "-o", output].map { Array($0.utf8) },
        in: system.root, input: Array(json.utf8))
      #expect(full.errors == "docsource: \(output): cannot write: no space left on device\n")
      #expect(full.status == 2)
    }
    let sum = ["sha256sum", "-c", "--quiet", "../sum"]
    #expect(try Execution.run(sum, in: system.root).status == 0)
    #expect(try Execution.run(["ls", "-A", system.root]).text == "filler\nout\n")
  }

  @Test func whatIsNoRegularFileIsWrittenTo() throws {
    let directory = try Self.place()
    let script = """
      mkfifo fifo && "$0" plist encode -o >(cat >read) a.json && wait $!
      "$0" plist encode -o /dev/stdout a.json >redirected
      { "$0" plist encode -o /dev/stdout a.json >fifo & } && cat fifo >through && wait $!
      ln -s nowhere link && "$0" plist encode -o link a.json && test -L link
      """
    let written = try Execution.run(["bash", "-ec", script, Docsource.path], in: directory.root)
    #expect(written.text == "")
    #expect(written.errors == "")
    #expect(written.status == 0)
    let encoded = try Self.encoded(directory)
    for name in ["read", "redirected", "through", "nowhere"] {
      #expect(try directory.bytes(name) == encoded, "\(name)")
    }
    #expect(try Execution.run(["test", "-p", directory.path("fifo")]).status == 0)
    let refused = try Docsource.run("plist", "encode", "-o", ".", "a.json", in: directory.root)
    #expect(refused.errors == "docsource: .: cannot write: is a directory\n")
    #expect(refused.status == 2)
  }

  /// Its reader may never come.
  @Test func namedPipeIsNotWaitedFor() throws {
    let directory = try Self.place()
    mkfifo(directory.path("fifo"), 0o600)
    symlink("fifo", directory.path("link"))
    let reader = open(directory.path("fifo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    for isRead in [true, false] {
      for name in ["fifo", "link"] {
        for words in [["plist", "encode", "a.json"], ["item", "make", "--text", "T"]] {
          let run = try Execution.run(
            [Docsource.path] + words + ["-o", name], in: directory.root)
          #expect(
            run.errors
              == "docsource: \(name): cannot write: a named pipe or a socket; use - to write to standard output\n"
          )
          #expect(run.status == 2 && run.text == "")
        }
      }
      if isRead { close(reader) }
    }
    for words in [["rule", "lint"], ["plist", "show"], ["plist", "encode"], ["import"]] {
      for name in ["fifo", "link"] {
        let run = try Execution.run([Docsource.path] + words + [name], in: directory.root)
        #expect(
          run.errors.hasPrefix(
            "docsource: \(name): cannot read: a named pipe; use - to read it as standard input\n"),
          "\(words) \(run.errors)")
        #expect(run.status == 2 && run.text == "")
      }
    }
    let script = """
      "$0" plist encode <(sleep 0.2; cat a.json) && { cat a.json >fifo & } && "$0" plist encode - <fifo
      { cat a.json >fifo & } && "$0" plist encode /dev/stdin <fifo
      cat a.json | "$0" plist encode /dev/fd/0
      """
    let encoded = try Execution.run(["bash", "-ec", script, Docsource.path], in: directory.root)
    #expect(encoded.errors == "" && encoded.status == 0)
    let usual = try Self.encoded(directory)
    #expect(encoded.output == usual + usual + usual + usual)
  }

  // Links that somebody else has planted

  /// A directory that anyone may write, as /tmp, with a link of another user's to a file of root's.
  private static func planted(_ target: String) throws -> TemporaryDirectory {
    let directory = try place(in: "/var/tmp/docsource-tests")
    let script = """
      chmod 755 . && mkdir shared && chmod 1777 shared && printf mine >mine && chmod 600 mine &&
      ln -s "$1" shared/link && chown -h 65534:65534 shared/link
      """
    let run = try Execution.run(["sh", "-c", script, "sh", target], in: directory.root)
    try #require(run.status == 0, "\(run.errors)")
    return directory
  }

  private static let protection = "/proc/sys/fs/protected_symlinks"

  @Test(.enabled(if: access(protection, W_OK) == 0, "protecting links needs root"))
  func plantedLinkIsNotFollowed() throws {
    let directory = try Self.planted("../mine")
    // Debian has it on; where it is off, it is on for this test.
    let before = try String(contentsOfFile: Self.protection, encoding: .utf8)
    try "1\n".write(toFile: Self.protection, atomically: false, encoding: .utf8)
    defer { try? before.write(toFile: Self.protection, atomically: false, encoding: .utf8) }
    let refused = try Docsource.run(
      "plist", "encode", "-o", "shared/link", "a.json", in: directory.root)
    #expect(refused.errors == "docsource: shared/link: cannot write: permission denied\n")
    #expect(refused.status == 2)
    #expect(try directory.text("mine") == "mine")
  }

  /// The link comes after the program has seen that nothing is there: strace says so once.
  @Test(.enabled(if: geteuid() == 0, "giving links away needs root"))
  func linkThatIsPlantedMeanwhileIsItselfReplaced() throws {
    let directory = try Self.planted("../mine")
    let link = directory.path("shared/link")
    let written = try Execution.run(
      [
        "strace", "-qq", "-o", "/dev/null", "-P", directory.path("shared"), "-e",
        "trace=newfstatat",
        "-e", "inject=newfstatat:error=ENOENT:when=1", Docsource.path, "plist", "encode",
        "-o", link, "a.json",
      ], in: directory.root)
    #expect(written.status == 0)
    #expect(try directory.text("mine") == "mine")
    #expect(
      try Execution.run(["stat", "-c", "%a", "mine"], in: directory.root).text == "600\n")
    #expect(try Execution.run(["stat", "-c", "%F", link]).text == "regular file\n")
    #expect(try directory.bytes("shared/link") == Self.encoded(directory))
  }

  /// Between any two looks at the path, its directory is exchanged for a link to another one.
  @Test(.enabled(if: geteuid() == 0, "giving files away needs root"))
  func fileOfADirectoryThatIsExchangedIsNotGivenAway() throws {
    let directory = try Self.place()
    let script = """
      mkdir theirs mine && printf theirs >theirs/out && chmod 666 theirs/out && chown -R 65534 theirs
      printf mine >mine/out && chmod 600 mine/out && ln -s "$PWD/mine" link
      """
    try #require(try Execution.run(["sh", "-ec", script], in: directory.root).status == 0)
    let exchanges = """
      import ctypes
      rename = ctypes.CDLL(None).renameat2
      while True: rename(-100, b'theirs', -100, b'link', 2)
      """
    let exchanging = try RunningProcess(
      ["python3", "-c", exchanges].map { Array($0.utf8) }, in: directory.root)
    defer {
      exchanging.kill(SIGKILL)
      _ = exchanging.wait()
    }
    for _ in 0..<300 {
      let written = try Docsource.run(
        "plist", "encode", "-o", "theirs/out", "a.json", in: directory.root)
      #expect(written.status == 0, "\(written.errors)")
      let rights = try Execution.run(["stat", "-c", "%u %a", "mine/out"], in: directory.root).text
      try #require(rights == "0 600\n")
    }
  }

  @Test func pathThatEndsWithASlashIsThatOfADirectory() throws {
    let directory = try Self.place()
    for path in ["new/", "out/"] {
      let refused = try Docsource.run("plist", "encode", "-o", path, "a.json", in: directory.root)
      #expect(refused.errors == "docsource: \(path): cannot write: is a directory\n")
      #expect(refused.status == 2)
    }
    #expect(try directory.text("out") == Self.old)
    #expect(access(directory.path("new"), F_OK) != 0)
  }

  /// ramfs cannot reserve room.
  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func fileIsWrittenInPlaceWhereNoRoomCanBeReserved() throws {
    let system = try FileSystem(.ramfs)
    let directory = try Self.place()
    try Self.old.write(toFile: system.path("out"), atomically: false, encoding: .utf8)
    try #require(link(system.path("out"), system.path("second")) == 0)
    try Self.encode(system.path("out"), directory)
    let content = try Data(contentsOf: URL(filePath: system.path("second")))
    #expect(try Array(content) == Self.encoded(directory))
  }

  @Test func linkToAnOpenFileOfTheProcessIsNotFollowed() throws {
    let directory = try Self.place()
    try #require(symlink("/proc/self/fd/1", directory.path("link")) == 0)
    let refused = try Docsource.run("plist", "encode", "-o", "link", "a.json", in: directory.root)
    #expect(
      refused.errors == "docsource: link: cannot write: too many levels of symbolic links\n")
    #expect(refused.text == "" && refused.status == 2)
    let standard = try Docsource.run(
      "plist", "encode", "-o", "/dev/stdout", "a.json", in: directory.root)
    #expect(try standard.output == Self.encoded(directory))
    #expect(standard.errors == "" && standard.status == 0)
  }

  // What killed processes leave

  @Test func leftoversOfADayAgoAreRemovedAndNothingElse() throws {
    let directory = try Self.place()
    let kept = [
      ".docsource-12-ab", ".docsource-12-ab-3", ".docsource-twelve-ab", ".docsource-",
      ".docsource-+4-+d", "docsource-1-a",
    ]
    for name in kept + [".docsource-99-1f", ".docsource-1-0123456789abcdef"] {
      try directory.file(name)
      #expect(try Execution.run(["touch", "-d", "25 hours ago", directory.path(name)]).status == 0)
    }
    let young = ["touch", "-d", "23 hours ago", kept[0]]
    #expect(try Execution.run(young, in: directory.root).status == 0)
    #expect(mkdir(directory.path(".docsource-2-2"), 0o755) == 0)
    #expect(symlink("a.json", directory.path(".docsource-3-3")) == 0)
    let command = ["touch", "-h", "-d", "25 hours ago", ".docsource-2-2", ".docsource-3-3"]
    #expect(try Execution.run(command, in: directory.root).status == 0)
    try Self.encode("out", directory)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.root).sorted()
        == (kept + [".docsource-2-2", ".docsource-3-3", "a.json", "out"]).sorted())
  }
}

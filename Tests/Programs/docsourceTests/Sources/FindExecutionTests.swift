import Foundation
import TestSupport
import Testing

/// Commands that `find` runs with what it finds.
@Suite struct FindExecutionTests {
  private static func tree(_ names: String...) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for name in names {
      let parts = name.split(separator: "/").dropLast()
      if !parts.isEmpty {
        try FileManager.default.createDirectory(
          atPath: directory.path(parts.joined(separator: "/")), withIntermediateDirectories: true)
      }
      try directory.file(name)
    }
    let tagged = try Docsource.run("tag", "-rq", "--app-name", "n", ".", in: directory.root)
    try #require(tagged.status == 0)
    return directory
  }

  private static func find(
    _ arguments: String..., in directory: TemporaryDirectory
  ) throws -> Execution {
    try Execution.run([Docsource.path, "find"] + arguments, in: directory.root)
  }

  @Test func placeholdersAreThoseOfFd() throws {
    let tree = try Self.tree("a/b.c.d", "e")
    let command = ["printf", "[%s]", "{}", "{/}", "{//}", "{.}", "{/.}", "x{}y", "{x}"]
    let found = try Execution.run(
      [Docsource.path, "find", "--sort", "-j1", "-x"] + command, in: tree.root)
    #expect(
      found.text == "[a/b.c.d][b.c.d][a][a/b.c][b.c][xa/b.c.dy][{x}]"
        + "[e][e][.][e][e][xey][{x}]")
    #expect(found.errors == "")
    #expect(found.status == 0)
  }

  @Test func withoutPlaceholderThePathIsLastAndACommandEndsAtASemicolon() throws {
    let tree = try Self.tree("a", "b c")
    #expect(try Self.find("-j1", "--sort", "-x", "echo", in: tree).text == "a\nb c\n")
    #expect(try Self.find("-x", "echo", "{}", ";", "a", in: tree).text == "a\n")
    #expect(try Self.find("--exec=echo", "-n", ";", "a", in: tree).text == "a")
    #expect(try Self.find("-xecho", ";", "a", in: tree).text == "a\n")
  }

  @Test func severalCommandsFollowEachOtherAsLongAsEachSucceeds() throws {
    let tree = try Self.tree("a", "b")
    let found = try Self.find(
      "--sort", "-j1", "-x", "echo", "1", ";", "-x", "sh", "-c", "test $0 = a && echo 2 $0", ";",
      "--exec", "echo", "3", "{}", in: tree)
    #expect(found.text == "1 a\n2 a\n3 a\n1 b\n")
    #expect(found.errors == "" && found.status == 2)
    let batches = try Self.find("--sort", "-X", "echo", "1", ";", "-X", "echo", "2", in: tree)
    #expect(batches.text == "1 a b\n2 a b\n")
    #expect(batches.errors == "" && batches.status == 0)
  }

  @Test func hostileNamesReachTheCommandWhole() throws {
    let tree = try Self.tree("-rf", "$(touch pwned)", "a\nb", "{}")
    let found = try Self.find("--sort", "-j1", "-x", "printf", "%s\\0", in: tree)
    #expect(found.output == Array("$(touch pwned)\0./-rf\0a\nb\0{}\0".utf8))
    #expect(found.status == 0)
  }

  @Test func whatSeveralCommandsWriteStaysTogether() throws {
    let tree = try Self.tree("a", "b", "c", "d", "e", "f", "g", "h")
    let command = "for i in 1 2 3; do echo $0.$i; echo $0.$i >&2; sleep 0.01; done"
    let found = try Self.find("-j4", "-x", "sh", "-c", command, "{}", in: tree)
    for text in [found.text, found.errors] {
      let lines = text.split(separator: "\n").map(String.init)
      #expect(lines.count == 24)
      for start in stride(from: 0, to: lines.count, by: 3) {
        let name = lines[start].prefix(1)
        #expect(
          lines[start..<min(start + 3, lines.count)] == ["\(name).1", "\(name).2", "\(name).3"])
      }
    }
    #expect(found.status == 0)
  }

  @Test func commandThatFailsIsStatus2AndTheRestIsRun() throws {
    let tree = try Self.tree("a", "b")
    let failed = try Self.find(
      "--sort", "-j1", "-x", "sh", "-c", "echo $0; [ $0 = b ]", "{}", in: tree)
    #expect(failed.text == "a\nb\n")
    #expect(failed.errors == "")
    #expect(failed.status == 2)
    #expect(try Self.find("-x", "sh", "-c", "kill -9 $$", in: tree).status == 2)
    #expect(try Self.find("-X", "false", in: tree).status == 2)
    #expect(try Self.find("--app-name", "other", "-X", "false", in: tree).status == 1)
  }

  @Test(arguments: ["-x", "-X"])
  func commandThatIsNotThereIsReportedOnce(_ option: String) throws {
    let tree = try Self.tree("a", "b")
    let failed = try Self.find(option, "/none/such", in: tree)
    #expect(failed.text == "")
    #expect(
      failed.errors == "docsource: /none/such: cannot start: no such file or directory\n")
    #expect(failed.status == 2)
  }

  @Test func batchTakesAllFilesThatFit() throws {
    let tree = try Self.tree("a", "b.c", "d/e")
    #expect(try Self.find("--sort", "-X", "echo", in: tree).text == "a b.c d/e\n")
    #expect(
      try Self.find("--sort", "-X", "echo", "<{/.}>", "end", in: tree).text == "<a> <b> <e> end\n")
  }

  /// A stack of 512 KiB leaves 128 KiB for arguments.
  @Test func batchIsSplitWhereACommandLineIsFull() throws {
    let directory = try TemporaryDirectory()
    let script = """
      i=0; while [ $i -lt 1500 ]; do i=$((i+1)); echo >"$i-$(printf %0200d $i)"; done
      "$0" tag -rq --app-name n . && ulimit -s 512 && "$0" find -X sh -c 'echo $#' sh
      """
    let found = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    let counts = found.text.split(separator: "\n").compactMap { Int($0) }
    #expect(counts.reduce(0, +) == 1500, "\(counts)")
    #expect(counts.count > 1, "\(counts)")
    #expect(found.errors == "")
    #expect(found.status == 0)
  }

  /// What a command writes would otherwise land in, or come from, a file that was opened for it.
  @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
  func closedStreamsOfTheCallerAreMistakenForNothing(_ closed: String) throws {
    let tree = try Self.tree("a", "b")
    let script = "ulimit -f 1000; timeout 20 \"$0\" find --sort -j2 -x echo \(closed)"
    let found = try Execution.run(["sh", "-c", script, Docsource.path], in: tree.root)
    let isWritable = !closed.contains(">&- ") && closed != ">&-"
    #expect(found.text.split(separator: "\n").sorted() == (isWritable ? ["a", "b"] : []))
    #expect(found.status == (isWritable ? 0 : 2))
    #expect(
      found.errors
        == (closed == ">&-"
          ? "docsource: cannot write to standard output: Bad file descriptor\n" : ""))
  }

  @Test(arguments: [["-x"], ["-j1", "-x"], ["-X"]])
  func endingsAreHeededThoughTheCallerIgnoresThem(_ options: [String]) throws {
    let tree = try Self.tree("a")
    let script = """
      import os, signal, sys
      signal.signal(signal.SIGCHLD, signal.SIG_IGN)
      os.execv(sys.argv[1], sys.argv[1:])
      """
    let run = ["python3", "-c", script, Docsource.path, "find"] + options
    let failed = try Execution.run(run + ["false"], in: tree.root)
    #expect(failed.text == "")
    #expect(failed.errors == "")
    #expect(failed.status == 2)
    let done = try Execution.run(run + ["echo"], in: tree.root)
    #expect(done.text == "a\n")
    #expect(done.errors == "")
    #expect(done.status == 0)
  }

  /// An argument may have 128 KiB; directories lie deeper than that.
  @Test(arguments: ["-x", "-X"])
  func pathThatIsTooLongForACommandDoesNotStopTheRest(_ option: String) throws {
    let directory = try TemporaryDirectory()
    let script = """
      import os
      def tagged(name):
          open(name, "w").close()
          os.setxattr(name, "user.x-document-source", value)
      import plistlib
      value = plistlib.dumps({"name": "n"}, fmt=plistlib.FMT_BINARY)
      for name in ["a", "z"]: tagged(name)
      for level in range(560):
          os.mkdir("d" * 250)
          os.chdir("d" * 250)
      tagged("leaf")
      """
    #expect(try Execution.run(["python3", "-c", script], in: directory.root).status == 0)
    let found = try Execution.run(
      [Docsource.path, "find", "--sort", "-j1", option, "printf", "%s\\n"], in: directory.root)
    #expect(found.text == "a\nz\n")
    #expect(found.errors.hasPrefix("docsource: ddd"))
    #expect(found.errors.hasSuffix("/leaf: cannot pass to printf: argument list too long\n"))
    #expect(found.status == 2)
    #expect(try Execution.run(["rm", "-rf", directory.root]).status == 0)
  }
}

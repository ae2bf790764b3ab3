import Foundation
import TestSupport
import Testing

/// Trusted and untrusted manifests, written to a tree.
@Suite struct ImportCommandTests {
  private static func run(
    _ arguments: String..., manifest: String, in directory: TemporaryDirectory
  ) throws -> Execution {
    try Execution.run(
      [Docsource.path, "import"] + arguments, in: directory.root, input: Array(manifest.utf8))
  }

  private static func value(_ path: String) throws -> [UInt8]? {
    let read = try Execution.run(
      ["getfattr", "-n", "user.x-document-source", "--only-values", path])
    return read.status == 0 ? read.output : nil
  }

  private static func manifest(_ sources: (path: String, name: String)...) -> String {
    sources.map { "{\"file\":\"\($0.path)\",\"source\":{\"name\":\"\($0.name)\"}}\n" }.joined()
  }

  @Test func differencesAreReportedAndWritten() throws {
    let directory = try TemporaryDirectory()
    for name in ["new", "other", "same"] { try directory.file(name) }
    for (path, name) in [("other", "old"), ("same", "s")] {
      let tagged = try Docsource.run("tag", "-q", "--app-name", name, path, in: directory.root)
      #expect(tagged.status == 0)
    }
    let set = ["setfattr", "-n", "user.mine", "-v", "m", directory.path("new")]
    #expect(try Execution.run(set).status == 0)
    try directory.file(
      ".x-document-source",
      Self.manifest(("missing", "m"), ("new", "n"), ("other", "o"), ("same", "s")))
    let dry = try Docsource.run("import", "--dry-run", in: directory.root)
    #expect(
      dry.text == """
        new: would add: n
        other: would change: old -> o

        """)
    let missing =
      "docsource: missing: cannot write document source: no such file or directory\n"
    let counts = "1 added, 1 changed, 1 unchanged, 1 missing\n"
    #expect(dry.errors == missing + "docsource: .x-document-source: dry run: \(counts)")
    #expect(dry.status == 2)
    #expect(try Self.value(directory.path("new")) == nil)

    let before = try FileState(directory.path("new"), except: ["user.x-document-source"])
    let imported = try Docsource.run("import", in: directory.root)
    #expect(
      imported.text == """
        new: added: n
        other: changed: old -> o

        """)
    #expect(imported.errors == missing + "docsource: .x-document-source: \(counts)")
    #expect(imported.status == 2)
    #expect(
      try FileState(directory.path("new"), except: ["user.x-document-source"]) == before)
    let verbose = try Docsource.run("import", "-v", in: directory.root)
    #expect(
      verbose.text == """
        new: unchanged: n
        other: unchanged: o
        same: unchanged: s

        """)
    #expect(
      verbose.errors == missing + "docsource: .x-document-source: 3 unchanged, 1 missing\n")
    let both = try Docsource.run("import", "-qv", in: directory.root)
    #expect(
      both.errors == "docsource: import: --quiet and --verbose cannot be combined;"
        + " see 'docsource help import'\n")
    #expect(both.status == 64)
    try directory.file("missing")
    let quiet = try Docsource.run("import", "-q", in: directory.root)
    #expect(quiet.text == "")
    #expect(quiet.errors == "")
    #expect(quiet.status == 0)
    let shown = try Docsource.run("show", "missing", "new", "other", in: directory.root)
    #expect(shown.text == "missing: m\nnew: n\nother: o\n")
  }

  @Test func eachEntryHasAnObject() throws {
    let directory = try TemporaryDirectory()
    for name in ["new", "other", "same"] { try directory.file(name) }
    for (path, name) in [("other", "old"), ("same", "s")] {
      let tagged = try Docsource.run("tag", "-q", "--app-name", name, path, in: directory.root)
      #expect(tagged.status == 0)
    }
    let manifest = Self.manifest(("missing", "m"), ("new", "n"), ("other", "o"), ("same", "s"))
    let error = "cannot write document source: no such file or directory"
    for dryRun in ["\"dryRun\":true,", ""] {
      let options = dryRun.isEmpty ? ["--json"] : ["--json", "-n"]
      let imported = try Execution.run(
        [Docsource.path, "import"] + options + ["-"], in: directory.root,
        input: Array(manifest.utf8))
      #expect(
        imported.text == """
          {"file":"missing","outcome":"missing",\(dryRun)"error":"\(error)"}
          {"file":"new","outcome":"added",\(dryRun)"source":{"name":"n"}}
          {"file":"other","outcome":"changed",\(dryRun)"source":{"name":"o"}}
          {"file":"same","outcome":"unchanged",\(dryRun)"source":{"name":"s"}}

          """)
      #expect(imported.errors.hasPrefix("docsource: missing: \(error)\n"))
      #expect(imported.status == 2)
    }
    let kept = try Self.run(
      "--json", "--keep-existing", "-", manifest: Self.manifest(("new", "x")) + "{\n",
      in: directory)
    let lines = kept.text.split(separator: "\n")
    #expect(lines.first == #"{"file":"new","outcome":"kept","source":{"name":"n"}}"#)
    let words = kept.errors.split(separator: "\n").first?.split(separator: ": ", maxSplits: 2).last
    #expect(
      lines.last.map(String.init)
        == #"{"file":"standard input","outcome":"failed","error":"\#(words ?? "")"}"#)
    #expect(lines.count == 2)
    #expect(kept.status == 2)
  }

  @Test func deviceWithoutEndIsNotRead() throws {
    let directory = try TemporaryDirectory()
    let reason = "cannot read: a device, which may have no end\n"
    let named = try Docsource.run("import", "/dev/zero", in: directory.root)
    #expect(named.errors == "docsource: /dev/zero: \(reason)")
    #expect(named.text == "" && named.status == 2)
    let input = try Execution.run(
      ["sh", "-c", "exec \"$0\" import - < /dev/zero", Docsource.path], in: directory.root)
    #expect(input.errors == "docsource: standard input: \(reason)")
    #expect(input.text == "" && input.status == 2)
    let shown = try Docsource.run("plist", "show", "/dev/zero", in: directory.root)
    #expect(shown.errors == "docsource: /dev/zero: \(reason)")
    let none = try Docsource.run("import", "/dev/null", in: directory.root)
    #expect(none.errors == "docsource: /dev/null: no entries\n" && none.status == 0)
  }

  @Test func existingSourcesAreKeptOnRequest() throws {
    let directory = try TemporaryDirectory()
    for name in ["has", "empty", "has-not"] { try directory.file(name) }
    #expect(
      try Docsource.run("tag", "-q", "--app-name", "old", "has", in: directory.root).status == 0)
    let set = ["setfattr", "-n", "user.x-document-source", directory.path("empty")]
    #expect(try Execution.run(set).status == 0)
    let imported = try Self.run(
      "--keep-existing", "-",
      manifest: Self.manifest(("empty", "e"), ("has", "h"), ("has-not", "n")),
      in: directory)
    #expect(
      imported.text == """
        empty: changed: 0 bytes without a source -> e
        has: kept: old
        has-not: added: n

        """)
    #expect(imported.errors == "docsource: standard input: 1 added, 1 changed, 1 kept\n")
    #expect(imported.status == 0)
  }

  @Test func laterOfTwoValuesStaysAndValuesAreWrittenWhateverTheyHold() throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] { try directory.file(name) }
    let text = Self.manifest(("a", "1"), ("a", "2")) + "{\"file\":\"b\",\"value\":\"AQI=\"}\n"
    let imported = try Self.run("-", manifest: text, in: directory)
    #expect(
      imported.text == "a: added: 1\na: changed: 1 -> 2\nb: added: 2 bytes without a source\n")
    #expect(imported.errors == "docsource: standard input: 2 added, 1 changed\n")
    #expect(try Self.value(directory.path("b")) == [1, 2])
  }

  @Test func nothingOutsideOfTheTreeIsTouched() throws {
    let directory = try TemporaryDirectory()
    let script = """
      mkdir -p tree/dir outside && touch outside/f tree/dir/f f && mkfifo tree/fifo &&
      ln -s ../outside tree/link && ln -s ../outside/f tree/file && ln -s dir tree/inner &&
      ln -s /dev/null tree/null
      """
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    let link = "a directory in the path is a symbolic link, which docsource does not follow"
    let upwards = "the path contains '..'; use --allow-outside to accept this path"
    let refused = [
      ("../f", "../f", upwards), ("dir/../../f", "dir/../../f", upwards),
      (
        directory.path("f"), directory.path("f"),
        "the path is absolute; use --allow-outside to accept this path"
      ),
      ("", "", "the path is empty"), ("link/f", "link/f", link), ("inner/f", "inner/f", link),
      ("file", "file", "the file is a symbolic link, which docsource does not follow"),
      ("null", "null", "the file is a symbolic link, which docsource does not follow"),
      ("fifo", "fifo", "Linux stores user attributes only on regular files and directories"),
      ("dir/f/g", "dir/f/g", "not a directory"),
      (
        "x\\u202e\\n\\u001b[31m", "x\\u{202e}\\n\\x1b[31m", "no such file or directory"
      ),
    ]
    var text = ""
    for (path, _, _) in refused { text += Self.manifest((path, "x")) }
    text += Self.manifest(("dir", "d"), ("./dir//f", "f"), (".", "r"))
    let imported = try Execution.run(
      [Docsource.path, "import", "-"], in: directory.path("tree"), input: Array(text.utf8))
    #expect(imported.text == "dir: added: d\n./dir//f: added: f\n.: added: r\n")
    #expect(
      imported.errors
        == refused.map { "docsource: \($0.1): cannot write document source: \($0.2)\n" }.joined()
        + "docsource: standard input: 3 added, 1 missing, 10 failed\n")
    #expect(imported.status == 2)
    for path in ["f", "outside/f", "outside"] {
      #expect(try Self.value(directory.path(path)) == nil)
    }
    #expect(try Docsource.run("show", directory.path("tree/dir/f")).status == 0)
  }

  @Test func outsideIsReachedWhereItIsWanted() throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] { try directory.file(name) }
    mkdir(directory.path("tree"), 0o755)
    let imported = try Self.run(
      "--allow-outside", "--root", "tree", "-",
      manifest: Self.manifest(("../a", "1"), (directory.path("b"), "2")), in: directory)
    #expect(imported.text == "tree/../a: added: 1\n\(directory.path("b")): added: 2\n")
    #expect(imported.errors == "docsource: standard input: 2 added\n")
    #expect(imported.status == 0)
  }

  @Test func deviceIsRefused() throws {
    let imported = try Execution.run(
      [Docsource.path, "import", "--root", "/dev", "-"],
      input: Array(Self.manifest(("null", "x")).utf8))
    #expect(
      imported.errors == """
        docsource: /dev/null: cannot write document source: \
        Linux stores user attributes only on regular files and directories
        docsource: standard input: 1 failed

        """)
  }

  @Test func sambasFormIsKeptInStep() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    let stream = "user.DosStream.x-document-source:$DATA"
    #expect(try Execution.run(["setfattr", "-n", stream, "-v", "0x4100", path]).status == 0)
    let text = "{\"file\":\"f\",\"value\":\"AQI=\"}\n"
    #expect(try Self.run("-q", "-", manifest: text, in: directory).status == 0)
    #expect(try Self.value(path) == [1, 2])
    #expect(
      try Execution.run(["getfattr", "-n", stream, "--only-values", path]).output == [1, 2, 0])
    let again = try Self.run("-v", "-", manifest: text, in: directory)
    #expect(again.text == "f: unchanged: 2 bytes without a source\n")
  }

  @Test func flawsAreReportedByLineAndTheRestIsDone() throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] { try directory.file(name) }
    let text =
      Self.manifest(("a", "x"))
      + "<<<<<<< HEAD\n{\"file\":\"\u{1b}[31m\",\"source\":{\"\\u202e\":1}}\n"
      + "{\"file\":\"b\",\"source\":{\"appInfoURL\":\"http://a.b/\"}}\n" + Self.manifest(("b", "y"))
    let imported = try Self.run("-", manifest: text, in: directory)
    #expect(imported.text == "a: added: x\nb: added: y\n")
    let lead = "docsource: standard input:"
    #expect(
      imported.errors == """
        \(lead) line 2: not a JSON object: '[' or '{' expected near '<' (column 1)
        \(lead) line 3: not a JSON object: control character 0x1b near '"' (column 9)
        \(lead) line 4: "appInfoURL" cannot be written: the scheme 'http' is not https; \
        use --insecure-url to allow other schemes
        \(lead) 2 added, 3 failed

        """)
    #expect(imported.status == 2)
    let insecure = try Self.run("--insecure-url", "-q", "-", manifest: text, in: directory)
    #expect(insecure.errors.split(separator: "\n").count == 2)
  }

  @Test func whatIsNoManifestIsLeftAfterAHundredFlaws() throws {
    let directory = try TemporaryDirectory()
    let imported = try Self.run(
      "-", manifest: String(repeating: "{\n", count: 100_000), in: directory)
    let lines = imported.errors.split(separator: "\n")
    #expect(lines.count == 102)
    #expect(
      lines.suffix(2) == [
        "docsource: standard input: 100 lines cannot be read; the rest is skipped",
        "docsource: standard input: 100 failed",
      ])
  }

  @Test func manifestOfTheRootIsFoundAndNoLinkIsTakenForIt() throws {
    let directory = try TemporaryDirectory()
    mkdir(directory.path("tree"), 0o755)
    try directory.file("tree/f")
    let none = try Docsource.run("import", "--root", "tree", in: directory.root)
    #expect(
      none.errors == """
        docsource: tree/.x-document-source: cannot read: no such file or directory
        docsource: import: give a manifest, or - for standard input

        """)
    #expect(none.status == 2)
    symlink("/dev/zero", directory.path("tree/.x-document-source"))
    let link = try Docsource.run("import", "--root", "tree", in: directory.root)
    #expect(
      link.errors.hasPrefix("docsource: tree/.x-document-source: cannot read: too many levels of"))
    unlink(directory.path("tree/.x-document-source"))
    mkfifo(directory.path("tree/.x-document-source"), 0o644)
    let fifo = try Docsource.run("import", "--root", "tree", in: directory.root)
    #expect(
      fifo.errors.hasPrefix(
        "docsource: tree/.x-document-source: cannot read: not a regular file\n"))
    unlink(directory.path("tree/.x-document-source"))
    try directory.file("tree/.x-document-source", Self.manifest(("f", "x")))
    let found = try Docsource.run("import", "--root", "tree", in: directory.root)
    #expect(found.text == "tree/f: added: x\n")
    #expect(found.status == 0)
    try directory.file("empty", "")
    let empty = try Docsource.run("import", "empty", in: directory.root)
    #expect(empty.errors == "docsource: empty: no entries\n")
    #expect(empty.status == 0)
    let itself = try Docsource.run("import", "tree", in: directory.root)
    #expect(itself.errors.hasPrefix("docsource: tree: line 1: cannot read: is a directory\n"))
  }

  @Test(arguments: [
    (["a", "b"], "give only one manifest"),
    (
      ["--root", "/nonexistent"],
      "--root: '/nonexistent' cannot be opened: no such file or directory"
    ),
  ])
  func commandLineThatMakesNoSenseIsRefused(_ arguments: [String], _ message: String) throws {
    let imported = try Execution.run([Docsource.path, "import"] + arguments)
    #expect(imported.errors == "docsource: import: \(message); see 'docsource help import'\n")
    #expect(imported.status == 64)
  }

  @Test func killedImportLeavesEachFileOldOrNew() throws {
    let directory = try TemporaryDirectory()
    let old = "old" + String(repeating: "o", count: 900)
    let new = "new" + String(repeating: "n", count: 700)
    let script = "mkdir tree && cd tree && seq 3000 | xargs touch"
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    for name in [old, new] {
      #expect(
        try Docsource.run("tag", "-rq", "--app-name", name, "tree", in: directory.root).status == 0)
      let kept = "manifest-\(name.prefix(3))"
      #expect(try Docsource.run("export", "-o", kept, "tree", in: directory.root).status == 0)
    }
    var delays = KillDelays(longest: 60_000, "ImportCommandTests")
    while delays.goesOn {
      let name = delays.round.isMultiple(of: 2) ? "old" : "new"
      let arguments = [Docsource.path, "import", "-q", "--root", "tree", "manifest-\(name)"]
      let process = try RunningProcess(arguments.map { Array($0.utf8) }, in: directory.root)
      let status = delays.kill(process)
      #expect([0, 128 + SIGKILL].contains(status))
      let names = try Docsource.run("show", "-r", "--field", "name", "tree", in: directory.root)
      #expect(names.status == 0)
      #expect(names.errors == "")
      let values = names.text.split(separator: "\n")
      #expect(values.count == 3000)
      #expect(Set(values).isSubset(of: [old[...], new[...]]))
      delays.learn(status, isMidway: Set(values).count == 2)
    }
    #expect(delays.stoppedMidway > 0, "no run was killed midway")
  }

  /// `show --json` lists files without a source too.
  @Test func filesThatHadNoSourceArePassedOver() throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] { try directory.file(name) }
    #expect(try Docsource.run("tag", "-q", "--app-name", "n", "a", in: directory.root).status == 0)
    let shown = try Docsource.run("show", "--json", "b", "a", in: directory.root)
    #expect(shown.text.contains("\"source\":null"))
    #expect(shown.status == 1)
    #expect(try Docsource.run("remove", "-q", "a", in: directory.root).status == 0)
    let imported = try Self.run("-", manifest: shown.text, in: directory)
    #expect(imported.text == "a: added: n\n")
    #expect(imported.errors == "docsource: standard input: 1 added\n")
    #expect(imported.status == 0)
  }

  @Test(.enabled(if: FileSystem.mayMount, "changing the user needs root"))
  func rootNeedNotBeListed() throws {
    let system = try FileSystem(.tmpfs)
    let script = """
      cd "$1" && mkdir tree && touch tree/f && chmod 666 tree/f && chmod 711 tree &&
      cp "$0" docsource
      """
    #expect(try Execution.run(["sh", "-c", script, Docsource.path, system.root]).status == 0)
    let imported = try Execution.run(
      [
        "setpriv", "--reuid", "nobody", "--clear-groups", "./docsource", "import", "--root", "tree",
        "-",
      ], in: system.root, input: Array(Self.manifest(("f", "n")).utf8))
    #expect(imported.text == "tree/f: added: n\n")
    #expect(imported.errors == "docsource: standard input: 1 added\n")
    #expect(imported.status == 0)
  }

  @Test func closedStandardInputIsNotTakenForTheRoot() throws {
    let directory = try TemporaryDirectory()
    let imported = try Execution.run(
      ["sh", "-c", "\"$0\" import -q - <&-", Docsource.path], in: directory.root)
    #expect(
      imported.errors == "docsource: standard input: line 1: cannot read: bad file descriptor\n")
    #expect(imported.status == 2)
  }

  /// Enough lines for several threads. Two names lead to the file that the lines in the middle are
  /// for, so that these must not overtake each other.
  @Test func manyLinesAreDoneAndReportedInTheirOrder() throws {
    let directory = try TemporaryDirectory()
    let count = 3000
    for number in 0..<count { try directory.file("f\(number)") }
    let link = ["ln", directory.path("f1500"), directory.path("name")]
    #expect(try Execution.run(link).status == 0)
    var lines: [(path: String, name: String)] = (0..<count).map { ("f\($0)", "n\($0)") }
    for number in 0..<40 {
      lines.insert((number % 2 == 0 ? "./f1500" : "name", "o\(number)"), at: 1400 + 7 * number)
    }
    for position in stride(from: 100, to: lines.count, by: 100) {
      lines[position].path = "missing\(position)"
    }
    var output = ""
    var reported: [String] = []
    var former: [String: String] = [:]
    for line in lines {
      if line.path.hasPrefix("missing") {
        reported.append(
          "docsource: \(line.path): cannot write document source: no such file or directory")
      } else {
        let file = ["name", "./f1500"].contains(line.path) ? "f1500" : line.path
        let verb = former[file].map { "changed: \($0) -> \(line.name)" } ?? "added: \(line.name)"
        output += "\(line.path): \(verb)\n"
        former[file] = line.name
      }
    }
    let manifest = lines.map { Self.manifest($0) }.joined()
    let imported = try Self.run("-", manifest: manifest, in: directory)
    #expect(imported.text == output)
    let words: [String] = imported.errors.split(separator: "\n").map(String.init)
    #expect(Array(words.dropLast()) == reported)
    #expect(imported.status == 2)
    let shown = try Docsource.run("show", "-f", "name", "f1500", in: directory.root)
    #expect(shown.text == (former["f1500"] ?? "") + "\n")
  }

  /// Two threads have 16 lines each at a time. Where the one's end and the other's begin, both name the same
  /// files, so that a later line is written before an earlier one, as it may where nothing is said of them.
  @Test(arguments: 0..<16)
  func laterLineStaysWhereItWasWrittenFirst(_ position: Int) throws {
    let own = (0..<32 + position).map { "f\($0)" }
    let links = own.suffix(8).reversed().map { (name: "l\($0)", target: $0) }
    let others = (0..<40).map { "g\($0)" }
    let manifest = (own + links.map(\.name) + others).enumerated().map { number, name in
      let beginning = "{\"file\":\"\(name)\",\"source\":{\"name\":\""
      let end = "\(number)\"}}\n"
      let length = beginning.utf8.count + end.utf8.count
      return beginning + String(repeating: "n", count: 2048 - length) + end
    }.joined()
    func imported(_ options: String...) throws -> String {
      let directory = try TemporaryDirectory()
      try directory.file("manifest", manifest)
      for name in own + others { try directory.file("tree/\(name)") }
      for link in links {
        #expect(
          Glibc.link(directory.path("tree/\(link.target)"), directory.path("tree/\(link.name)"))
            == 0)
      }
      let command = [Docsource.path, "import"] + options + ["--root", "tree", "manifest"]
      #expect(try Execution.run(command, in: directory.root).status == 0)
      return try Docsource.run("export", "tree", in: directory.root).text
    }
    let expected = try imported()
    for _ in 0..<8 { #expect(try imported("-q") == expected) }
  }

  /// Lines that come one by one are written as they come; whether the second is the last decides how many
  /// threads there are.
  @Test func linesAreWrittenWhileTheManifestGrows() throws {
    let directory = try TemporaryDirectory()
    let script = """
      import array, fcntl, os, subprocess, sys, termios, time
      def wait(is_met):
          for _ in range(10000):
              if is_met(): return
              time.sleep(0.002)
          sys.exit("line %d" % number)
      def is_read():
          left = array.array("i", [0])
          fcntl.ioctl(process.stdin, termios.FIONREAD, left)
          return left[0] == 0
      process = subprocess.Popen([sys.argv[1], "import", "-q", "-"], stdin=subprocess.PIPE)
      for number in range(12):
          os.mknod("f%d" % number)
          os.write(process.stdin.fileno(), b'{"file":"f%d","source":{"name":"n"}}\\n' % number)
          wait(is_read)
          if number > 0: wait(lambda: os.listxattr("f%d" % number) == ["user.x-document-source"])
      process.communicate()
      print(process.returncode, os.listxattr("f0"))
      """
    let run = try Execution.run(
      ["python3", "-c", script, Docsource.path], in: directory.root)
    #expect(run.text == "0 ['user.x-document-source']\n")
    #expect(run.errors == "")
  }

  /// Also after lines that other threads may have reached.
  @Test func nothingIsWrittenAfterTheHundredthFlaw() throws {
    let directory = try TemporaryDirectory()
    for name in ["before", "after"] { try directory.file(name) }
    let flaws = String(repeating: "{}\n", count: 100)
    let many = String(repeating: Self.manifest(("before", "b")), count: 500)
    let manifest = many + flaws + Self.manifest(("after", "b")) + many
    let imported = try Self.run("-q", "-", manifest: manifest, in: directory)
    #expect(imported.status == 2)
    #expect(
      imported.errors.split(separator: "\n").last
        == "docsource: standard input: 100 lines cannot be read; the rest is skipped")
    #expect(imported.errors.split(separator: "\n").count == 101)
    #expect(try Self.value(directory.path("before")) != nil)
    #expect(try Self.value(directory.path("after")) == nil)
  }
}

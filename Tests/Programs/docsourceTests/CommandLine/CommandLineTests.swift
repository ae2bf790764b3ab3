import Foundation
import TestSupport
import Testing

/// Options, operands and what they do, through the built tool.
@Suite struct CommandLineTests {
  @Test(arguments: [
    ([], "no verb given; see 'docsource --help'"),
    (["shwo"], "unknown verb 'shwo'; did you mean 'show'?"),
    (["xyzzy"], "unknown verb 'xyzzy'; 'docsource help --all' lists all verbs"),
    (
      ["--name", "x"], "unknown option '--name'; options go after the verb; see 'docsource --help'"
    ),
    (["ls"], "unknown verb 'ls'; did you mean 'find'?"),
    (["rm", "f"], "unknown verb 'rm'; did you mean 'remove'?"),
    (["get", "f"], "unknown verb 'get'; did you mean 'show'?"),
    (["set", "f"], "unknown verb 'set'; did you mean 'tag'?"),
    (["untag", "f"], "unknown verb 'untag'; did you mean 'remove'?"),
    (["delete", "f"], "unknown verb 'delete'; did you mean 'remove'?"),
    (["info", "f"], "unknown verb 'info'; did you mean 'show'?"),
    (["search", "f"], "unknown verb 'search'; did you mean 'find'?"),
    (["help", "cp"], "help: unknown verb 'cp'; did you mean 'copy'?"),
    (["icon", "trust", "rm", "h"], "unknown verb 'rm'; did you mean 'remove'?"),
    (["apps", "ls"], "apps: unknown verb 'ls'; did you mean 'list'?"),
    (["apps", "rm", "x"], "apps: unknown verb 'rm'; did you mean 'remove'?"),
    (["version"], "unknown verb 'version'; did you mean '--version'?"),
    (["--vers"], "unknown option '--vers'; did you mean '--version'?"),
    (["show"], "show: no file given; see 'docsource help show'"),
    (
      ["show", "--feild=name", "f"],
      "show: unknown option '--feild'; did you mean '--field'?"
    ),
    (
      ["show", "--field=nome", "f"],
      "show: --field: invalid value 'nome'; did you mean 'name'?"
    ),
    (
      ["show", "--json", "--raw", "f"],
      "show: --json and --raw cannot be combined; see 'docsource help show'"
    ),
    (
      ["show", "--raw", "f", "g"], "show: --xml and --raw take one file; see 'docsource help show'"
    ),
    (
      ["tag", "f"],
      "tag: nothing to write: give --app, --identifier, --app-name, --document or --app-info-url;"
        + " see 'docsource help tag'"
    ),
    (["tag", "--app-name", "x"], "tag: no file given; see 'docsource help tag'"),
    (
      ["tag", "--document", "a", "--root", ".", "f"],
      "tag: --document and --root cannot be combined; see 'docsource help tag'"
    ),
    (
      ["tag", "--root", "/nonexistent", "f"],
      "tag: --root: '/nonexistent' is not an accessible directory;"
        + " see 'docsource help tag'"
    ),
    (
      ["tag", "--app-info-url", "http://example.com/", "f"],
      "tag: --app-info-url: the scheme 'http' is not https; use --insecure-url to allow"
        + " other schemes;"
        + " see 'docsource help tag'"
    ),
    (
      ["tag", "--app-info-url", "appInfo.json", "f"],
      "tag: --app-info-url: it is not an absolute URL like https://example.com/appInfo.json;"
        + " see 'docsource help tag'"
    ),
    (["help", "xyzzy"], "help: unknown verb 'xyzzy'; 'docsource help --all' lists all verbs"),
    (
      ["help", "--all", "tag"],
      "help: --all cannot be combined with anything else; see 'docsource help help'"
    ),
    (
      ["help", "apps", "xyzzy"], "help: unknown verb 'xyzzy'; see 'docsource apps --help'"
    ),
    (["help", "tga"], "help: unknown verb 'tga'; did you mean 'tag'?"),
    (
      ["help", "tag", "show"],
      "help: unknown verb 'show'; 'docsource tag' has no verbs of its own;"
        + " see 'docsource help help'"
    ),
  ])
  func wrongCommandLineIsStatus64WithOneLine(_ arguments: [String], _ message: String) throws {
    let execution = try Execution.run([Docsource.path] + arguments)
    #expect(execution.text == "")
    #expect(execution.errors == "docsource: \(message)\n")
    #expect(execution.status == 64)
  }

  @Test func helpIsTheSameHoweverItIsAskedFor() throws {
    #expect(try Docsource.run("--help").output == Docsource.run("help").output)
    for verb in [
      "tag", "show", "remove", "copy", "find", "export", "import", "trace", "icon", "apps",
      "doctor", "help",
    ] {
      let help = try Docsource.run("help", verb)
      #expect(try Docsource.run(verb, "--help").output == help.output)
      #expect(help.status == 0)
      #expect(help.errors == "")
      let lines = help.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(verb)")
      // One screen, not counting filters and examples.
      #expect(lines.prefix { $0 != "Filters:" }.count <= 31, "\(verb)")
      #expect(lines.count <= 48, "\(verb)")
      #expect(lines.suffix(4).first == "Examples:", "\(verb)")
    }
  }

  @Test func helpDescribesFilters() throws {
    let help = try Docsource.run("help", "tag").text
    for line in [
      "      --untagged            select files without a document source",
      "      --if-identifier=GLOB  select files whose current identifier matches",
      "  -t, --type=TYPE           select only files or only directories: f, d",
    ] {
      #expect(help.contains("\n\(line)\n"), "\(line)")
    }
  }

  @Test func optionForFewStandsOnThePageOnly() throws {
    #expect(!(try Docsource.run("help", "find").text.contains("--samba")))
    #expect(try RenderedPage("docsource-find.1").text(below: "OPTIONS").contains("--samba"))
  }

  @Test func helpOfVerbsBelowAVerbIsTheSameHoweverItIsAskedFor() throws {
    for words in [
      ["icon"], ["icon", "trust"], ["icon", "trust", "add"], ["plist", "show"], ["apps", "list"],
      ["apps", "show"], ["apps", "add"], ["apps", "remove"],
    ] {
      let help = try Execution.run([Docsource.path, "help"] + words)
      #expect(try Execution.run([Docsource.path] + words + ["--help"]).output == help.output)
      #expect(help.status == 0)
      #expect(help.errors == "")
      let lines = help.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(words)")
      #expect(lines.suffix(4).first == "Examples:", "\(words)")
    }
    let icon = try Docsource.run("help", "icon").text
    #expect(icon.contains("\nUsage: docsource icon [OPTIONS] FILE|ID|URL...\n"))
    #expect(icon.contains("\nVerbs:\n  trust  manage the list of trusted hosts\n"))
  }

  @Test func versionIsPrinted() throws {
    #expect(try Docsource.run("--version").text == "docsource 0.1.0\n")
  }

  @Test func taggingAgainChangesOnlyWhatIsGiven() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    #expect(
      try Docsource.run("tag", "-i", "a.b", "--app-name", "One", "-p", "x/y", path).status == 0)
    #expect(try Docsource.run("tag", "--app-name", "Two", path).status == 0)
    #expect(
      try Docsource.run("show", "--json", path).text
        == "{\"file\":\"\(path)\",\"source\":{\"identifier\":\"a.b\",\"name\":\"Two\","
        + "\"path\":\"x/y\"},\"carrier\":\"user.x-document-source\"}\n")
    #expect(try Docsource.run("tag", "--app-name=", path).status == 0)
    #expect(try Docsource.run("show", "--field", "name", path).status == 1)
    #expect(try Docsource.run("tag", "--replace", "--app-name", "Three", path).status == 0)
    #expect(
      try Docsource.run("show", "--json", path).text
        == "{\"file\":\"\(path)\",\"source\":{\"name\":\"Three\"},"
        + "\"carrier\":\"user.x-document-source\"}\n")
    let emptied = try Docsource.run("tag", "--app-name=", path)
    #expect(
      emptied.errors
        == "docsource: \(path): cannot write document source: at least one field must remain;"
        + " use 'docsource remove' to remove the attribute\n")
    #expect(emptied.status == 2)
  }

  @Test func keysThatAreNotOursAreKeptOnRewrite() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    let script = """
      import os, plistlib, sys
      value = {'z': [1, {'a': b'x'}], 'name': 'Old', 'uid': plistlib.UID(7), 'path': 5}
      if sys.argv[2] == 'write':
          os.setxattr(sys.argv[1], 'user.x-document-source',
                      plistlib.dumps(value, fmt=plistlib.FMT_BINARY))
      else:
          value['name'] = 'New'
          sys.exit(plistlib.loads(os.getxattr(sys.argv[1], 'user.x-document-source')) != value)
      """
    #expect(try Execution.run(["python3", "-c", script, path, "write"]).status == 0)
    #expect(try Docsource.run("tag", "--app-name", "New", path).status == 0)
    #expect(try Execution.run(["python3", "-c", script, path, "check"]).status == 0)
  }

  @Test func dryRunSaysWhatItWouldDoAndDoesNothing() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    let before = try FileState(path)
    let tagged = try Docsource.run("tag", "-n", "--app-name", "x", path)
    #expect(tagged.text == "\(path): would tag: x\n")
    #expect(tagged.status == 0)
    #expect(try FileState(path) == before)
    #expect(try Docsource.run("tag", "--app-name", "x", path).status == 0)
    let removed = try Docsource.run("remove", "--dry-run", path)
    #expect(removed.text == "\(path): would remove\n")
    #expect(removed.status == 0)
    #expect(try Docsource.run("show", "--field=name", path).text == "x\n")
  }

  @Test func severalFilesPrintALineEach() throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b", "c"] { try directory.file(name) }
    #expect(try Docsource.run("tag", "-qi", "a.b", "a", "c", in: directory.root).text == "")
    let shown = try Docsource.run("show", "a", "b", "c", in: directory.root)
    #expect(shown.text == "a: a.b\nc: a.b\n")
    #expect(shown.errors == "docsource: b: no document source\n")
    #expect(shown.status == 1)
    let fields = try Docsource.run(
      "show", "-0", "--field", "identifier", "a", "c", in: directory.root)
    #expect(fields.output == Array("a.b\0a.b\0".utf8))
  }

  @Test func otherMarksOfAFileWithoutASourceAreHintedAt() throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b", "c"] { try directory.file(name) }
    let script = """
      setfattr -n user.xdg.origin.url -v https://example.com/a a &&
      setfattr -n user.x-document-source b &&
      setfattr -n user.xdg.origin.url -v https://example.com/c c && "$0" tag -q --app-name x c
      """
    #expect(
      try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root).status == 0)
    let shown = try Docsource.run("show", "a", "b", "c", in: directory.root)
    #expect(shown.text == "c: x\n")
    #expect(
      shown.errors == """
        docsource: a: no document source; 'docsource trace' shows its other marks
        docsource: b: no document source: the attribute is empty

        """)
    #expect(shown.status == 1)
    let found = try Docsource.run("find", "a", "b", "c", in: directory.root)
    #expect(found.text == "c\n")
    #expect(
      found.errors == "docsource: a: no document source; 'docsource trace' shows its other marks\n")
    #expect(found.status == 0)
    for arguments in [
      ["show", "--json", "a"], ["show", "-q", "a"], ["show", "-r", "."], ["find", "."],
      ["find", "--app-name", "y", "a"], ["find", "--untagged", "a"], ["find", "-0", "a"],
      ["find", "--count", "a"],
    ] {
      let silent = try Execution.run([Docsource.path] + arguments, in: directory.root)
      #expect(silent.errors == "", "\(arguments)")
    }
  }

  /// An untrusted name is not read as several values, or as words of this program.
  @Test(arguments: [
    (["--app-name=no document source"], #""no document source""#),
    (
      ["--app-name=No document source: the attribute is empty"],
      #""No document source: the attribute is empty""#
    ),
    (["--app-name=untagged"], #""untagged""#),
    (["--app-name=2 bytes without a source"], #""2 bytes without a source""#),
    (
      ["--app-name=Editor (com.apple.Pages), a", "-i", "org.evil"],
      #""Editor (com.apple.Pages), a" (org.evil)"#
    ),
    (["--app-name=Say \"x\"", "-p", "a -> b"], #""Say \"x\"", "a -> b""#),
    (["--app-name=x\u{1b}[2J"], #""x\x1b[2J""#), (["--app-name=Chess: Two"], #""Chess: Two""#),
    (
      ["--app-name=x", "-p", "a, with differences not shown"],
      #"x, "a, with differences not shown""#
    ),
    (
      ["--app-name=Working Copy", "-i", "a.b", "-p", "d/a (1): x.txt"],
      "Working Copy (a.b), d/a (1): x.txt"
    ),
    (["--app-name=Untagged Notes 2"], "Untagged Notes 2"),
  ])
  func valuesThatCouldBeTakenForOthersAreQuoted(_ options: [String], _ words: String) throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b", "c"] { try directory.file(name) }
    func run(_ arguments: String...) throws -> Execution {
      try Execution.run([Docsource.path] + arguments, in: directory.root)
    }
    let tagged = try Execution.run([Docsource.path, "tag"] + options + ["a"], in: directory.root)
    #expect(tagged.text == "a: tagged: \(words)\n")
    #expect(try run("copy", "a", "c").text == "c: copied: \(words)\n")
    #expect(try run("show", "a", "b").text == "a: \(words)\n")
    let list = try run("export", ".")
    #expect(try run("remove", "-q", "a", "c").status == 0)
    let imported = try Execution.run(
      [Docsource.path, "import", "-"], in: directory.root, input: list.output)
    #expect(imported.text == "a: added: \(words)\nc: added: \(words)\n")
    // Where nothing is escaped, nothing is quoted.
    let exact = try run("show", "-0", "a", "b").text
    #expect(exact.hasPrefix("a: \(options[0].dropFirst("--app-name=".count))"))
  }

  @Test func recursionTagsFilesShowsWhatIsTaggedAndRemovesEverywhere() throws {
    let directory = try TemporaryDirectory()
    let script = """
      mkdir -p top/sub/.hidden other && touch top/a top/sub/b top/sub/.hidden/c other/o &&
      ln -s ../other top/link && ln -s ../other/o top/sub/link && mkfifo top/fifo
      """
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    let tagged = try Docsource.run(
      "tag", "-r", "-i", "a.b", "--root", "top", "top", in: directory.root)
    #expect(
      tagged.text.split(separator: "\n").sorted() == [
        "top/a: tagged: a.b, a", "top/sub/.hidden/c: tagged: a.b, sub/.hidden/c",
        "top/sub/b: tagged: a.b, sub/b",
      ])
    #expect(tagged.errors == "docsource: 3 tagged, 0 unchanged, 0 failed\n")
    #expect(tagged.status == 0)
    #expect(try Docsource.run("show", "other/o", in: directory.root).status == 1)
    #expect(try Docsource.run("show", "top", in: directory.root).status == 1)

    #expect(try Docsource.run("tag", "-q", "-i", "d.e", "top/sub", in: directory.root).status == 0)
    let shown = try Docsource.run("show", "-r", "top", "other", in: directory.root)
    #expect(
      shown.text.split(separator: "\n").sorted() == [
        "top/a: a.b, a", "top/sub/.hidden/c: a.b, sub/.hidden/c", "top/sub/b: a.b, sub/b",
        "top/sub: d.e",
      ])
    #expect(shown.errors == "")
    #expect(shown.status == 0)
    let removed = try Docsource.run("remove", "-r", "top", in: directory.root)
    #expect(removed.text.split(separator: "\n").count == 4)
    #expect(removed.status == 0)
    #expect(removed.errors == "docsource: 4 removed, 2 unchanged, 0 failed\n")
    let nothing = try Docsource.run("show", "-r", "top", in: directory.root)
    #expect(nothing.text == "")
    #expect(nothing.errors == "")
    #expect(nothing.status == 1)
  }

  @Test func rootGivesThePathBelowItAndRefusesFilesOutside() throws {
    let directory = try TemporaryDirectory()
    let script = "mkdir -p root/in && touch root/in/f out && ln -s in/f root/link"
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    #expect(
      try Docsource.run("tag", "--root", "root", "root/in/../in/f", in: directory.root).text
        == "root/in/../in/f: tagged: unnamed application, in/f\n")
    #expect(
      try Docsource.run("tag", "--root", "root/", "root/link", in: directory.root).text
        == "root/link: unchanged: unnamed application, in/f\n")
    let outside = try Docsource.run("tag", "--root", "root", "out", in: directory.root)
    #expect(
      outside.errors
        == "docsource: out: cannot write document source:"
        + " the file is not below the --root directory\n")
    #expect(outside.status == 2)
  }

  @Test func rootWithoutDereferencingIsTheRealPathUnlessTheFileIsALink() throws {
    let directory = try TemporaryDirectory()
    let script = "mkdir -p root/in && ln -s in root/link && touch root/in/f"
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    for (file, path) in [("root/in/.", "in"), ("root/in/../in/f", "in/f"), ("root/link/f", "in/f")]
    {
      #expect(
        try Docsource.run(
          "tag", "-n", "--no-dereference", "--root", "root", file, in: directory.root
        ).text == "\(file): would tag: unnamed application, \(path)\n")
    }
    let whole = try Docsource.run(
      "tag", "-n", "--no-dereference", "--root", directory.root, "/", in: directory.root)
    #expect(whole.status == 2)
  }

  /// One thread goes in the order of the directories; several tell the same of the same files.
  @Test func recursiveShowTellsTheSameOnSeveralThreads() throws {
    let directory = try TemporaryDirectory()
    let script = """
      for d in $(seq 40); do mkdir $d && (cd $d && touch $(seq 60)); done &&
      "$0" tag -rq --name x . && setfattr -n user.x-document-source -v damaged 7/7 8/8
      """
    let made = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    #expect(made.status == 0)
    let found = try Docsource.run("find", "-j1", ".", in: directory.root)
    let one = try Docsource.run("show", "-r", "-j1", ".", in: directory.root)
    let damaged = ["./7/7", "./8/8"]
    let sources = found.text.split(separator: "\n").filter { !damaged.contains(String($0)) }
    #expect(one.text == sources.map { "\($0): x\n" }.joined())
    let several = try Docsource.run("show", "-r", "-j4", ".", in: directory.root)
    #expect(
      several.text.split(separator: "\n").sorted() == one.text.split(separator: "\n").sorted())
    #expect(
      several.errors.split(separator: "\n").sorted() == one.errors.split(separator: "\n").sorted())
    #expect(one.errors.split(separator: "\n").count == 2)
    #expect((one.status, several.status) == (2, 2))
    // Threads begin on another processor than the first one's if there is one.
    let pinned = try Execution.run(
      ["taskset", "1", Docsource.path, "show", "-r", "-j4", "."], in: directory.root)
    #expect(
      pinned.text.split(separator: "\n").sorted() == one.text.split(separator: "\n").sorted())
    #expect(pinned.status == 2)
  }

  @Test func recursiveFieldPassesOverFilesThatLackIt() throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] { try directory.file(name) }
    #expect(try Docsource.run("tag", "-q", "--app-name", "x", "a", in: directory.root).status == 0)
    #expect(try Docsource.run("tag", "-q", "-i", "a.b", "b", in: directory.root).status == 0)
    let shown = try Docsource.run("show", "-rf", "name", ".", in: directory.root)
    #expect(shown.text == "x\n")
    #expect(shown.errors == "")
    #expect(shown.status == 0)
    let one = try Docsource.run("show", "-f", "name", "b", in: directory.root)
    #expect(one.errors == "docsource: b: the document source has no name\n")
    #expect(one.status == 1)
  }

  @Test func namesThatAreNotUTF8Work() throws {
    let directory = try TemporaryDirectory()
    let name: [UInt8] = [0x66, 0xff, 0x0a, 0xe2, 0x82]
    let run = { (arguments: [String]) in
      try Execution.run(
        ([Docsource.path] + arguments).map { Array($0.utf8) } + [name], in: directory.root)
    }
    #expect(try Execution.run([Array("touch".utf8), name], in: directory.root).status == 0)
    let tagged = try run(["tag", "--app-name", "x"])
    #expect(tagged.text == "f\\xff\\n\\xe2\\x82: tagged: x\n")
    #expect(tagged.status == 0)
    #expect(try run(["show"]).text.hasPrefix("f\\xff\\n\\xe2\\x82\n"))
    let json = try run(["show", "--json"])
    #expect(json.text.contains("\"fileBase64\":\"\(Data(name).base64EncodedString())\""))
    let recursive = try Docsource.run("show", "-r", "-0", ".", in: directory.root)
    #expect(recursive.output == Array("./".utf8) + name + Array(": x\0".utf8))
    #expect(try run(["tag", "--root", "."]).status == 2)
  }

  @Test func doubtfulIdentifierIsWarnedAboutAndWritten() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    let tagged = try Docsource.run("tag", "-i", "editor", path)
    #expect(
      tagged.errors
        == "docsource: warning: identifier 'editor' is not in reverse-DNS form"
        + " like com.example.app\n")
    #expect(tagged.status == 0)
    #expect(try Docsource.run("show", "-f", "identifier", path).text == "editor\n")
  }

  @Test func insecureURLIsWrittenOnlyWhenAskedFor() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    #expect(
      try Docsource.run("tag", "--insecure-url", "-u", "http://localhost/a", path).status == 0)
    #expect(try Docsource.run("show", "-f", "app-info-url", path).text == "http://localhost/a\n")
  }

  @Test func fieldMayBeSpelledLikeTheOptionThatSetsIt() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    #expect(
      try Docsource.run("tag", "-q", "--app-name", "A", "--document", "d/f", path).status == 0)
    for (field, value) in [("app-name", "A"), ("name", "A"), ("document", "d/f"), ("path", "d/f")] {
      #expect(try Docsource.run("show", "-f", field, path).text == "\(value)\n")
    }
  }

  @Test func formerNamesOfOptionsStillWorkWithAWarningEach() throws {
    let directory = try TemporaryDirectory()
    try directory.file("f")
    func run(_ arguments: String..., renamed: [(String, String)]) throws -> String {
      let done = try Execution.run([Docsource.path] + arguments, in: directory.root)
      let warnings = renamed.map { former, name in
        "docsource: warning: --\(former) is now --\(name); the next version will not accept the"
          + " old name\n"
      }
      #expect(done.errors == warnings.joined())
      #expect(done.status == 0)
      return done.text
    }
    #expect(
      try run(
        "tag", "--path=a", "--name", "A", "--path", "d/f", "f",
        renamed: [("path", "document"), ("name", "app-name")]) == "f: tagged: A, d/f\n")
    #expect(
      try run(
        "tag", "--app-name", "B", "--if-name", "A", "--if-path", "d/*", "--file", "f", "f",
        renamed: [("if-name", "if-app-name"), ("if-path", "if-document"), ("file", "file-name")])
        == "f: tagged: B, d/f\n")
    #expect(
      try run(
        "find", "--name", "B", "--path", "d/f", "--file", "?",
        renamed: [("name", "app-name"), ("path", "document"), ("file", "file-name")]) == "f\n")
    #expect(
      try run(
        "remove", "--name", "B", "f", renamed: [("name", "app-name")]) == "f: removed\n")
    let listed = try run("apps", "--origin=built-in", renamed: [("origin", "known-from")])
    #expect(listed.contains("com.appliedphasor.working-copy"))
  }

  @Test func standardOutputThatCannotBeWrittenIsAFailure() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    #expect(try Docsource.tag(path).status == 0)
    let shown = try Execution.run(
      ["sh", "-c", "\"$0\" show \"$1\" > /dev/full", Docsource.path, path])
    #expect(
      shown.errors
        == "docsource: cannot write to standard output: No space left on device\n")
    #expect(shown.status == 2)
  }
}

/// The executable that `make` builds stands alone.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["DOCSOURCE"] != nil,
    "only `make test` builds the executable that is installed"))
struct ExecutableTests {
  @Test func itNeedsNoSharedLibraryAndSoNoSwiftRuntime() throws {
    let dynamic = try Execution.run(["readelf", "-d", Docsource.path])
    #expect(dynamic.status == 0)
    #expect(!dynamic.text.contains("NEEDED"))
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    #expect(
      try Execution.run(
        ["env", "-i", Docsource.path, "tag", "--app-name", "x", path]
      ).text == "\(path): tagged: x\n")
  }
  /// A page that is touched for the first time costs as much as several system calls.
  @Test func itsStartTouchesFewPagesAlsoWherePagesLieInSmallFolios() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("f")
    let copy = directory.path("docsource")
    // As dpkg writes.
    let written = try Execution.run(["dd", "if=\(Docsource.path)", "of=\(copy)", "bs=32K"])
    #expect(written.status == 0)
    #expect(try Execution.run(["chmod", "755", copy]).status == 0)
    #expect(try Execution.run([copy, "tag", "--name", "x", path]).status == 0)
    let script = """
      import os, sys
      null = os.open("/dev/null", os.O_RDWR)
      child = os.posix_spawn(sys.argv[1], sys.argv[1:], {},
                             file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
      _, status, usage = os.wait4(child, 0)
      print(status, usage.ru_minflt)
      """
    let counted = try Execution.run(["python3", "-c", script, copy, "show", path])
    let words = counted.text.split { $0.isWhitespace }.compactMap { Int($0) }
    try #require(words.count == 2)
    #expect(words[0] == 0)
    // With what the start runs and writes together 96, otherwise 136.
    #expect(words[1] <= 102, "\(words[1]) page faults: is `make order` due?")
  }

  /// With the C library and what file managers need, where those are built.
  @Test func whatIsInstalledTakesLessThan30MB() throws {
    let place = try TemporaryDirectory()
    let installed = try Execution.run(
      ["make", "--no-print-directory", "-C", Fixture.root.path, "install"]
        + ["DESTDIR=\(place.root)", "BINARY=\(Docsource.path)"],
      environment: ["MAKEFLAGS": "", "MAKELEVEL": "", "MAKEOVERRIDES": ""])
    #expect(installed.status == 0)
    let used = try Execution.run(["du", "-s", "-B", "1", place.root]).text
    #expect(Int(used.prefix { $0 != "\t" }).map { $0 < 30_000_000 } == true, "\(used)")
  }
}

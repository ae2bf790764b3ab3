import Foundation
import TestSupport
import Testing

/// What `find` lists, through the built tool.
@Suite struct FindCommandTests {
  /// A tree with files of two applications, one untagged, one damaged and a link.
  ///
  /// - Parameter hidden: a command that is run after `tag` is defined.
  private static func tree(hidden: String = ":") throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let script = """
      mkdir -p a/b other && touch a/1 a/b/2.tar.gz x y z other/o && ln -s ../x a/link &&
      mkfifo a/fifo && ln -s other linked && setfattr -n user.x-document-source -v junk y &&
      tag() { "$0" tag -q "$@"; } &&
      tag -i com.a.b --app-name App -p d/e a/1 && tag -i com.a.b --app-name App -p d/f a/b/2.tar.gz &&
      tag -i org.c --app-name Other -p Ä.txt x && tag -i org.c --app-name Other other &&
      \(hidden)
      """
    let made = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    try #require(made.status == 0, "\(made.errors)")
    return directory
  }

  private static func expect(
    _ output: String, errors: String = "", status: Int32 = 0, in directory: TemporaryDirectory,
    sourceLocation: SourceLocation = #_sourceLocation, _ arguments: String...
  ) throws {
    let found = try Execution.run([Docsource.path, "find"] + arguments, in: directory.root)
    let what: Comment = "\(arguments.joined(separator: " "))"
    #expect(found.text == output, what, sourceLocation: sourceLocation)
    #expect(found.errors == errors, what, sourceLocation: sourceLocation)
    #expect(found.status == status, what, sourceLocation: sourceLocation)
  }

  private static let hiddenFile =
    "mkdir .h && touch .h/h && tag -i com.a.b --app-name App -p d/e .h/h"

  @Test func whatHasASourceIsListedALineEach() throws {
    let tree = try Self.tree()
    try Self.expect("a/1\na/b/2.tar.gz\nother\nx\n", in: tree, "--sort")
    try Self.expect("./a/1\n./a/b/2.tar.gz\n./other\n./x\n", in: tree, "--sort", ".")
    try Self.expect("a/1\na/b/2.tar.gz\nx\n", in: tree, "--sort", "a", "x")
    try Self.expect("a/1\na/b/2.tar.gz\n", in: tree, "--sort", "a/")
    try Self.expect("linked\n", in: tree, "linked")
    for threads in ["1", "2", "7"] {
      try Self.expect("4\n", in: tree, "--count", "-j", threads)
    }
  }

  @Test func hiddenFilesAreListedUnlessTheyAreLeftOut() throws {
    let tree = try Self.tree(hidden: Self.hiddenFile)
    for option in ["--hidden", "--null"] {
      try Self.expect(
        ".h/h\0a/1\0a/b/2.tar.gz\0other\0x\0", in: tree, "--sort", "--null", option)
    }
    try Self.expect("a/1\na/b/2.tar.gz\nother\nx\n", in: tree, "--sort", "--no-hidden")
    try Self.expect(".h/h\n", in: tree, "--no-hidden", ".h")
  }

  @Test func valueThatIsLongerThanUsualIsRead() throws {
    let tree = try TemporaryDirectory()
    let script = """
      touch long latin damaged -- -dash && tag() { "$0" tag -q "$@"; } &&
      tag --app-name A -p "$(printf 'x/%.0s' $(seq 900))" long && tag --app-name ü -p é latin &&
      tag --app-name A -- -dash &&
      setfattr -n user.x-document-source -v "bplist00$(printf 'x%.0s' $(seq 1200))" damaged
      """
    let made = try Execution.run(["sh", "-c", script, Docsource.path], in: tree.root)
    try #require(made.status == 0, "\(made.errors)")
    for option in ["-j1", "--sort"] {
      let found = try Execution.run([Docsource.path, "find", option], in: tree.root)
      #expect(found.text.split(separator: "\n").sorted() == ["./-dash", "latin", "long"])
      #expect(found.status == 0)
    }
    try Self.expect("damaged\n", in: tree, "--damaged")
  }

  @Test func oneThreadKeepsTheOrderOfTheDirectories() throws {
    let tree = try Self.tree()
    let theirs = try Execution.run(
      [
        "find", ".", "-not", "-path", "*/.*", "(", "-path", "./x", "-o", "-path", "./other", "-o",
        "-path", "*[12]*", ")",
      ],
      in: tree.root)
    try Self.expect(theirs.text, in: tree, ".", "-j1")
  }

  @Test func filtersSelectByWhatTheAttributeSaysAndByTheFilesName() throws {
    let tree = try Self.tree()
    try Self.expect("other\nx\n", in: tree, "--sort", "--identifier", "org.*")
    try Self.expect("other\nx\n", in: tree, "--sort", "-i", "ORG.?", "-I")
    try Self.expect("", status: 1, in: tree, "--sort", "-i", "ORG.?")
    try Self.expect("a/1\na/b/2.tar.gz\n", in: tree, "--sort", "--app-name", "[!O]*")
    try Self.expect("x\n", in: tree, "--document", "?.txt")
    try Self.expect("x\n", in: tree, "--document", "ä*", "--ignore-case")
    try Self.expect("a/1\nx\n", in: tree, "--sort", "-p", "*e", "-p", "*.txt")
    try Self.expect("a/1\n", in: tree, "-i", "com.*", "-p", "d/e")
    try Self.expect("a/b/2.tar.gz\n", in: tree, "--file-name", "*.gz")
    try Self.expect("other\n", in: tree, "--type", "d")
    try Self.expect("a/1\na/b/2.tar.gz\nx\n", in: tree, "--sort", "-t", "f")
    try Self.expect("other\nx\n", in: tree, "--sort", "--max-depth", "1")
    try Self.expect("x\n", in: tree, "-d0", "x", "a")
    try Self.expect("y\n", in: tree, "--damaged")
    try Self.expect("other/o\nz\n", in: tree, "--sort", "--untagged")
    try Self.expect(".\na\na/b\n", in: tree, "--sort", "--untagged", "-td")
    try Self.expect(".\na\na/b\nother/o\nz\n", in: tree, "--sort", "--untagged", "-td", "-tf")
    try Self.expect("other/o\ny\nz\n", in: tree, "--sort", "--untagged", "--damaged", "-tf")
  }

  @Test func anEmptyAttributeOrOneWithoutFieldsIsUntagged() throws {
    let directory = try TemporaryDirectory()
    let script = """
      import os, plistlib
      for name, value in [("empty", b""), ("nul", b"\\0"),
                          ("fields", plistlib.dumps({"x": 1, "name": 5}, fmt=plistlib.FMT_BINARY)),
                          ("array", plistlib.dumps(["x"], fmt=plistlib.FMT_BINARY)),
                          ("utf16", plistlib.dumps({"name": "Ä"}, fmt=plistlib.FMT_BINARY)),
                          ("large", plistlib.dumps({"name": "n" * 3000}, fmt=plistlib.FMT_BINARY))]:
          open(name, "w").close()
          os.setxattr(name, "user.x-document-source", value)
      """
    #expect(try Execution.run(["python3", "-c", script], in: directory.root).status == 0)
    try Self.expect("large\nutf16\n", in: directory, "--sort")
    try Self.expect("array\nempty\nfields\nnul\n", in: directory, "--sort", "--untagged", "-tf")
    try Self.expect("utf16\n", in: directory, "--app-name", "?")
  }

  /// As `show` and `tag --untagged` have it, with and without --samba.
  @Test func fileWithASourceInSambasStreamIsNotUntagged() throws {
    let directory = try TemporaryDirectory()
    let value = try Fixture.bytes("PropertyLists/four-keys.bplist") + [0]
    let stream = "user.DosStream.x-document-source:$DATA"
    _ = try MarkedFile(try directory.file("stream"), [stream: value])
    _ = try MarkedFile(
      try directory.file("both"), [stream: value, "user.x-document-source": []])
    let other = "user.DosStream.x-document-sourcf:$DATA"
    _ = try MarkedFile(try directory.file("other"), [other: value])
    _ = try MarkedFile(try directory.file("empty"), ["user.x-document-source": []])
    for option in ["-tf", "--samba", "--file-name=*"] {
      try Self.expect("empty\nother\n", in: directory, "--sort", "-tf", "--untagged", option)
    }
    try Self.expect("2\n", in: directory, "-tf", "--untagged", "--count")
    try Self.expect("", status: 1, in: directory, "-tf")
  }

  /// `show` would refuse such a value, though only the path is damaged.
  @Test func damageInAFieldThatIsNotAskedForCounts() throws {
    let directory = try TemporaryDirectory()
    let script = """
      import os, plistlib
      value = plistlib.dumps({"name": "n", "path": "Ä"}, fmt=plistlib.FMT_BINARY)
      open("f", "w").close()
      os.setxattr("f", "user.x-document-source", value.replace(b"\\x61\\x00\\xc4", b"\\x91\\x00\\xc4"))
      """
    #expect(try Execution.run(["python3", "-c", script], in: directory.root).status == 0)
    #expect(try Docsource.run("show", "f", in: directory.root).status == 2)
    try Self.expect("", status: 1, in: directory)
    try Self.expect("", status: 1, in: directory, "--app-name", "n")
    try Self.expect("f\n", in: directory, "--damaged")
  }

  @Test func sambasFormIsFoundWhereItIsAskedFor() throws {
    let directory = try TemporaryDirectory()
    let script = """
      touch f g && "$0" tag -q --app-name x f && python3 - <<'END'
      import os
      value = os.getxattr("f", "user.x-document-source") + b"\\0"
      os.setxattr("g", "user.DosStream.x-document-source:$DATA", value)
      END
      """
    let made = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    #expect(made.status == 0)
    try Self.expect("f\n", in: directory)
    try Self.expect("f\ng\n", in: directory, "--samba", "--sort")
    try Self.expect("", status: 1, in: directory, "--samba", "--untagged", "-tf")
  }

  @Test func jsonHasTheMembersOfShow() throws {
    let tree = try Self.tree()
    try Self.expect(
      try Docsource.run("show", "--json", "x", in: tree.root).text, in: tree, "--json", "-p", "Ä*")
    try Self.expect(
      "{\"file\":\"y\",\"source\":null,\"error\":\"cannot read document source: the attribute is"
        + " damaged: plain text, not a binary property list (at byte 0)\"}\n",
      in: tree, "--json", "--damaged")
    try Self.expect(
      "{\"file\":\"z\",\"source\":null,\"reason\":\"no document source\"}\n", in: tree, "--json",
      "--untagged", "--file-name", "z")
  }

  @Test func formatFillsInWhatTheFileSays() throws {
    let tree = try Self.tree()
    try Self.expect(
      "App|com.a.b\t1 a/1 d/e \\{}\nOther|org.c\tother other  \\{}\n", in: tree, "--sort",
      "--format", "{app-name}|{identifier}\\t{/} {} {document} {app-info-url}\\\\\\{\\}", "a/1",
      "other")
    try Self.expect("x\0\n\0", in: tree, "-0", "--format", "{}\\0\\n", "x")
    try Self.expect(
      "a/b|a/b/2.tar|2.tar\n", in: tree, "--format", "{//}|{.}|{/.}", "--file-name", "2*")
  }

  @Test func formerPlaceholdersStillWorkWithAWarningEach() throws {
    let tree = try Self.tree()
    let found = try Docsource.run(
      "find", "--format", "{name} {path} {file} {url}{path}", "a/1", in: tree.root)
    #expect(found.text == "App a/1 1 a/1\n")
    #expect(
      found.errors == """
        docsource: warning: {name} is now {app-name}; the next version will not accept the old name
        docsource: warning: {path} is now {}; the next version will not accept the old name
        docsource: warning: {file} is now {/}; the next version will not accept the old name
        docsource: warning: {url} is now {app-info-url}; the next version will not accept the old name

        """)
    #expect(found.status == 0)
  }

  @Test func summaryCountsApplications() throws {
    let tree = try Self.tree(hidden: Self.hiddenFile)
    let bar = String(repeating: "#", count: 30)
    let shorter = String(repeating: "#", count: 10)
    try Self.expect(
      """
      3  \(bar)  App (com.a.b)
      1  \(shorter)                      Other (org.c)
      3                                  untagged
      1                                  damaged

      """, in: tree, "--summary", "-H", "a", "x", "y", "z", ".h", "other", "-tf", "other")
  }

  @Test func applicationCalledAsARowOfOursIsQuotedInTheSummary() throws {
    let directory = try TemporaryDirectory()
    for name in ["untagged", "damaged", "other applications"] {
      try directory.file(name)
      let tagged = try Docsource.run("tag", "-q", "--app-name", name, name, in: directory.root)
      #expect(tagged.status == 0)
    }
    let bar = String(repeating: "#", count: 30)
    let found = try Docsource.run("find", "--summary", "-tf", in: directory.root)
    #expect(
      found.text == """
        1  \(bar)  "damaged"
        1  \(bar)  "other applications"
        1  \(bar)  "untagged"
        0                                  untagged
        0                                  damaged

        """)
  }

  @Test func summaryAsJSONHasAnObjectALine() throws {
    let tree = try Self.tree()
    try Self.expect(
      """
      {"state":"tagged","identifier":"com.a.b","name":"App","count":2}
      {"state":"tagged","identifier":"org.c","name":"Other","count":2}
      {"state":"untagged","count":5}
      {"state":"damaged","count":1}

      """, in: tree, "--summary", "--json")
    try Self.expect(
      """
      {"state":"tagged","identifier":"org.c","name":"Other","count":2}
      {"state":"untagged","count":0}
      {"state":"damaged","count":0}

      """, in: tree, "--summary", "--json", "--app-name", "Other")
  }

  @Test func barsFitTheTerminal() throws {
    let tree = try Self.tree()
    let words = "stty cols 24 rows 24; '\(Docsource.path)' find --summary a x"
    let shown = try Execution.run(["script", "-qec", words, "/dev/null"], in: tree.root)
    #expect(
      shown.text == """
        2  #########  App (com.a.b)\r
        1  ####       Other (org.c)\r
        2             untagged\r
        0             damaged\r

        """)
  }

  @Test func namesOfAllKindsAreListed() throws {
    let directory = try TemporaryDirectory()
    let script = """
      for name in [b"-rf", b"a\\nb", b"\\xff\\xe2\\x82", b"\\x1b[31m", b"x" * 255]:
          open(name, "w").close()
      """
    #expect(try Execution.run(["python3", "-c", script], in: directory.root).status == 0)
    #expect(try Docsource.run("tag", "-rq", "--app-name", "n", ".", in: directory.root).status == 0)
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 255)
    let names: [[UInt8]] = [
      Array("\u{1b}[31m".utf8), Array("./-rf".utf8), Array("a\nb".utf8), long, [0xff, 0xe2, 0x82],
    ]
    for (option, end) in [("--sort", UInt8(ascii: "\n")), ("-0", 0)] {
      let found = try Docsource.run("find", "--sort", option, in: directory.root)
      #expect(found.output == Array(names.map { $0 + [end] }.joined()))
      #expect(found.status == 0)
    }
    let terminal = try Execution.run(
      ["script", "-qec", "'\(Docsource.path)' find --sort --file-name '[!x]*'", "/dev/null"],
      in: directory.root, environment: ["NO_COLOR": "1"])
    #expect(terminal.text == "\\x1b[31m\r\n./-rf\r\na\\nb\r\n\\xff\\xe2\\x82\r\n")
    let json = try Docsource.run("find", "--json", "--file-name", "?\u{fffd}*", in: directory.root)
    #expect(json.status == 1)
    let bytes = try Docsource.run("find", "--json", "--file-name", "[!a-z-]??", in: directory.root)
    #expect(
      bytes.text
        == "{\"file\":\"\u{fffd}\u{fffd}\",\"fileBase64\":\"/+KC\",\"source\":{\"name\":\"n\"},"
        + "\"carrier\":\"user.x-document-source\"}\n")
  }

  /// People type a pattern, or the name of an application, where a directory is expected.
  @Test func wordThatIsNoPathNamesTheOptionForIt() throws {
    let tree = try Self.tree()
    let missing = "cannot search: no such file or directory"
    try Self.expect(
      "x\n",
      errors: "docsource: *.jpg: \(missing); use --file-name '*.jpg' to find files by name\n",
      status: 2, in: tree, "*.jpg", "x")
    try Self.expect(
      "",
      errors: "docsource: darktable: \(missing); --app and --app-name find files by application,"
        + " --file-name by name\n",
      status: 2, in: tree, "darktable")
    try Self.expect("", errors: "docsource: a/none: \(missing)\n", status: 2, in: tree, "a/none")
    try tree.write(Array("none\0x\0".utf8), to: "list")
    try Self.expect(
      "x\n", errors: "docsource: none: \(missing)\n", status: 2, in: tree, "--files0-from=list")
  }

  @Test func whatCannotBeSearchedIsReportedAndTheRestGoesOn() throws {
    let tree = try Self.tree()
    try Self.expect(
      "x\n", errors: "docsource: ./none: cannot search: no such file or directory\n", status: 2,
      in: tree, "./none", "x")
    try Self.expect(
      "x\n", errors: "docsource: a/fifo: cannot search: not a regular file or directory\n",
      status: 2,
      in: tree, "a/fifo", "x")
    try Self.expect(
      "{\"file\":\"./none\",\"source\":null,"
        + "\"error\":\"cannot search: no such file or directory\"}\n",
      errors: "docsource: ./none: cannot search: no such file or directory\n", status: 2, in: tree,
      "--json", "./none")
    try Self.expect(
      "{\"file\":\"gone\",\"source\":null,"
        + "\"error\":\"cannot read: no such file or directory\"}\0",
      errors: "docsource: gone: cannot read: no such file or directory\n", status: 2, in: tree,
      "--json", "-0", "--files0-from=gone")
  }

  @Test(.enabled(if: FileSystem.mayMount, "changing the user needs root"))
  func closedDirectoryIsAnObjectToo() throws {
    let system = try FileSystem(.tmpfs)
    let script = """
      cd "$1" && mkdir closed && chmod 0 closed && cp "$0" docsource
      """
    #expect(try Execution.run(["sh", "-c", script, Docsource.path, system.root]).status == 0)
    let found = try Execution.run(
      ["setpriv", "--reuid", "nobody", "--clear-groups", "./docsource", "find", "-j1", "--json"],
      in: system.root)
    #expect(
      found.text
        == #"{"file":"./closed","source":null,"error":"cannot read directory: permission denied"}"#
        + "\n")
    #expect(found.errors == "docsource: ./closed: cannot read directory: permission denied\n")
    #expect(found.status == 2)
  }

  @Test(.enabled(if: FileSystem.mayMount, "changing the user needs root"))
  func closedDirectoriesAndFilesAreReported() throws {
    let system = try FileSystem(.tmpfs)
    let script = """
      cd "$1" && mkdir open closed && touch open/f open/g closed/h && "$0" tag -rq --app-name x . &&
      chmod 0 open/g closed && cp "$0" docsource
      """
    #expect(try Execution.run(["sh", "-c", script, Docsource.path, system.root]).status == 0)
    let found = try Execution.run(
      ["setpriv", "--reuid", "nobody", "--clear-groups", "./docsource", "find", "-j1"],
      in: system.root)
    #expect(found.text == "open/f\n")
    #expect(
      found.errors.split(separator: "\n").sorted() == [
        "docsource: ./closed: cannot read directory: permission denied",
        "docsource: ./open/g: cannot read document source: permission denied: the file must be"
          + " readable and its directories searchable",
      ])
    #expect(found.status == 2)
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func fileSystemsWithoutAttributesHaveUntaggedFilesAndOthersAreLeftOutWhereAskedFor() throws {
    let outer = try FileSystem(.tmpfs)
    let script = """
      cd "$1" && mkdir m && touch f && mount -t ramfs ramfs m && touch m/g && "$0" tag -q --app-name x f
      """
    #expect(try Execution.run(["sh", "-c", script, Docsource.path, outer.root]).status == 0)
    defer { _ = try? Execution.run(["umount", outer.path("m")]) }
    func find(_ options: String...) throws -> Execution {
      try Execution.run(
        [Docsource.path, "find", "--untagged", "-tf", "-td"] + options, in: outer.root)
    }
    let found = try find("--sort")
    #expect(found.text == ".\nm\nm/g\n")
    #expect(found.errors == "")
    #expect(found.status == 0)
    let near = try find("--one-file-system")
    #expect(near.text == ".\n")
    #expect(near.errors == "")
    #expect(near.status == 0)
  }

  /// A bind mount has the device of what it is mounted in.
  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func bindMountsAreLeftOutByEveryVerbThatStaysOnOneFileSystem() throws {
    let outer = try FileSystem(.tmpfs)
    let script = """
      cd "$1" && mkdir -p tree/m other && touch tree/f tree/h other/g &&
      mount --bind other tree/m && mount --bind other/g tree/h
      """
    #expect(try Execution.run(["sh", "-c", script, Docsource.path, outer.root]).status == 0)
    defer { _ = try? Execution.run(["umount", outer.path("tree/m"), outer.path("tree/h")]) }
    func run(_ arguments: String...) throws -> Execution {
      try Execution.run([Docsource.path] + arguments + ["tree"], in: outer.root)
    }
    let found = try run("find", "--untagged", "-tf", "-td", "--sort", "--one-file-system")
    #expect(found.text == "tree\ntree/f\n" && found.errors == "" && found.status == 0)
    let tagged = try run("tag", "-r", "--one-file-system", "--app-name", "x")
    #expect(tagged.text == "tree/f: tagged: x\n")
    #expect(tagged.errors == "docsource: 1 tagged, 0 unchanged, 0 failed\n")
    #expect(try run("tag", "-rq", "--app-name", "x").status == 0)
    let exported = try run("export", "--one-file-system", "--format", "getfattr")
    #expect(exported.text.split(separator: "\n").filter { $0.hasPrefix("#") } == ["# file: f"])
    #expect(try run("export", "--format", "getfattr").text.contains("# file: m/g\n"))
    let removed = try run("remove", "-r", "--one-file-system")
    #expect(removed.text == "tree/f: removed\n")
    #expect(removed.errors == "docsource: 1 removed, 1 unchanged, 0 failed\n")
    let stripped = try run("strip", "-r", "--one-file-system")
    #expect(stripped.errors == "docsource: 0 stripped, 2 unchanged, 0 failed\n")
    let left = try run("find", "--app-name=x", "--sort")
    #expect(left.text == "tree/h\ntree/m/g\n")
  }

  @Test func aReaderThatGoesEndsTheSearchQuietly() throws {
    let directory = try TemporaryDirectory()
    let script = """
      i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo >"$i-$(printf %0200d $i)"; done
      """
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    #expect(try Docsource.run("tag", "-rq", "--app-name", "n", ".", in: directory.root).status == 0)
    let piped = try Execution.run(
      ["bash", "-c", "\"$0\" find | head -n 1 | wc -l; echo ${PIPESTATUS[0]}", Docsource.path],
      in: directory.root)
    #expect(piped.text == "1\n141\n")
    #expect(piped.errors == "")
  }

  @Test(arguments: [
    (
      ["--format", "{docment}"],
      "--format: unknown placeholder '{docment}'; did you mean '{document}'?"
    ),
    (
      ["--format", "{what}"],
      "--format: unknown placeholder '{what}'; placeholders are {} {/} {//} {.} {/.}"
        + " {identifier} {app-name} {document} {app-info-url}"
    ),
    (["--format", "{path"], "--format: '{' without '}'; write '\\{' for a literal brace"),
    (["--format", "\\x"], "--format: unknown escape '\\x'; escapes are \\t \\n \\0 \\\\ \\{ \\}"),
    (
      ["--app-name", "a["],
      "--app-name: 'a[': unclosed '[' at byte 1; write '\\[' for the character"
    ),
    (["--file-name", "a\\"], "--file-name: 'a\\': trailing '\\' at byte 1; write '\\\\'"),
    (["--type", "l"], "--type: invalid value 'l'; expected one of f, d"),
    (["--max-depth", "-1"], "--max-depth: '-1' is invalid; expected a number of 0 or more"),
    (["-j", "0"], "--threads: '0' is invalid; expected a number from 1 to 256"),
    (["--count", "--json"], "--json and --count cannot be combined"),
    (["--untagged", "--app-name", "x"], "--untagged and --app-name cannot be combined"),
    (["-x"], "--exec needs a command"),
    (["-X", "a", "{}", "{.}"], "--exec-batch: only one word may contain placeholders"),
  ])
  func wrongCommandLineIsStatus64(_ arguments: [String], _ message: String) throws {
    let found = try Execution.run([Docsource.path, "find"] + arguments)
    #expect(found.text == "")
    let reference = message.contains("did you mean") ? "" : "; see 'docsource help find'"
    #expect(found.errors == "docsource: find: \(message)\(reference)\n")
    #expect(found.status == 64)
  }

  @Test func summaryOfWhatIsAskedForIsFound() throws {
    let tree = try Self.tree()
    let rest = [(1, "untagged"), (0, "damaged")].map { count, state in
      "\(count)\(String(repeating: " ", count: 34))\(state)\n"
    }
    try Self.expect(rest.joined(), in: tree, "-s", "--untagged", "other/o")
  }

  @Test(.enabled(if: FileSystem.mayMount, "changing the user needs root"))
  func operandThatMayNotBeReachedIsNotSaidToBeMissing() throws {
    let system = try FileSystem(.tmpfs)
    let script = """
      cd "$1" && mkdir closed && touch closed/f f && chmod 0 closed &&
      cp "$0" docsource && chmod 755 .
      """
    #expect(try Execution.run(["sh", "-c", script, Docsource.path, system.root]).status == 0)
    let found = try Execution.run(
      ["setpriv", "--reuid", "nobody", "--clear-groups", "./docsource", "find", "closed/f", "f/"],
      in: system.root)
    #expect(
      found.errors == "docsource: closed/f: cannot search: permission denied: the file must be "
        + "readable and its directories searchable\n"
        + "docsource: f/: cannot search: a component of the path is not a directory\n")
    #expect(found.text == "")
    #expect(found.status == 2)
  }
}

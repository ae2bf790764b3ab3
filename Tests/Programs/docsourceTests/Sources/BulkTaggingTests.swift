import Foundation
import Glibc
import TestSupport
import Testing

/// `tag -r` and `remove -r`: which files they choose, what they count, on however many threads.
@Suite struct BulkTaggingTests {
  /// Files with sources of several kinds, a damaged one, some without, a link and a FIFO.
  private static func tree() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let script = """
      mkdir -p tree/sub/deep tree/.hidden && cd tree &&
      touch none.txt other.md one.txt sub/two.txt sub/deep/three.md .hidden/four.txt damaged &&
      ln -s ../tree/one.txt link && mkfifo fifo &&
      setfattr -n user.x-document-source -v junk damaged &&
      "$0" tag -q -i org.one --app-name One -p a/b one.txt &&
      "$0" tag -q -i org.two --app-name Two sub/two.txt sub &&
      "$0" tag -q -i org.two -p c sub/deep/three.md && "$0" tag -q -i com.four .hidden/four.txt
      """
    let made = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    try #require(made.status == 0, "\(made.errors)")
    return directory
  }

  /// The files in the lines that a verb prints.
  private static func files(_ execution: Execution) -> [String] {
    execution.text.split(separator: "\n").map { line in
      String(line.prefix { $0 != ":" }.dropFirst("tree/".count))
    }.sorted()
  }

  @Test(arguments: [
    (
      [],
      [".hidden/four.txt", "none.txt", "one.txt", "other.md", "sub/deep/three.md", "sub/two.txt"]
    ),
    (["--untagged"], ["none.txt", "other.md"]),
    (["--untagged", "--file-name", "*.TXT", "-I"], ["none.txt"]),
    (["--if-identifier", "org.*"], ["one.txt", "sub/deep/three.md", "sub/two.txt"]),
    (["--if-identifier", "ORG.TWO"], []),
    (["--if-identifier", "ORG.TWO", "-I"], ["sub/deep/three.md", "sub/two.txt"]),
    (["--if-identifier", "org.two", "--if-app-name", "T?o"], ["sub/two.txt"]),
    (["--if-document", "*b"], ["one.txt"]),
    (["--if-identifier", "org.*", "--file-name", "*.md"], ["sub/deep/three.md"]),
    (["--if-identifier", "*.four", "--no-hidden"], []),
    (["--if-identifier", "*", "--type", "d"], ["sub"]),
    (["--if-identifier", "*", "-t", "d", "-t", "f", "--max-depth", "1"], ["one.txt", "sub"]),
    (["--file-name", "damaged", "--replace"], ["damaged"]),
    (["--damaged", "--replace"], ["damaged"]),
  ])
  func taggingChoosesFilesByFilters(_ filters: [String], _ files: [String]) throws {
    let directory = try Self.tree()
    let tagged = try Execution.run(
      [Docsource.path, "tag", "-rn", "--app-name", "New"] + filters + ["tree"], in: directory.root)
    let failed = filters.isEmpty ? 1 : 0
    #expect(Self.files(tagged) == files)
    let summary = "docsource: \(files.count) would be tagged, 0 unchanged, \(failed) failed\n"
    #expect(tagged.errors.hasSuffix(summary))
    #expect(tagged.errors.split(separator: "\n").count == 1 + failed)
    #expect(tagged.status == (failed == 0 ? 0 : 2))
  }

  @Test(arguments: [
    ([], [".hidden/four.txt", "damaged", "one.txt", "sub", "sub/deep/three.md", "sub/two.txt"]),
    (["--identifier", "org.*"], ["one.txt", "sub", "sub/deep/three.md", "sub/two.txt"]),
    (["-i", "org.*", "-t", "f", "-d", "2"], ["one.txt", "sub/two.txt"]),
    (["--app-name", "?wo"], ["sub", "sub/two.txt"]),
    (["--document", "[a-c]"], ["sub/deep/three.md"]),
    (["--damaged"], ["damaged"]),
    (["--type", "d"], ["sub"]),
    (["--no-hidden", "--file-name", "*.txt"], ["one.txt", "sub/two.txt"]),
  ])
  func removingChoosesFilesByFilters(_ filters: [String], _ files: [String]) throws {
    let directory = try Self.tree()
    let removed = try Execution.run(
      [Docsource.path, "remove", "-r"] + filters + ["tree"], in: directory.root)
    #expect(Self.files(removed) == files)
    #expect(removed.errors.hasPrefix("docsource: \(files.count) removed, "))
    #expect(removed.errors.hasSuffix(" unchanged, 0 failed\n"))
    #expect(removed.status == 0)
    let left = try Docsource.run("remove", "-rn", "tree", in: directory.root)
    #expect(Self.files(left).count == 6 - files.count)
  }

  @Test func filtersHoldForNamedFilesToo() throws {
    let directory = try Self.tree()
    let names = ["none.txt", "one.txt", "sub", "damaged"].map { "tree/" + $0 }
    let tagged = try Execution.run(
      [Docsource.path, "tag", "-n", "--app-name", "x", "--if-identifier", "org.*"] + names,
      in: directory.root)
    #expect(Self.files(tagged) == ["one.txt", "sub"])
    #expect(tagged.errors == "")
    #expect(tagged.status == 0)
    let files = try Execution.run(
      [Docsource.path, "tag", "-n", "--app-name", "x", "--if-identifier", "org.*", "-t", "f"]
        + names,
      in: directory.root)
    #expect(Self.files(files) == ["one.txt"])
    let removed = try Execution.run(
      [Docsource.path, "remove", "--damaged"] + names, in: directory.root)
    #expect(removed.text == "tree/damaged: removed\n")
    #expect(removed.errors == "")
    #expect(removed.status == 0)
  }

  @Test(arguments: [
    (
      ["--untagged", "--if-app-name", "x"], "--untagged and --if-app-name cannot be combined"
    ),
    (["-q", "-v"], "--quiet and --verbose cannot be combined"),
    (["--threads", "0"], "--threads: '0' is invalid; expected a number from 1 to 256"),
    (["--type", "l"], "--type: invalid value 'l'; expected one of f, d"),
  ])
  func wrongFiltersAreStatus64(_ filters: [String], _ message: String) throws {
    let tagged = try Execution.run(
      [Docsource.path, "tag", "-r", "--app-name", "x"] + filters + ["."])
    #expect(tagged.errors == "docsource: tag: \(message); see 'docsource help tag'\n")
    #expect(tagged.text == "")
    #expect(tagged.status == 64)
  }

  @Test func summaryCountsWhatBecameOfEachFileVerboseListsAllAndQuietIsSilent() throws {
    let directory = try Self.tree()
    let arguments = ["tag", "-r", "--app-name", "Two", "--if-identifier", "org.two", "tree"]
    let tagged = try Execution.run([Docsource.path] + arguments, in: directory.root)
    #expect(Self.files(tagged) == ["sub/deep/three.md"])
    #expect(tagged.errors == "docsource: 1 tagged, 1 unchanged, 0 failed\n")
    #expect(tagged.status == 0)
    let again = try Execution.run([Docsource.path] + arguments, in: directory.root)
    #expect(again.text == "")
    #expect(again.errors == "docsource: 0 tagged, 2 unchanged, 0 failed\n")
    for option in ["-v", "--verbose"] {
      let all = try Execution.run([Docsource.path] + arguments + [option], in: directory.root)
      #expect(
        all.text.split(separator: "\n").sorted() == [
          "tree/sub/deep/three.md: unchanged: Two (org.two), c",
          "tree/sub/two.txt: unchanged: Two (org.two)",
        ])
      #expect(all.errors == again.errors)
    }
    let one = try Docsource.run("tag", "--app-name", "Two", "tree/sub/two.txt", in: directory.root)
    #expect(one.text == "tree/sub/two.txt: unchanged: Two (org.two)\n")
    let quiet = try Execution.run([Docsource.path] + arguments + ["-q"], in: directory.root)
    #expect(quiet.text == "")
    #expect(quiet.errors == "")
    #expect(quiet.status == 0)
    let removed = try Docsource.run("remove", "-r", "-t", "f", "tree", in: directory.root)
    #expect(removed.errors == "docsource: 5 removed, 2 unchanged, 0 failed\n")
  }

  /// A thousand files in forty directories, some of them tagged already.
  private static func largeTree() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let script = """
      for d in $(seq 40); do mkdir -p tree/$((d % 5))/$d; (cd tree/$((d % 5))/$d && seq 25 | xargs touch); done
      "$0" tag -q -i a.b --app-name Old -p x tree/1/*/7 && "$0" tag -q -i c.d tree/*/*/9
      """
    let made = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    try #require(made.status == 0, "\(made.errors)")
    return directory
  }

  @Test func severalThreadsDoWhatOneDoes() throws {
    var results: [[String]] = []
    for threads in ["1", "2", "4", "7"] {
      let directory = try Self.largeTree()
      let run = { (arguments: [String]) in
        try Execution.run([Docsource.path] + arguments + ["-j", threads], in: directory.root)
      }
      var result: [String] = []
      for arguments in [
        ["tag", "-r", "-i", "a.b", "--root", "tree/", "tree//"],
        ["tag", "-r", "--app-name", "N", "tree"],
        ["tag", "-r", "--app-name", "N", "tree"], ["remove", "-r", "--document", "1/*", "tree"],
      ] {
        let done = try run(arguments)
        #expect(done.status == 0)
        result += done.text.split(separator: "\n").map(String.init).sorted() + [done.errors]
      }
      let dump = ["getfattr", "-R", "-d", "-e", "hex", "tree"]
      let attributes = try Execution.run(dump, in: directory.root).text
      results.append(result + attributes.components(separatedBy: "\n\n").sorted())
    }
    for (index, result) in results.enumerated() where result != results[0] {
      Issue.record("run \(index): \(Set(result).symmetricDifference(results[0]).prefix(9))")
    }
    #expect(
      results[0].filter { $0.hasPrefix("docsource: ") } == [
        "docsource: 1,000 tagged, 0 unchanged, 0 failed\n",
        "docsource: 1,000 tagged, 0 unchanged, 0 failed\n",
        "docsource: 0 tagged, 1,000 unchanged, 0 failed\n",
        "docsource: 200 removed, 0 unchanged, 0 failed\n",
      ])
  }

  /// Files whose attributes make tagging take each of its ways.
  private static func carriers() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let script = """
      mkdir tree && cd tree && touch none same other more damaged empty stream stale lower near \
        foreign many && set -- same more stale &&
      "$0" tag -q -i org.one --app-name One "$@" && "$0" tag -q -i org.two --app-name Two -p a/b other &&
      "$0" tag -q -p kept more && setfattr -n user.x-document-source -v junk damaged &&
      setfattr -n user.x-document-source empty &&
      setfattr -n 'user.DosStream.x-document-source:$DATA' -v junk stream &&
      setfattr -n 'user.DosStream.x-document-source:$DATA' -v junk stale &&
      setfattr -n user.x-document-sourcE -v junk near &&
      setfattr -n 'user.DOSSTREAM.x-document-source:$data' -v junk lower &&
      setfattr -n user.xdg.origin.url -v https://example.com/ foreign &&
      for n in $(seq 60); do setfattr -n "user.a-name-of-twenty-four.$n" many; done
      """
    let made = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    try #require(made.status == 0, "\(made.errors)")
    return directory
  }

  @Test(arguments: [
    ["-i", "org.one", "--app-name", "One"], ["--app-name", "One", "--replace"], ["-i", ""],
  ])
  func walkDoesWhatNamingEachFileDoes(_ change: [String]) throws {
    var results: [[String]] = []
    for isWalk in [false, true] {
      let directory = try Self.carriers()
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.root + "/tree")
      let operands = isWalk ? ["-rv", "tree"] : names.map { "tree/" + $0 }
      let tagged = try Execution.run(
        [Docsource.path, "tag"] + change + operands, in: directory.root)
      let errors = tagged.errors.split(separator: "\n").filter { !$0.contains(" unchanged, ") }
      let dump = ["getfattr", "-R", "-d", "-m", "-", "-e", "hex", "tree"]
      let attributes = try Execution.run(dump, in: directory.root).text
      results.append(
        tagged.text.split(separator: "\n").map(String.init).sorted()
          + errors.map(String.init).sorted() + ["status \(tagged.status)"]
          + attributes.components(separatedBy: "\n\n").sorted())
    }
    #expect(results[0] == results[1])
    #expect(results[0].count > 20)
  }

  @Test func oneThreadKeepsTheOrderOfTheWalk() throws {
    let directory = try Self.largeTree()
    let tagged = try Docsource.run("tag", "-rnj1", "--app-name", "x", "tree", in: directory.root)
    let shown = try Execution.run(
      ["sh", "-c", "\"$0\" tag -rqj1 --app-name x tree && \"$0\" show -rj1 tree", Docsource.path],
      in: directory.root)
    let order = { (text: String) in text.split(separator: "\n").map { $0.prefix { $0 != ":" } } }
    #expect(order(tagged.text).count == 1000)
    #expect(order(tagged.text) == order(shown.text))
  }

  @Test func eachTaggedFileHasAnObject() throws {
    let directory = try TemporaryDirectory()
    try directory.file("f")
    func tag(_ arguments: String...) throws -> Execution {
      try Execution.run([Docsource.path, "tag", "--json"] + arguments, in: directory.root)
    }
    let source = #""source":{"identifier":"a.b","name":"Ä"}}"#
    let values = ["-i", "a.b", "--app-name", "Ä"]
    let dry = try Execution.run(
      [Docsource.path, "tag", "--json", "-n"] + values + ["f"], in: directory.root)
    #expect(dry.text == #"{"file":"f","outcome":"changed","dryRun":true,"# + source + "\n")
    #expect(dry.errors == "")
    #expect(dry.status == 0)
    let tagged = try tag("-i", "a.b", "--app-name", "Ä", "gone", "f")
    #expect(
      tagged.text == """
        {"file":"gone","outcome":"failed",\
        "error":"cannot write document source: no such file or directory"}
        {"file":"f","outcome":"changed",\(source)

        """)
    #expect(
      tagged.errors
        == "docsource: gone: cannot write document source: no such file or directory\n")
    #expect(tagged.status == 2)
    let again = try tag("-r", "-i", "a.b", ".")
    #expect(again.text == #"{"file":"./f","outcome":"unchanged","# + source + "\n")
    #expect(again.errors == "docsource: 0 tagged, 1 unchanged, 0 failed\n")
    #expect(try tag("-q", "-i", "a.c", "f").text == "")
  }

  @Test func eachFileThatLosesItsSourceHasAnObject() throws {
    let directory = try TemporaryDirectory()
    try directory.file("f")
    #expect(try Docsource.run("tag", "-qi", "a.b", "f", in: directory.root).status == 0)
    func remove(_ arguments: String...) throws -> Execution {
      try Execution.run([Docsource.path, "remove", "--json"] + arguments, in: directory.root)
    }
    let removed = #""removed":[{"carrier":"user.x-document-source"}]}"# + "\n"
    let dry = try remove("-n", "f")
    #expect(dry.text == #"{"file":"f","outcome":"changed","dryRun":true,"# + removed)
    #expect(try remove("f").text == #"{"file":"f","outcome":"changed","# + removed)
    let again = try remove("f", "gone")
    #expect(
      again.text == """
        {"file":"f","outcome":"unchanged","reason":"no document source"}
        {"file":"gone","outcome":"failed",\
        "error":"cannot remove document source: no such file or directory"}

        """)
    #expect(
      again.errors == "docsource: gone: cannot remove document source: no such file or directory\n"
    )
    #expect(again.status == 2)
    let below = try remove("-r", ".")
    #expect(
      below.text == """
        {"file":".","outcome":"unchanged","reason":"no document source"}
        {"file":"./f","outcome":"unchanged","reason":"no document source"}

        """)
    #expect(below.errors == "docsource: 0 removed, 2 unchanged, 0 failed\n")
    #expect(below.status == 0)
    #expect(try remove("-rq", ".").text == "")
  }

  @Test(.enabled(if: FileSystem.mayMount, "chattr needs root"))
  func filesAndDirectoriesThatFailAreCountedAndStopNothing() throws {
    let directory = try TemporaryDirectory()
    let script = "mkdir -p tree/a && touch tree/f tree/a/g tree/a/h && chattr +i tree/a/g"
    #expect(try Execution.run(["sh", "-c", script], in: directory.root).status == 0)
    defer { _ = try? Execution.run(["chattr", "-i", directory.path("tree/a/g")]) }
    let reason = "the file is immutable; root can clear this flag with 'chattr -i'"
    let tagged = try Docsource.run(
      "tag", "-r", "--app-name", "x", "tree", "missing", in: directory.root)
    #expect(Self.files(tagged) == ["a/h", "f"])
    #expect(
      tagged.errors == """
        docsource: tree/a/g: cannot write document source: \(reason)
        docsource: missing: cannot write document source: no such file or directory
        docsource: 2 tagged, 0 unchanged, 2 failed

        """)
    #expect(tagged.status == 2)
    let quiet = try Docsource.run("tag", "-rq", "--app-name", "x", "tree", in: directory.root)
    #expect(
      quiet.errors == "docsource: tree/a/g: cannot write document source: \(reason)\n")
    #expect(quiet.status == 2)
  }

  @Test(.enabled(if: FileSystem.mayMount, "changing the user needs root"))
  func directoryThatCannotBeReadIsCountedAsFailed() throws {
    let system = try FileSystem(.tmpfs)
    let script = """
      cp "$0" docsource && mkdir -p tree/closed && touch tree/f tree/closed/g &&
      chown -R 65534 tree && chmod 0 tree/closed
      """
    #expect(try Execution.run(["sh", "-c", script, Docsource.path], in: system.root).status == 0)
    let user = ["setpriv", "--reuid", "65534", "--clear-groups", "./docsource"]
    let tagged = try Execution.run(
      user + ["tag", "-r", "--app-name", "x", "tree"], in: system.root)
    #expect(tagged.text == "tree/f: tagged: x\n")
    #expect(
      tagged.errors == """
        docsource: tree/closed: cannot read directory: permission denied
        docsource: 1 tagged, 0 unchanged, 1 failed

        """)
    #expect(tagged.status == 2)
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func readOnlyMountFailsForEachFileThatWouldChange() throws {
    let system = try FileSystem(.tmpfs)
    let script = "mkdir tree && cd tree && seq 40 | xargs touch && \"$0\" tag -q --app-name x 7 8 9"
    #expect(try Execution.run(["sh", "-c", script, Docsource.path], in: system.root).status == 0)
    #expect(try Execution.run(["mount", "-o", "remount,ro", system.root]).status == 0)
    let tagged = try Docsource.run("tag", "-rv", "--app-name", "x", "tree", in: system.root)
    let lines = tagged.errors.split(separator: "\n")
    let reason = ": cannot write document source: the file system is mounted read-only"
    #expect(Self.files(tagged) == ["7", "8", "9"])
    #expect(lines.count == 38)
    #expect(lines.count { $0.hasSuffix(reason) } == 37)
    #expect(lines.last == "docsource: 0 tagged, 3 unchanged, 37 failed")
    #expect(tagged.status == 2)
    let removed = try Docsource.run("remove", "-rq", "tree", in: system.root)
    #expect(removed.errors.split(separator: "\n").count == 3)
    #expect(removed.status == 2)
  }

  @Test(.enabled(if: FileSystem.mayMount, "mounting needs root"))
  func otherFileSystemsAreLeftOutWhereAskedFor() throws {
    let system = try FileSystem(.tmpfs)
    let script = """
      mkdir -p tree/a && touch tree/f && mount -t tmpfs tmpfs tree/a && touch tree/a/g &&
      "$0" tag -r --one-file-system --app-name x tree; "$0" tag -r -n --app-name x tree; umount tree/a
      """
    let tagged = try Execution.run(["sh", "-c", script, Docsource.path], in: system.root)
    #expect(
      tagged.text == """
        tree/f: tagged: x
        tree/a/g: would tag: x

        """)
    #expect(
      tagged.errors == """
        docsource: 1 tagged, 0 unchanged, 0 failed
        docsource: 1 would be tagged, 1 unchanged, 0 failed

        """)
  }
}

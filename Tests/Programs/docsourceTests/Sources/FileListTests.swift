import Foundation
import TestSupport
import Testing

/// Files that verbs take from a list, with `--files0-from`.
@Suite struct FileListTests {
  private static func run(
    _ words: [String], in directory: TemporaryDirectory, list: [String]? = nil
  ) throws -> Execution {
    try Execution.run(
      [Docsource.path] + words, in: directory.root,
      input: list.map { Array($0.map { $0 + "\0" }.joined().utf8) } ?? [])
  }

  private static func tree() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for name in ["a", "new\nline", "-dash", "d/b"] { try directory.file(name) }
    return directory
  }

  @Test func whatFindWritesIsTagged() throws {
    let directory = try Self.tree()
    let script = "find . -type f -print0 | \"$0\" tag --app-name x --files0-from=- | LC_ALL=C sort"
    let tagged = try Execution.run(["sh", "-c", script, Docsource.path], in: directory.root)
    #expect(
      tagged.text == """
        ./-dash: tagged: x
        ./a: tagged: x
        ./d/b: tagged: x
        ./new\\nline: tagged: x

        """)
    #expect(tagged.errors == "")
    let found = try Self.run(["find", "-0"], in: directory)
    try directory.write(found.output, to: "list")
    let removed = try Self.run(["remove", "-q", "--files0-from", "list"], in: directory)
    #expect(removed.errors == "")
    #expect(removed.status == 0)
    #expect(try Self.run(["find"], in: directory).status == 1)
  }

  @Test(arguments: [
    ["tag", "--app-name", "x"], ["show"], ["trace", "--no-recent"], ["adopt"], ["strip"],
    ["emit", "--xdg"], ["find"], ["export"], ["doctor"], ["icon", "--offline"], ["plist", "show"],
    ["plist", "check"],
  ])
  func everyVerbThatTakesFilesTakesAList(_ verb: [String]) throws {
    let directory = try Self.tree()
    let one = try Self.run(verb + ["./none"], in: directory)
    let listed = try Self.run(verb + ["--files0-from=-"], in: directory, list: ["./none"])
    #expect(listed.output == one.output)
    #expect(listed.errors == one.errors)
    #expect(listed.status == one.status)
    let nothing = try Self.run(verb + ["--files0-from=-"], in: directory, list: [])
    #expect(nothing.text == "")
    #expect(nothing.errors == "")
    #expect(nothing.status == 0)
  }

  @Test func copyTakesItsTargetsFromTheList() throws {
    let directory = try Self.tree()
    #expect(try Self.run(["tag", "-q", "--app-name", "x", "a"], in: directory).status == 0)
    let copied = try Self.run(
      ["copy", "-q", "a", "--files0-from=-"], in: directory, list: ["new\nline", "d/b"])
    #expect(copied.errors == "")
    #expect(copied.status == 0)
    let found = try Self.run(["find", "--count"], in: directory)
    #expect(found.text == "3\n")
    let refused = try Self.run(["copy", "--files0-from=-"], in: directory, list: ["a"])
    #expect(
      refused.errors
        == "docsource: copy: no file given to copy from; see 'docsource help copy'\n")
    #expect(refused.status == 64)
  }

  @Test func nameThatIsEmptyAndListWithoutNULAreReported() throws {
    let directory = try Self.tree()
    let empty = try Self.run(
      ["tag", "--app-name", "x", "--files0-from=-"], in: directory, list: ["a", "", "d/b"])
    #expect(empty.text == "a: tagged: x\nd/b: tagged: x\n")
    #expect(empty.errors == "docsource: standard input: name 2 is empty\n")
    #expect(empty.status == 2)
    try directory.file("list", "a\nd/b\n")
    let lines = try Self.run(["show", "--files0-from=list"], in: directory)
    #expect(lines.text == "")
    #expect(
      lines.errors == "docsource: list: the names are not NUL-terminated;"
        + " use 'find -print0' to write the list\n")
    #expect(lines.status == 2)
    let missing = try Self.run(["show", "--files0-from=none"], in: directory)
    #expect(missing.errors == "docsource: none: cannot read: no such file or directory\n")
    #expect(missing.status == 2)
    let both = try Self.run(["show", "--files0-from=list", "a"], in: directory)
    #expect(
      both.errors == "docsource: show: --files0-from and files cannot be combined;"
        + " see 'docsource help show'\n")
    #expect(both.status == 64)
  }

  @Test func dashIsNoFileButInAList() throws {
    let directory = try Self.tree()
    try directory.file("-")
    for verb in [["tag", "--app-name", "x"], ["show"], ["strip"], ["find"]] {
      let refused = try Self.run(verb + ["-"], in: directory)
      #expect(
        refused.errors == "docsource: \(verb[0]): '-' is not standard input here; write ./-"
          + " for a file of that name, or --files0-from=- to read a list of files;"
          + " see 'docsource help \(verb[0])'\n")
      #expect(refused.status == 64)
    }
    let copied = try Self.run(["copy", "-", "--files0-from=-"], in: directory, list: ["a"])
    #expect(copied.errors.hasPrefix("docsource: copy: '-' is not standard input here; write ./-"))
    #expect(copied.status == 64)
    let watched = try Self.run(["watch", "-n", "-"], in: directory)
    #expect(
      watched.errors == "docsource: watch: '-' is not standard input here; write ./-"
        + " for a directory of that name; see 'docsource help watch'\n")
    #expect(watched.status == 64)
    let tagged = try Self.run(
      ["tag", "--app-name", "x", "--files0-from=-"], in: directory, list: ["-"])
    #expect(tagged.text == "-: tagged: x\n")
    #expect(try Self.run(["show", "--field=name", "./-"], in: directory).text == "x\n")
  }
}

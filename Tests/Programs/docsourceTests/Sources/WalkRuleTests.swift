import Foundation
import TestSupport
import Testing

/// Which files below a directory a verb takes: one rule for all verbs, by docsource(1).
@Suite struct WalkRuleTests {
  /// A work tree of Git with hidden files and other version control, all of it without sources.
  private static func repository() throws -> TemporaryDirectory {
    let tree = try TemporaryDirectory()
    for name in [
      "a", ".env", ".config/c", "build/out", "build/keep", "sub/b.o", "sub/CVS/Root", ".hg/h",
    ] { try tree.file("top/" + name) }
    try tree.file("top/.gitignore", "*.o\nbuild/*\n!build/keep\n")
    try tree.file("top/sub/.gitignore", "/c\n")
    try tree.file("top/sub/c")
    let script = """
      cd top && git init -q . && git add a &&
      git -c user.name=Me -c user.email=me@example.org commit -qm A && git worktree add -q work
      """
    let made = try Execution.run(["sh", "-c", script], in: tree.root)
    try #require(made.status == 0, "\(made.errors)")
    return tree
  }

  private static let plain = [
    ".config/c", ".env", ".gitignore", "a", "build/keep", "build/out", "sub/.gitignore", "sub/b.o",
    "sub/c", "work/a",
  ]
  private static let visible = [
    "a", "build/keep", "build/out", "sub/b.o", "sub/c", "work/a",
  ]

  private static func files(_ lines: String) -> [String] {
    lines.split(separator: "\n").map { line in
      String(line.prefix { $0 != ":" }.dropFirst("top/".count))
    }.sorted()
  }

  private static func run(_ words: [String], in tree: TemporaryDirectory) throws -> Execution {
    try Execution.run([Docsource.path] + words, in: tree.root)
  }

  @Test func taggingAFreshWorkTreeLeavesGitAlone() throws {
    let tree = try Self.repository()
    let tagged = try Self.run(["tag", "-r", "--app-name", "x", "top"], in: tree)
    #expect(Self.files(tagged.text) == Self.plain)
    #expect(tagged.errors == "docsource: 10 tagged, 0 unchanged, 0 failed\n")
    #expect(tagged.status == 0)
    let inside = try Execution.run(
      [
        "getfattr", "-Rh", "-m", "x-document-source", "top/.git", "top/.hg", "top/sub/CVS",
        "top/work/.git",
      ], in: tree.root)
    #expect(inside.text == "")
  }

  @Test(arguments: [
    ([], plain), (["--no-hidden"], visible),
    (["--no-hidden", "--exclude", "build", "-E", "*.o"], ["a", "sub/c", "work/a"]),
    (["--no-hidden", "-E", "/a", "-E", "sub/*"], ["build/keep", "build/out", "work/a"]),
    (["--no-hidden", "--exclude=**/{a,b}"], visible), (["--exclude", ".*", "-E!a"], visible),
  ])
  func everyVerbLeavesOutTheSame(_ options: [String], _ files: [String]) throws {
    let tree = try Self.repository()
    let all = try Self.run(["tag", "-rq", "--hidden", "--app-name", "x", "top"], in: tree)
    #expect(all.status == 0, "\(all.errors)")
    for verb in [
      ["tag", "-rn", "--app-name", "y"], ["show", "-r"], ["trace", "-r", "--no-recent"],
      ["find", "-tf", "--format", "{}"], ["remove", "-rn", "-E", "CVS", "-E.hg", "-E.git"],
      ["strip", "-rn", "-E", "CVS", "-E.hg", "-E.git"],
    ] {
      let execution = try Self.run(verb + options + ["top"], in: tree)
      let lines = execution.text.split(separator: "\n").filter { $0.hasPrefix("top/") }
      #expect(Self.files(lines.joined(separator: "\n")) == files, "\(verb)")
    }
    let exported = try Self.run(["export", "--format", "getfattr"] + options + ["top"], in: tree)
    #expect(
      exported.text.split(separator: "\n").filter { $0.hasPrefix("# file: ") }
        .map { String($0.dropFirst("# file: ".count)) } == files)
  }

  @Test func adoptionLeavesOutTheSame() throws {
    let tree = try Self.repository()
    let carrier = try Fixture.bytes("AppleDouble/kernel.appledouble")
    for name in ["top/._a", "top/._.env", "top/.hg/._h"] { try tree.write(carrier, to: name) }
    func adopted(_ options: String...) throws -> Set<String> {
      let lines = try Self.run(["adopt", "-rn"] + options + ["top"], in: tree).text
      return Set(Self.files(lines))
    }
    #expect(try adopted() == ["a", ".env"])
    #expect(try adopted("--no-hidden") == ["a"])
    #expect(try adopted("--hidden") == ["a", ".env", ".hg/h"])
    #expect(try adopted("--exclude", "a") == [".env"])
  }

  @Test(arguments: ["remove", "strip"])
  func privacyGoesEverywhereButIntoObjectsAndIndex(_ verb: String) throws {
    let tree = try Self.repository()
    let script = """
      find top -type f -exec chmod u+w {} + &&
      find top -type f -exec setfattr -n user.x-document-source -v x {} +
      """
    try #require(Execution.run(["sh", "-c", script], in: tree.root).status == 0)
    let done = try Self.run([verb, "-rq", "top"], in: tree)
    #expect(done.errors == "")
    #expect(done.status == 0)
    let left = try Execution.run(
      ["sh", "-c", "getfattr -R --absolute-names -m x-document-source top | grep '^# file'"],
      in: tree.root)
    let paths = left.text.split(separator: "\n").map { $0.dropFirst("# file: top/".count) }
    #expect(paths.contains(".git/index") && paths.contains(".git/worktrees/work/index"))
    #expect(paths.count == 5)
    #expect(paths.count { $0.hasPrefix(".git/objects/") } == 3)
    let hides = try Self.run([verb, "-rn", "--no-hidden", "top"], in: tree)
    #expect(hides.text == "")
  }

  @Test func gitignoreIsHeededWhereAskedFor() throws {
    let tree = try Self.repository()
    let rest = Self.plain.filter { !["build/out", "sub/b.o", "sub/c"].contains($0) }
    let tagged = try Self.run(["tag", "-r", "--gitignore", "--app-name", "x", "top"], in: tree)
    #expect(Self.files(tagged.text) == rest)
    let found = try Self.run(["find", "--untagged", "-tf", "--sort", "top"], in: tree)
    #expect(found.text == "top/build/out\ntop/sub/b.o\ntop/sub/c\n")
    let none = try Self.run(["find", "--untagged", "-tf", "--gitignore", "top/sub"], in: tree)
    #expect(none.text == "")
    #expect(none.status == 1)
    // What is named is taken.
    let named = try Self.run(
      ["find", "--untagged", "-td", "-tf", "--gitignore", "top/build", "top/sub/c"], in: tree)
    #expect(named.text == "top/build\ntop/sub/c\n")
  }

  @Test func wrongOptionsAreRefused() throws {
    let directory = try TemporaryDirectory()
    for (options, message) in [
      (["--hidden", "--no-hidden"], "--hidden and --no-hidden cannot be combined"),
      (["--exclude", ""], "--exclude: '' matches nothing"),
      (["--exclude", "//"], "--exclude: '//' matches nothing"),
      (
        ["--exclude", "a[b"],
        "--exclude: 'a[b': unclosed '[' at byte 1; write '\\[' for the character"
      ),
    ] {
      let refused = try Self.run(["find"] + options, in: directory)
      #expect(refused.errors == "docsource: find: \(message); see 'docsource help find'\n")
      #expect(refused.status == 64)
    }
    let foreign = try Self.run(["show", "--gitignore", "x"], in: directory)
    #expect(foreign.status == 64)
  }
}

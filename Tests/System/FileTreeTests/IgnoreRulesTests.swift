import Foundation
import Glibc
import TestSupport
import Testing

@testable import FileTree

/// Patterns of .gitignore files, and walks that heed them, held against Git itself.
@Suite struct IgnoreRulesTests {
  private static func matches(_ line: String, _ path: String) -> Bool? {
    var row: [Bool] = []
    let isDirectory = path.hasSuffix("/")
    return IgnorePattern(line: Array(line.utf8)[...])?.matches(
      Array(path.utf8)[..<(path.utf8.count - (isDirectory ? 1 : 0))], isDirectory: isDirectory,
      &row)
  }

  @Test(arguments: [
    ("a", "a", true), ("a", "b/a", true), ("a", "a/b", false), ("/a", "a", true),
    ("/a", "b/a", false), ("a/b", "a/b", true), ("a/b", "c/a/b", false), ("a/", "a", false),
    ("a/", "b/a/", true), ("*.o", "b/x.o", true), ("a/*", "a/b/c", false), ("a?b", "a/b", false),
    ("a[!c]b", "a/b", false), ("**/a", "a", true), ("**/a", "b/c/a", true), ("a/**", "a/b/c", true),
    ("a/**", "a/", false), ("a/**/b", "a/b", true), ("a/**/b", "a/c/d/b", true),
    ("a/**/b", "a/cb", false), ("a**b/c", "ab/c", true), ("x/a**b", "x/a/b", false),
    ("\\#a", "#a", true), ("\\!a", "!a", true), ("a\\ ", "a ", true), ("a  ", "a", true),
    ("a\t", "a", false), ("?", "é", false), ("??", "é", true), ("[[:digit:]]", "7", true),
    ("[]-a]", "_", true), ("[a-]", "-", true), ("A", "a", false),
  ])
  func patternMatchesAsInGit(_ line: String, _ path: String, _ expected: Bool) {
    #expect(Self.matches(line, path) == expected)
  }

  @Test(arguments: ["", " ", "# a", "!", "a\\", "[a", "[[:nope:]]"])
  func lineThatCanMatchNothingIsNoPattern(_ line: String) {
    #expect(Self.matches(line, "a") == nil)
  }

  @Test func flawOfATypedPatternIsReported() {
    #expect(throws: GlobFlaw(.unclosedBracket, at: 1)) { try IgnorePattern(Array("a[b".utf8)) }
    #expect(throws: GlobFlaw(.unknownClass, at: 1)) { try IgnorePattern(Array("[[:b:]]".utf8)) }
    #expect(throws: GlobFlaw(.nothingEscaped, at: 0)) { try IgnorePattern(Array("\\".utf8)) }
  }

  /// Git's own matcher takes years for such a pattern.
  @Test func hostilePatternIsMatchedInTimeThatIsBounded() throws {
    let line = String(repeating: "**/*a", count: 1000) + "/[b]"
    let path = String(repeating: "aaa/", count: 1000) + "c"
    let time = Patience.processorTime { #expect(Self.matches(line, path) == false) }
    #expect(time < .seconds(60))
  }

  private static let environment = [
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent",
    "XDG_CONFIG_HOME": "/nonexistent",
  ]

  /// A tree with files, directories, links and .gitignore files of any kind.
  private struct Tree {
    let directory: TemporaryDirectory
    private(set) var paths: [String] = []
    private(set) var directories = [""]
    private var random: SplitMix

    private static let names = [
      "a", "b", "ab", "foo", "foobar", "a b", ".x", "x.o", "[a]", "A", "b ", "é", "!a", "#a",
      "a\\b",
    ]
    private static let tokens = [
      "a", "b", "ab", "*", "**", "?", "[ab]", "[!a]", "[^b-c]", "/", "/", "/", "\\a", "\\*", " ",
      "!", "foo", "bar", "[[:alpha:]]", "[a-", "[]", ".", "x.o", "**/", "/**", "/**/", "\\ ", "#",
      "[[:nope:]]", "[a\\]b]", "*o", "é", "[\\a-\\c]", "\\", "[]-a]", "\t", "[[a]",
    ]

    init(seed: UInt64) throws {
      directory = try TemporaryDirectory()
      random = SplitMix(state: seed)
      try grow("", 0)
      for place in directories where random.next() % 3 == 0 {
        try writeRules(place + ".gitignore")
        paths.append(place + ".gitignore")
      }
      if random.next() % 2 == 0 { try writeRules(".git/info/exclude") }
    }

    private mutating func grow(_ place: String, _ depth: Int) throws {
      for name in Self.names where random.next() % 4 == 0 {
        let path = place + name
        switch random.next() % 20 {
        case ..<11 where depth < 4:
          try FileManager.default.createDirectory(
            atPath: directory.path(path), withIntermediateDirectories: true)
          directories.append(path + "/")
          try grow(path + "/", depth + 1)
        case 19: symlink("/usr", directory.path(path))
        default: try directory.file(path)
        }
        paths.append(path)
      }
    }

    private mutating func writeRules(_ path: String) throws {
      let lines = (0...random.next() % 6).map { _ in line() }
      let ends = ["\n", "\n", "\r\n"]
      let end = ends[Int(random.next() % 3)]
      let mark = random.next() % 5 == 0 ? "\u{feff}" : ""
      try directory.write(
        Array((mark + lines.joined(separator: end) + (random.next() % 3 == 0 ? "" : end)).utf8),
        to: path)
    }

    private mutating func line() -> String {
      var line = ""
      if random.next() % 3 == 0, let path = paths.randomElement(using: &random) {
        line = random.next() % 2 == 0 ? path : String(path.split(separator: "/").last ?? "")
        if let star = line.indices.randomElement(using: &random), random.next() % 2 == 0 {
          line.replaceSubrange(star...star, with: ["*", "?", "**"][Int(random.next() % 3)])
        }
      } else {
        for _ in 0...random.next() % 4 {
          line += Self.tokens.randomElement(using: &random) ?? ""
        }
      }
      if random.next() % 4 == 0 { line = "!" + line }
      if random.next() % 7 == 0 { line = "/" + line }
      if random.next() % 5 == 0 { line += "/" }
      return line
    }
  }

  @Test(arguments: 0..<40)
  func walkLeavesOutWhatGitIgnores(_ number: Int) throws {
    let seed = UInt64(number)
    let tree = try Tree(seed: seed)
    let root = tree.directory.root
    try #require(
      Execution.run(["git", "init", "-q", root], environment: Self.environment).status == 0)
    let ignored = try Execution.run(
      ["git", "-C", root, "check-ignore", "-z", "--stdin"], environment: Self.environment,
      input: Array(tree.paths.joined(separator: "\0").utf8))
    try #require(ignored.status < 2, "\(ignored.errors)")
    let wanted = Set(tree.paths.map { Array($0.utf8) })
      .subtracting(ignored.output.split(separator: 0).map(Array.init))
    // The rules above the root of a walk count as well.
    let places = tree.directories.prefix(3).filter {
      $0.isEmpty || wanted.contains(Array($0.utf8.dropLast()))
    }
    for place in places {
      let walked = try Visited(
        place.isEmpty ? root : "\(root)/\(place.dropLast())", "--workers",
        "\(number % 2 + 1)", "--list", "--gitignore", "--no-version-control")
      let start = "f \(root)/".utf8.count + place.utf8.count
      let expected = wanted.filter { $0.starts(with: place.utf8) && $0.count > place.utf8.count }
        .map { Array($0.dropFirst(place.utf8.count)) }
      #expect(
        Set(walked.bytes.map { Array($0.dropFirst(start)) }) == Set(expected),
        "seed \(seed), below '\(place)'")
      #expect(walked.failures == [])
    }
  }

  @Test func repositoryInsideGoesByItsOwnRules() throws {
    let tree = try TemporaryDirectory()
    for name in ["a.o", "a.c", "inner/a.o", "inner/a.c", "inner/deep/a.c", "inner/.git/HEAD"] {
      try tree.file(name)
    }
    try tree.file(".git/HEAD")
    try tree.file(".gitignore", "*.o\n")
    try tree.file("inner/.gitignore", "*.c\n")
    #expect(
      try Visited(tree.root, "--list", "--gitignore", "--no-hidden").entries
        == ["d inner", "d inner/deep", "f a.c", "f inner/a.o"])
    #expect(
      try Visited(tree.path("inner/deep"), "--list", "--gitignore", "--no-hidden").entries == [])
  }

  @Test func linkedWorktreesAndSubmodulesHaveTheirRepositorysRules() throws {
    let tree = try TemporaryDirectory()
    try tree.file("main/a")
    try tree.file("module/a")
    let script = """
      export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
      set -e
      for name in main module; do
        git init -q $name && git -C $name add a && git -C $name commit -qm a
      done
      git -C main worktree add -q ../linked
      git -C main -c protocol.file.allow=always submodule add -q ../module inner
      echo '*.o' >>main/.git/info/exclude
      echo '*.c' >>main/.git/modules/inner/info/exclude
      for place in linked main/inner; do touch $place/x.o $place/x.c; done
      """
    let made = try Execution.run(
      ["sh", "-c", script], in: tree.root, environment: Self.environment)
    try #require(made.status == 0, "\(made.errors)")
    #expect(
      try Visited(tree.path("linked"), "--list", "--gitignore", "--no-hidden").entries
        == ["f a", "f x.c"])
    #expect(
      try Visited(tree.path("main/inner"), "--list", "--gitignore", "--no-hidden").entries
        == ["f a", "f x.o"])
    try tree.file("linked/.git", "gitdir: \n")
    #expect(
      try Visited(tree.path("linked"), "--list", "--gitignore", "--no-hidden").entries
        == ["f a", "f x.c", "f x.o"])
  }

  /// A FIFO must not block, and a link may lead to somebody else's file.
  @Test func rulesThatAreNoRegularFileSayNothing() throws {
    let tree = try TemporaryDirectory()
    for name in [".git/HEAD", "rules", "a/x", "b/x", "c/x"] { try tree.file(name, "x\n") }
    mkfifo(tree.path("a/.gitignore"), 0o644)
    symlink("../rules", tree.path("b/.gitignore"))
    try tree.file("c/.gitignore", "x\n")
    #expect(
      try Visited(tree.root, "--list", "--gitignore", "--no-hidden").entries
        == ["d a", "d b", "d c", "f a/x", "f b/x", "f rules"])
  }
}

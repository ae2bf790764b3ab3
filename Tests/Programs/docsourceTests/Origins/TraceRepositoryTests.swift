import Foundation
import TestSupport
import Testing

/// What `trace` takes from repositories of git.
@Suite struct TraceRepositoryTests {
  private let user: BrowserUser
  private let commit: String

  init() throws {
    user = try BrowserUser()
    try user.home.file("tool/src/a.c")
    try user.home.file("tool/b.c")
    try user.home.file("tool/.gitignore", "*.o\n")
    commit = try Self.commit("First \"one\"", user)
    try Self.git(["remote", "add", "origin", "https://me:secret@example.com/x/tool.git"], user)
  }

  @discardableResult
  private static func git(
    _ arguments: [String], _ user: BrowserUser, in directory: String = "tool",
    environment: [String: String] = [:]
  ) throws -> String {
    let own = [
      "GIT_AUTHOR_NAME": "Ada", "GIT_COMMITTER_NAME": "Ada", "EMAIL": "ada@example.com",
      "GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000",
    ]
    let run = try Execution.run(
      ["git"] + arguments, in: user.home.path(directory),
      environment: user.environment.merging(own) { $1 }.merging(environment) { $1 })
    #expect(run.status == 0, "\(run.errors)")
    return run.text.trimmingCharacters(in: .newlines)
  }

  private static func commit(
    _ subject: String, _ user: BrowserUser, environment: [String: String] = [:]
  ) throws -> String {
    try git(["init", "-q", "-b", "main"], user)
    try git(["add", "-A"], user)
    try git(["commit", "-q", "-m", subject], user, environment: environment)
    return try git(["rev-parse", "HEAD"], user)
  }

  private func trace(_ arguments: String...) throws -> Execution {
    try user.run("trace", ["--no-embedded"] + arguments)
  }

  private var root: String { user.home.path("tool") }

  @Test func commitAnswersWhereNothingElseDoes() throws {
    let start = """
      Repository   "tool", "https://example.com/x/tool.git": commit \(commit.prefix(8)) of 2023-11-14 by \
      "Ada", "First \\"one\\"";
      """
    let execution = try trace("tool/src/a.c")
    #expect(
      execution.text == """
        tool/src/a.c: from the repository tool
          \(start) unchanged since
            \(root) (recorded by path; may describe an earlier file at this path)

        """)
    #expect(execution.errors == "")
    #expect(execution.status == 0)
    try user.home.file("tool/src/a.c", "other\n")
    #expect(try trace("tool/src/a.c").text.contains("\n  \(start) changed since\n"))
    try Self.git(["add", "src/a.c"], user)
    #expect(try trace("tool/src/a.c").text.contains("\n  \(start) staged\n"))
    let without = try trace("--no-records", "tool/src/a.c")
    #expect(without.errors == "docsource: tool/src/a.c: no mark of origin\n")
    #expect(without.status == 1)
    #expect(try trace("--raw", root, "tool/src/a.c").text == commit)
  }

  @Test func jsonHasTheRepository() throws {
    let bytes = Data(commit.utf8).base64EncodedString()
    #expect(
      try trace("--json", "tool/b.c").text == """
        {"file":"tool/b.c","origin":{"repository":"tool"},"marks":[{"mark":"repository",\
        "carrier":"\(root)","form":"repository","trust":"record","value":{"name":"tool",\
        "root":"\(root)","remote":"https://example.com/x/tool.git","path":"b.c",\
        "state":"unchanged","commit":{"id":"\(commit)","time":"2023-11-14T22:13:20Z",\
        "author":"Ada","subject":"First \\"one\\""}},"bytes":"\(bytes)"}],"contradictions":[],\
        "flaws":[]}

        """)
  }

  @Test func filesThatAreNotTrackedAreNotFromTheRepository() throws {
    try user.home.file("tool/new")
    try user.home.file("tool/a.o")
    try user.home.file("beside")
    let new = try trace("tool/new")
    #expect(
      new.text == """
        tool/new: not tracked by the repository tool
          Repository   "tool", "https://example.com/x/tool.git": not tracked
            \(root) (recorded by path; may describe an earlier file at this path)

        """)
    #expect(new.status == 0)
    #expect(try trace("tool/a.o").text.hasPrefix("tool/a.o: ignored by the repository tool\n"))
    #expect(try trace("--json", "tool/a.o").text.contains(#""origin":null"#))
    #expect(try trace("tool/.git/config").errors.contains("no mark of origin"))
    #expect(try trace("beside").errors.contains("no mark of origin"))
  }

  @Test func treesAndSeveralFilesHaveTheirRepositories() throws {
    try user.home.file("tool/out/new")
    try user.home.file("tool/a.o")
    let lines = try trace("-r", "-j1", "--records", "tool").text.split(separator: "\n").dropLast()
    #expect(
      Set(lines.map(String.init)) == [
        "tool: from the repository tool", "tool/src: from the repository tool",
        "tool/src/a.c: from the repository tool", "tool/b.c: from the repository tool",
        "tool/.gitignore: from the repository tool",
        "tool/out: not tracked by the repository tool",
        "tool/out/new: not tracked by the repository tool",
        "tool/a.o: ignored by the repository tool",
      ])
    #expect(try trace("-r", "tool").status == 1)
    let all = try trace("-r", "-j1", "--all", ".").text
    #expect(all.contains("\n./tool/src/a.c: from the repository tool\n"))
    let several = try trace("tool/b.c", "tool/a.o", "tool/src/a.c", "tool/.gitignore", "tool").text
    #expect(
      several.split(separator: "\n").filter { !$0.hasPrefix(" ") } == [
        "tool/b.c: from the repository tool", "tool/a.o: ignored by the repository tool",
        "tool/src/a.c: from the repository tool", "tool/.gitignore: from the repository tool",
        "tool: from the repository tool",
      ])
  }

  @Test func innermostRepositoryHasTheFile() throws {
    try user.home.file("tool/inner/c")
    try Self.git(["init", "-q", "inner"], user)
    let line = "tool/inner/c: not tracked by the repository inner\n"
    #expect(try trace("tool/inner/c").text.hasPrefix(line))
    #expect(try trace("-r", "--records", "tool").text.contains(line))
    // What is no repository is passed over, as git does.
    try FileManager.default.removeItem(atPath: user.home.path("tool/inner/.git/objects"))
    #expect(
      try trace("tool/inner/c").text.hasPrefix("tool/inner/c: not tracked by the repository tool\n")
    )
  }

  @Test func marksAndPackagesCountMore() throws {
    let site = "tool/v/site-packages"
    try user.home.file(site + "/tiny-1.0.dist-info/METADATA", "Name: tiny\nVersion: 1.0\n")
    try user.home.file(site + "/tiny-1.0.dist-info/RECORD", "tiny.py,,\n")
    try user.home.file(site + "/tiny.py")
    _ = try Self.commit("Second", user)
    let text = try trace(site + "/tiny.py").text
    #expect(text.hasPrefix("\(site)/tiny.py: from the package tiny 1.0\n"))
    #expect(text.contains("\n  Repository   \"tool\""))
  }

  @Test func textsOfTheRepositoryAreEscaped() throws {
    try user.home.file("tool/c")
    _ = try Self.commit(
      "a\u{1b}[2J\" x", user, environment: ["GIT_AUTHOR_NAME": "\u{202e}Eve"])
    try Self.git(["remote", "set-url", "origin", "https://example.com/a\u{1b}b c.git"], user)
    let text = try trace("tool/c").text
    #expect(text.hasPrefix(#"tool/c: from the repository "a\x1bb c""# + "\n"), "\(text)")
    #expect(text.contains(#"by "\u{202e}Eve", "a\x1b[2J\" x"; unchanged since"#), "\(text)")
  }

  @Test func ceilingEndsTheSearch() throws {
    let words = [Docsource.path, "trace", "--no-embedded", "tool/src/a.c"]
    for (ceiling, status) in [(root, Int32(1)), (user.home.root, 0), (root + "/src", 0)] {
      let run = try Execution.run(
        words, in: user.home.root,
        environment: user.environment.merging(["GIT_CEILING_DIRECTORIES": ceiling]) { $1 })
      #expect(run.status == status, "\(ceiling)")
    }
  }

  /// Needs to be root.
  @Test func repositoryOfAnotherUserIsReadOnlyIfTheSettingsSaySo() throws {
    guard geteuid() == 0 else { return }
    #expect(try Execution.run(["chown", "-R", "65534", root]).status == 0)
    let refused = try trace("tool/b.c")
    #expect(refused.errors == "docsource: tool/b.c: no mark of origin\n")
    #expect(
      try Execution.run(
        ["git", "log", "-1"], in: root, environment: user.environment
      ).errors.hasPrefix("fatal: detected dubious ownership"))
    try user.home.file(".gitconfig", "[safe]\n\tdirectory = \(root)\n")
    #expect(try trace("tool/b.c").text.hasPrefix("tool/b.c: from the repository tool\n"))
  }

  @Test func settingsThatIncludeDevicesAndGiantsEnd() throws {
    let config = user.home.path("tool/.git/config")
    let plain = try String(contentsOfFile: config, encoding: .utf8)
    func include(_ path: String) throws {
      try user.home.file("tool/.git/config", plain + "[include]\n\tpath = \(path)\n")
    }
    try include("/dev/zero")
    #expect(try trace("tool/b.c").status == 0)
    let giant = user.home.path("giant")
    #expect(try Execution.run(["truncate", "-s", "6G", giant]).status == 0)
    try include(giant)
    let large = try trace("tool/b.c")
    #expect(large.status == 2)
    #expect(large.errors.contains("\ndocsource: \(root): cannot read the repository: "))
    let fifo = user.home.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    try include(fifo)
    let waiting = try trace("tool/b.c")
    #expect(waiting.status == 2)
    #expect(
      waiting.errors.hasSuffix(
        "\ndocsource: \(root): cannot read the repository: no answer in 12000 ms\n"))
  }

  /// As strace sees them, system calls of the companion open no file for writing, start nothing and reach no
  /// network.
  @Test func companionWritesNothing() throws {
    let log = user.home.path("log")
    // A log for each process, since several run at a time.
    let run = try Execution.run(
      ["strace", "-ff", "-o", log, "-e", "trace=openat,open,creat,execve,connect,unlink,rename"]
        + [Docsource.path, "trace", "--no-embedded", "tool/b.c"], in: user.home.root,
      environment: user.environment)
    #expect(run.status == 0)
    let logs = try FileManager.default.contentsOfDirectory(atPath: user.home.root)
      .filter { $0.hasPrefix("log.") }
      .map { name in
        try String(contentsOfFile: user.home.path(name), encoding: .utf8).split(separator: "\n")
      }
    let ofRepositories = logs.first { calls in
      calls.contains { $0.contains("execve(") && $0.contains("docsource-repositories") }
    }
    let own = try #require(ofRepositories).drop { !$0.contains("docsource-repositories") }
      .dropFirst()
    #expect(own.contains { $0.contains("tool/.git/") })
    for call in own {
      #expect(
        call.contains("O_RDONLY") || call.contains("exited with 0") || call.contains("O_PATH"),
        "\(call)")
    }
  }
}

import Foundation
import TestSupport
import Testing

/// Every command that the README and the manual pages show with its output is run, and prints that.
@Suite struct ReadmeTests {
  private static func readme() throws -> String {
    try String(contentsOf: Fixture.root.appending(path: "README.md"), encoding: .utf8)
  }

  private static func blocks(_ language: String) throws -> [Substring] {
    try readme().components(separatedBy: "\n```\(language)\n").dropFirst().map { rest in
      rest[..<(rest.range(of: "\n```")?.lowerBound ?? rest.endIndex)]
    }
  }

  /// The sections of manual pages that show commands with their output, and the Debian packages that
  /// they need besides the essential ones.
  static let sessions: [(String, String, [String])] = [
    ("docsource-apps.1", "EXAMPLE SESSION", []),
    ("docsource-export.1", "GIT AND OTHER PROGRAMS WITHOUT ATTRIBUTES", ["git", "attr"]),
    ("docsource-find.1", "EXAMPLE SESSION", ["findutils"]),
    ("docsource-icon.1", "EXAMPLE SESSION", ["file"]),
    ("docsource-item.1", "EXAMPLE SESSION", []), ("docsource-link.1", "EXAMPLE SESSION", []),
    ("docsource-marks.7", "EXAMPLE SESSION", ["attr"]),
    ("docsource-plist.1", "EXAMPLE SESSION", []),
    (
      "docsource-sharing.7", "FROM AN INFO.PLIST TO A SHARE TARGET", ["python3-minimal", "python3"]
    ), ("docsource-tag.1", "EXAMPLE SESSION", []),
  ]
  /// The section that DuckDB runs.
  private static let machines = ("docsource-export.1", "MANY MACHINES")
  private static let duckDB = Fixture.root.appending(path: ".build/duckdb").path

  @Test func consoleBlocksAreTranscripts() throws {
    let lines = try Self.blocks("console").flatMap { block in
      block.split(separator: "\n", omittingEmptySubsequences: false)
    }
    #expect(try Self.readme().contains("package `attr`"))
    try run(Transcript(lines), packages: ["attr"])
  }

  @Test(arguments: ReadmeTests.sessions)
  func sessionsOfPagesAreTranscripts(
    _ name: String, _ section: String, _ packages: [String]
  ) throws {
    let page = try RenderedPage(name)
    let transcript = Transcript(page.blocks(below: section).joined())
    #expect(!transcript.steps.isEmpty)
    for package in packages {
      #expect(page.text(below: section).contains("package \(package)"), "\(package)")
    }
    try run(transcript, packages: packages)
  }

  /// `make test-tools` installs DuckDB, which no Debian has, and runs this.
  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: ReadmeTests.duckDB), "make setup-duckdb"))
  func manifestsOfManyMachinesAreQueriedWithDuckDB() throws {
    let page = try RenderedPage(Self.machines.0)
    let blocks = page.blocks(below: Self.machines.1)
    #expect(blocks.count == 3)
    let transcript = Transcript(blocks.prefix(2).joined())
    #expect(transcript.steps.count == 7)
    try run(
      transcript, packages: [], programs: ["python3"], environment: ["PYTHONPATH": Self.duckDB])
  }

  @Test func everySessionOfThePagesIsRun() throws {
    let man = Fixture.root.appending(path: "Sources/Integrations/man").path
    var found: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: man) {
      let page = try RenderedPage(name)
      for (title, _) in page.sections
      where page.blocks(below: title).contains(where: { $0[0].hasPrefix("$ ") }) {
        found.insert("\(name) \(title)")
      }
    }
    let run = Self.sessions.map { "\($0.0) \($0.1)" } + ["\(Self.machines.0) \(Self.machines.1)"]
    #expect(found == Set(run))
  }

  /// Runs commands with no programs but docsource, those of packages that every Debian has, and those
  /// of what the document names.
  private func run(
    _ transcript: Transcript, packages: [String], programs: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    let directory = try TemporaryDirectory()
    let home = try TemporaryDirectory()
    let tools = try TemporaryDirectory()
    symlink(Docsource.path, tools.path("docsource"))
    let script = """
      essential=$(dpkg-query -W -f '${Essential} ${Package}\\n' | sed -n 's/^yes //p')
      dpkg-query -L $essential "$@" | grep -Ex '(/usr)?/bin/[^/]+' | while read -r program; do
        [ ! -x "$program" ] || ln -sf "$program" .
      done
      """
    let linked = try Execution.run(["sh", "-c", script, "sh"] + packages, in: tools.root)
    try #require(linked.errors == "")
    for program in programs {
      let place = try Execution.run(["sh", "-c", "command -v \(program)"]).text
      symlink(String(place.dropLast()), tools.path(program))
    }
    try directory.write(Fixture.bytes("Pictures/scaling.png"), to: "editor.png")
    // A user of the test's own, and a system without icons.
    let user = ["HOME": home.root, "XDG_DATA_DIRS": home.path("share"), "PATH": tools.root].merging(
      ["CACHE", "CONFIG", "DATA"].map { ("XDG_\($0)_HOME", "") }
    ) { $1 }
    for step in transcript.steps {
      let execution = try Execution.run(
        ["/bin/sh", "-c", "{ \(step.command)\n} 2>&1"], in: directory.root,
        environment: user.merging(environment) { $1 })
      #expect(execution.text == step.output, "\(step.command)")
    }
  }

  @Test func readmeIsShort() throws {
    let words = try Self.readme().split { $0.isWhitespace }
    #expect(words.count <= 1300)
  }

  @Test func pagesThatTheReadmeNamesAreThere() throws {
    let man = Fixture.root.appending(path: "Sources/Integrations/man").path
    let pages = try FileManager.default.contentsOfDirectory(atPath: man)
    let named = try Self.readme().matches(
      of: /([a-z-]*(?:docsource|documentsource)[a-z-]*)\((\d)\)/)
    #expect(named.count > 8)
    for page in named { #expect(pages.contains("\(page.1).\(page.2)"), "\(page.0)") }
  }

  /// `make test` builds and runs the consumer, which so proves the example.
  @Test func swiftExampleIsWhatTheConsumerRuns() throws {
    let url = Fixture.root.appending(path: "Tests/Consumer/Sources/Consumer/main.swift")
    let consumer = try String(contentsOf: url, encoding: .utf8)
    let example = try #require(try Self.blocks("swift").last)
    #expect(example.split(separator: "\n").count == 6)
    for line in example.split(separator: "\n") { #expect(consumer.contains(line), "\(line)") }
    let block = try RenderedPage("documentsource.3").blocks(below: "SWIFT")
    #expect(block.map { $0.joined(separator: "\n") } == [String(example)])
  }

  @Test func makeTargetsAreThere() throws {
    let url = Fixture.root.appending(path: "Makefile")
    let makefile = try String(contentsOf: url, encoding: .utf8)
    for target in ["run", "test", "install", "uninstall", "deb", "lib"] {
      #expect(makefile.contains("\n\(target):"))
    }
  }
}

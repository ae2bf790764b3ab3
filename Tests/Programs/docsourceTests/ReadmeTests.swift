import Foundation
import TestSupport
import Testing

/// Every command that the README shows is run, and prints what the README says.
@Suite struct ReadmeTests {
  /// The commands of a console block with what follows each of them.
  private static func transcript(_ block: Substring) -> [(command: String, output: String)] {
    var steps: [(command: String, output: String)] = []
    for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("$ ") {
        steps.append((String(line.dropFirst(2)), ""))
      } else if !steps.isEmpty {
        steps[steps.count - 1].output += line + "\n"
      }
    }
    return steps
  }

  private static func blocks(_ language: String) throws -> [Substring] {
    let url = Fixture.root.appending(path: "README.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    return text.components(separatedBy: "\n```\(language)\n").dropFirst().map { rest in
      rest[..<(rest.range(of: "\n```")?.lowerBound ?? rest.endIndex)]
    }
  }

  @Test func consoleBlocksAreTranscripts() throws {
    let directory = try TemporaryDirectory()
    let tools = try TemporaryDirectory()
    symlink(Docsource.path, tools.path("docsource"))
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let blocks = try Self.blocks("console")
    #expect(blocks.count == 8)
    try directory.write(Fixture.bytes("Pictures/scaling.png"), to: "editor.png")
    // A user of the test's own, and a system without icons.
    let user = ["HOME": tools.root, "XDG_DATA_DIRS": tools.path("share")].merging(
      ["CACHE", "CONFIG", "DATA"].map { ("XDG_\($0)_HOME", "") }
    ) { $1 }
    for step in blocks.flatMap(Self.transcript) {
      let execution = try Execution.run(
        ["sh", "-c", step.command + " 2>&1"], in: directory.root,
        environment: user.merging(["PATH": tools.root + ":" + path]) { $1 })
      #expect(execution.text == step.output, "\(step.command)")
    }
  }

  /// `make test` builds and runs the consumer, which so proves the example.
  @Test func swiftExampleIsWhatTheConsumerRuns() throws {
    let url = Fixture.root.appending(path: "Tests/Consumer/Sources/Consumer/main.swift")
    let consumer = try String(contentsOf: url, encoding: .utf8)
    let example = try #require(try Self.blocks("swift").last)
    #expect(example.split(separator: "\n").count == 6)
    for line in example.split(separator: "\n") { #expect(consumer.contains(line), "\(line)") }
  }

  @Test func makeTargetsAreThere() throws {
    let url = Fixture.root.appending(path: "Makefile")
    let makefile = try String(contentsOf: url, encoding: .utf8)
    for target in ["run", "test", "install", "uninstall"] {
      #expect(makefile.contains("\n\(target):"))
    }
  }
}

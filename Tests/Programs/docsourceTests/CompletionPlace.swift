import Foundation
import TestSupport

/// A directory with files of awkward names, and a tool that knows applications and hosts.
final class CompletionPlace {
  let directory: TemporaryDirectory
  private let tools: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    tools = try TemporaryDirectory()
    for name in ["a.txt", "my file.txt", "it's.txt", "dollar$.txt", "co:lon", "eq=ual", "-dash"] {
      try directory.file(name)
    }
    for name in ["dir one", "dirtwo"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(name), withIntermediateDirectories: false)
    }
    symlink(Self.script("answering-docsource"), tools.path("docsource"))
  }

  static let scripts = Fixture.root.appending(path: "Sources/Integrations/completions")

  /// The verbs of the tool.
  static func verbs() throws -> [String] {
    try Docsource.run("help", "--list").text.split(separator: "\n").map(String.init)
      .filter { !$0.contains(" ") }.sorted()
  }

  static func script(_ name: String) -> String { Fixture.root.path + "/Tests/Scripts/" + name }

  func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Execution {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return try Execution.run(
      arguments, in: directory.root,
      environment: [
        "PATH": tools.root + ":" + path, "LOG": tools.path("log"), "HOME": tools.root,
        "TERM": "dumb",
      ].merging(environment) { $1 })
  }

  /// Types lines into a shell on a terminal and returns the command lines that it ran.
  func type(_ lines: [String], shell: [String]) throws -> [String] {
    let typed = try run([Self.script("type-on-terminal"), "READY>"] + lines + ["--"] + shell)
    guard typed.status == 0 else { return [typed.errors] }
    return try tools.text("log").split(separator: "\n").map(String.init)
  }

  /// Puts a file beside the tool and returns its path.
  func file(_ name: String, _ content: String) throws -> String { try tools.file(name, content) }
}

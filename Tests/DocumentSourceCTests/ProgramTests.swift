import Foundation
import Glibc
import TestSupport
import Testing

/// Programs in C that claim what the header promises; see Tests/Programs.
@Suite(.enabled(if: SharedLibrary.isExpected)) struct ProgramTests {
  /// Builds a program and runs it behind a prefix, in a directory of its own.
  private static func run(
    _ name: String, _ arguments: [String], behind prefix: [String] = [],
    in directory: TemporaryDirectory, environment: [String: String] = SharedLibrary.environment
  ) throws -> Execution {
    let program = try SharedLibrary.compile(SharedLibrary.program(name), into: directory)
    return try Execution.run(
      prefix + [program] + arguments, in: directory.root, environment: environment)
  }

  @Test func contractIsKept() throws {
    let directory = try TemporaryDirectory()
    let execution = try Self.run("contract.c", ["."], in: directory)
    #expect(execution.errors == "" && execution.text == "kept\n" && execution.status == 0)
  }

  /// What the Swift runtime keeps for itself is as much after five rounds as after one.
  @Test func memoryIsUsedWellAndAllGivenBack() throws {
    let directory = try TemporaryDirectory()
    let memcheck = [
      "valgrind", "--error-exitcode=9", "--leak-check=full",
      "--errors-for-leak-kinds=definite,indirect",
    ]
    let kept = try ["1", "5"].map { rounds in
      let execution = try Self.run(
        "contract.c", [".", rounds], behind: memcheck, in: directory)
      #expect(execution.text == "kept\n" && execution.status == 0)
      #expect(execution.errors.contains("ERROR SUMMARY: 0 errors from 0 contexts"))
      return try #require(execution.errors.firstMatch(of: /in use at exit: (.*) blocks/)).1
    }
    #expect(kept[0] == kept[1])
  }

  @Test func eightThreadsReadAndWriteTheSameFiles() throws {
    let directory = try TemporaryDirectory()
    let execution = try Self.run("hammer.c", [".", "3"], in: directory)
    #expect(execution.text == "kept\n" && execution.status == 0, "\(execution.errors)")
  }

  @Test func childrenGoOnAfterAFork() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("file")
    let execution = try Self.run("forks.c", [file], in: directory)
    #expect(execution.errors == "" && execution.text == "kept\n" && execution.status == 0)
  }

  /// The library lies beside a program that takes the place of docsource-fetch.
  @Test func fetchingLeavesTheHostAlone() throws {
    let directory = try TemporaryDirectory()
    let script = Fixture.root.appending(path: "Tests/Scripts/stand-in-fetch").path
    for (file, name) in [(SharedLibrary.path, SharedLibrary.soname), (script, "docsource-fetch")] {
      let copied = try Execution.run(["cp", file, directory.path(name)])
      #expect(copied.status == 0)
    }
    let execution = try Self.run(
      "fetching.c", [], in: directory, environment: ["LD_LIBRARY_PATH": directory.root])
    #expect(execution.errors == "kept\n")
    #expect(execution.status == 0)
  }
}

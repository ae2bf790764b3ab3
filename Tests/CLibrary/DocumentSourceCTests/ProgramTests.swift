import Foundation
import Glibc
import TestSupport
import Testing

/// Programs in C that claim what the header promises; see Tests/CLibrary/Programs.
@Suite(.enabled(if: try SharedLibrary.isExpected)) struct ProgramTests {
  /// Builds a program and runs it with words before its name, in a directory of its own.
  private static func run(
    _ name: String, _ arguments: [String], after prefix: [String] = [],
    in directory: TemporaryDirectory, environment: [String: String] = SharedLibrary.environment
  ) throws -> Execution {
    let program = try SharedLibrary.compile(SharedLibrary.program(name), into: directory)
    return try Execution.run(
      prefix + [program] + arguments, in: directory.root, environment: environment)
  }

  private static let memcheck = [
    "valgrind", "--error-exitcode=9", "--leak-check=full",
    "--errors-for-leak-kinds=definite,indirect",
  ]

  @Test func contractIsKept() throws {
    let directory = try TemporaryDirectory()
    let execution = try Self.run("contract.c", ["."], in: directory)
    #expect(execution.errors == "")
    #expect(execution.text == "kept\n")
    #expect(execution.status == 0)
  }

  /// What the Swift runtime keeps for itself is as much after five rounds as after one.
  @Test func memoryIsUsedWellAndAllGivenBack() throws {
    let directory = try TemporaryDirectory()
    let kept = try ["1", "5"].map { rounds in
      let execution = try Self.run(
        "contract.c", [".", rounds], after: Self.memcheck, in: directory)
      #expect(execution.text == "kept\n")
      #expect(execution.status == 0)
      #expect(execution.errors.contains("ERROR SUMMARY: 0 errors from 0 contexts"))
      return try #require(execution.errors.firstMatch(of: /in use at exit: (.*) blocks/)).1
    }
    #expect(kept[0] == kept[1])
  }

  @Test func eightThreadsReadAndWriteTheSameFiles() throws {
    let directory = try TemporaryDirectory()
    let execution = try Self.run("hammer.c", [".", "3"], in: directory)
    #expect(execution.text == "kept\n", "\(execution.errors)")
    #expect(execution.status == 0, "\(execution.errors)")
  }

  @Test func loadingAndClosingOverAndOverTakesNoMemory() throws {
    let directory = try TemporaryDirectory()
    let execution = try Self.run("loads.c", [SharedLibrary.path], in: directory)
    #expect(execution.errors == "" && execution.text == "kept\n" && execution.status == 0)
  }

  @Test func childrenGoOnAfterAFork() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("file")
    let execution = try Self.run("forks.c", [file], in: directory)
    #expect(execution.errors == "")
    #expect(execution.text == "kept\n")
    #expect(execution.status == 0)
  }

  /// Puts the library beside a program that takes the place of docsource-fetch.
  private static func putStandIn(into directory: TemporaryDirectory) throws {
    let script = Fixture.root.appending(path: "Tests/Scripts/stand-in-fetch").path
    for (file, name) in [(SharedLibrary.path, SharedLibrary.soname), (script, "docsource-fetch")] {
      let copied = try Execution.run(["cp", file, directory.path(name)])
      #expect(copied.status == 0)
    }
  }

  @Test func fetchingLeavesTheHostAlone() throws {
    let directory = try TemporaryDirectory()
    try Self.putStandIn(into: directory)
    let execution = try Self.run(
      "fetching.c", [], in: directory, environment: ["LD_LIBRARY_PATH": directory.root])
    #expect(execution.errors == "kept\n")
    #expect(execution.status == 0)
  }

  /// The program is where the library was when it was loaded, and not in the directory that the
  /// host has gone to since.
  @Test func fetchingProgramIsNotLookedForInAnotherDirectory() throws {
    let directory = try TemporaryDirectory()
    try Self.putStandIn(into: directory)
    let elsewhere = try TemporaryDirectory()
    #expect(try Execution.run(["mkdir", elsewhere.path("lib")]).status == 0)
    for name in [SharedLibrary.soname, "docsource-fetch"] {
      try elsewhere.file("lib/\(name)", "#!/bin/sh\nexit 2\n")
    }
    #expect(try Execution.run(["chmod", "755", elsewhere.path("lib/docsource-fetch")]).status == 0)
    #expect(try Execution.run(["ln", "-s", ".", directory.path("lib")]).status == 0)
    let execution = try Self.run(
      "moved.c", [elsewhere.root], in: directory, environment: ["LD_LIBRARY_PATH": "lib"])
    #expect(execution.errors == "")
    #expect(execution.text == "kept\n")
    #expect(execution.status == 0)
  }

  @Test func wrapperForCPlusPlusKeepsItsPromises() throws {
    let directory = try TemporaryDirectory()
    try Self.putStandIn(into: directory)
    let execution = try Self.run(
      "wrapper.cpp", ["."], in: directory, environment: ["LD_LIBRARY_PATH": directory.root])
    #expect(execution.errors == "")
    #expect(execution.text == "kept\n")
    #expect(execution.status == 0)
    // Valgrind lacks the call that ends a program.
    let checked = try Self.run(
      "wrapper.cpp", [".", "without-fetching"], after: Self.memcheck, in: directory)
    #expect(checked.text == "kept\n", "\(checked.errors)")
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(checked.errors.contains("ERROR SUMMARY: 0 errors from 0 contexts"))
  }
}

/// The Python module, by a program in Python.
@Suite(.enabled(if: try SharedLibrary.isExpected)) struct PythonModuleTests {
  @Test func moduleIsCorrect() throws {
    let directory = try TemporaryDirectory()
    let execution = try Execution.run(
      ["python3", "-W", "error", SharedLibrary.program("module.py")], in: directory.root,
      environment: SharedLibrary.environment.merging(["XDG_DATA_DIRS": directory.root]) { $1 })
    #expect(execution.errors == "")
    #expect(execution.text == "kept\n")
    #expect(execution.status == 0)
  }
}

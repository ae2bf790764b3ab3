import Foundation
import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

struct ProgramTests {
  private let shell = FilePath("/bin/sh")

  private func words(_ script: String) -> [[UInt8]] {
    ["sh", "-c", script].map { Array($0.utf8) }
  }

  /// What a script writes to standard output.
  private func output(_ script: String, _ options: Program.Options = []) throws -> String {
    try output(of: Program(shell, words(script), options))
  }

  private func output(of program: Program) throws -> String {
    let file = try TemporaryFile.open()
    defer { close(file) }
    let running = try program.start(output: .descriptor(file))
    #expect(running.wait() == .status(0))
    lseek(file, 0, SEEK_SET)
    return try String(decoding: #require(try Descriptor.read(file, limit: 1 << 20)), as: UTF8.self)
  }

  @Test func statusIsReported() throws {
    #expect(try Program(shell, words("exit 7")).start().wait() == .status(7))
  }

  @Test func signalIsReported() throws {
    #expect(try Program(shell, words("kill -KILL $$")).start().wait() == .signal(SIGKILL))
  }

  @Test func runningProgramHasNoEndingAndCanBeKilled() throws {
    let running = try Program(shell, words("exec sleep 600")).start()
    #expect(running.endingSoFar() == nil)
    #expect(running.kill())
    #expect(running.wait() == .signal(SIGKILL))
  }

  @Test func programThatIsNotThereIsAnError() {
    #expect(throws: Errno.noSuchFile) {
      try Program(FilePath("/nowhere/program"), [Array("program".utf8)]).start()
    }
    #expect(throws: Errno.noSuchFile) {
      try Program(FilePath("docsource-no-such-program"), words(""), .searched).start()
    }
  }

  @Test func programIsLookedForInPath() throws {
    #expect(
      try Program(FilePath("sh"), words("exit 3"), .searched).start().wait() == .status(3))
  }

  @Test func argumentListThatIsTooLongIsAnError() {
    let long = [[UInt8]](repeating: [UInt8](repeating: 0x61, count: 100_000), count: 100)
    #expect(throws: Errno.argumentListTooLong) { try Program(shell, [[0x73]] + long).start() }
  }

  @Test func manyArgumentsArrive() throws {
    let many = [[UInt8]](repeating: [0x61], count: 100_000)
    let script = words("test $# = 100000")
    #expect(
      try Program(FilePath("sh"), script + [[0x73]] + many, .searched).start().wait() == .status(0))
  }

  @Test func sandboxedProgramGetsNothing() throws {
    let open = open("/dev/null", O_RDONLY)
    defer { close(open) }
    let script = "test -e /proc/self/fd/\(open) && echo descriptor; echo \"${HOME-none}\""
    let program = Program(shell, words(script), .sandboxed, variables: [])
    #expect(try output(of: program) == "none\n")
    #expect(try output("test -e /proc/self/fd/\(open) && echo descriptor") == "descriptor\n")
  }

  /// Of the variables that are named, those that are set.
  @Test func variablesArePassedOnByName() throws {
    let path = try #require(ProcessInfo.processInfo.environment["PATH"])
    func environment(_ variables: [String]?) throws -> String {
      try output(
        of: Program(FilePath("/usr/bin/env"), [Array("env".utf8)], variables: variables))
    }
    #expect(try environment(["DOCSOURCE_IS_NOT_SET", "PATH"]) == "PATH=\(path)\n")
    #expect(try environment([]) == "")
    #expect(try environment(nil).contains("PATH=\(path)\n"))
  }

  @Test func streamsMayBeEachOthers() throws {
    let (first, second) = (try TemporaryFile.open(), try TemporaryFile.open())
    defer { for file in [first, second] { close(file) } }
    let running = try Program(shell, words("echo out; echo err >&2")).start(
      output: .descriptor(second), errors: .descriptor(first))
    #expect(running.wait() == .status(0))
    for (file, text) in [(second, "out\n"), (first, "err\n")] {
      lseek(file, 0, SEEK_SET)
      #expect(try Descriptor.read(file, limit: 100) == Array(text.utf8))
    }
  }

  @Test func descriptorOfAProcessTellsOfItsEnd() throws {
    let process = try Program(shell, words("exit 0"), .detached).startWithDescriptor(
      input: .null, output: .inherited, errors: .inherited)
    defer { close(process.rawValue) }
    var polled = pollfd(fd: process.rawValue, events: Int16(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 60_000) == 1)
    // A child that nobody waits for would keep exit tests of this process from seeing theirs.
    #expect(process.ending(waits: true) == .status(0))
    #expect(process.ending(waits: true) == .taken)
  }

  /// What is left of the file counts, and a sparse file has any size.
  @Test func largeFileIsNotRead() throws {
    let file = try TemporaryFile.open()
    defer { TemporaryFile.close(file) }
    ftruncate(file, 1 << 40)
    #expect(try Descriptor.read(file, limit: 64 << 20) == nil)
    #expect(lseek(file, 0, SEEK_CUR) == 0)
    lseek(file, (1 << 40) - 3, SEEK_SET)
    #expect(try Descriptor.read(file, limit: 2) == nil)
    #expect(lseek(file, 0, SEEK_CUR) == (1 << 40) - 3)
    #expect(try Descriptor.read(file, limit: 3) == [0, 0, 0])
  }
}

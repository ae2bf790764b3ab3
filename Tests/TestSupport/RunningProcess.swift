import Foundation
import Glibc

/// A program under way, with its output going to files.
package final class RunningProcess {
  /// The program could not be started.
  package struct CannotStart: Error {
    let program: String
    let errno: CInt
  }

  package let identifier: pid_t
  private let streams: TemporaryDirectory

  package init(
    _ arguments: [[UInt8]], in directory: String? = nil, environment: [String: String] = [:],
    input: [UInt8] = [], streams: TemporaryDirectory? = nil
  ) throws {
    self.streams = try streams ?? TemporaryDirectory()
    try self.streams.write(input, to: "input")

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, self.streams.path("input"), O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, self.streams.path("output"), writing, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, self.streams.path("errors"), writing, 0o600)

    // The threads that tests run on block most signals, and a program would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    // The directories of tests are no part of the checkout's own repository.
    let own = ["LC_ALL": "C.UTF-8", "GIT_CEILING_DIRECTORIES": TemporaryDirectory.scratch]
    let all = ProcessInfo.processInfo.environment.merging(own.merging(environment) { $1 }) { $1 }
    // posix_spawn_file_actions_addchdir_np is not in the Glibc module.
    let change = directory.map { ["env", "-C", $0].map { Array($0.utf8) } } ?? []
    let argv: [UnsafeMutablePointer<CChar>?] = (change + arguments).map(duplicate) + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = all.map { duplicate(Array("\($0)=\($1)".utf8)) }
    envp.append(nil)
    defer { for string in argv + envp { free(string) } }
    var identifier = pid_t()
    let result =
      argv[0].map { posix_spawnp(&identifier, $0, &actions, &attributes, argv, envp) } ?? EINVAL
    guard result == 0 else {
      throw CannotStart(
        program: String(decoding: arguments.first ?? [], as: UTF8.self), errno: result)
    }
    self.identifier = identifier
  }

  /// Waits for the end and returns the exit status, or 128 + the signal.
  package func wait() -> Int32 {
    var status: CInt = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// What it has written to its standard error.
  package var errors: String {
    (try? String(contentsOfFile: streams.path("errors"), encoding: .utf8)) ?? ""
  }

  package func kill(_ signal: CInt) { Glibc.kill(identifier, signal) }
}

/// A C string, to be freed, of bytes that need not be UTF-8.
private func duplicate(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
  (bytes + [0]).withUnsafeBytes { bytes in
    bytes.baseAddress.flatMap { Glibc.strdup($0.assumingMemoryBound(to: CChar.self)) }
  }
}

import Foundation
import Glibc

/// A server on 127.0.0.1, stopped with the last reference to it, or when the tests end otherwise.
package final class ServerProcess {
  /// It did not begin to listen.
  package struct CannotStart: Error {
    let command: [String]
    let errors: String
  }

  private let process: RunningProcess
  private var isRunning = true

  /// Starts a command and waits until `isReady`, for a minute at most.
  package init(
    _ command: [String], errors: () -> String = { "" }, isReady: () -> Bool
  ) throws {
    let script = Fixture.root.appending(path: "Tests/Scripts/while-parent-lives").path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    process = try RunningProcess(
      ([script] + command).map { Array($0.utf8) }, environment: ["PATH": path + ":/usr/sbin:/sbin"])
    do {
      try Patience.wait(until: isReady)
    } catch {
      stop()
      throw CannotStart(command: command, errors: errors())
    }
  }

  deinit { stop() }

  /// Ends it and waits until it has ended.
  package func stop() {
    guard isRunning else { return }
    isRunning = false
    process.kill(SIGTERM)
    _ = process.wait()
  }
}

import Foundation
import Glibc

/// A program that is held up at its standard input or output, to see what it may do at that point;
/// killed with the last reference to it.
package final class HeldProgram {
  package enum Stream: String {
    /// Nothing ever comes.
    case input = "<"
    /// A pipe that is full.
    case output = ">"
  }

  /// What limits a process in its sandbox, as /proc says it; see proc(5).
  package struct Limits: Equatable {
    /// 2 where a filter judges its system calls.
    package var seccomp: String?
    /// How many files it may have open.
    package var openFiles: String?
    /// Whose the process is; root's becomes nobody's.
    package var user: String?

    package init(seccomp: String?, openFiles: String?, user: String?) {
      self.seccomp = seccomp
      self.openFiles = openFiles
      self.user = user
    }

    package static let sandbox = Limits(
      seccomp: "2", openFiles: "0", user: geteuid() == 0 ? "65534" : "\(geteuid())")
  }

  private let process: RunningProcess
  private let place: TemporaryDirectory
  private let pipe: CInt

  package init(_ words: [String], at stream: Stream, input: [UInt8] = []) throws {
    place = try TemporaryDirectory()
    guard mkfifo(place.path("pipe"), 0o600) == 0 else { throw POSIXError(.EIO) }
    pipe = open(place.path("pipe"), O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard pipe >= 0 else { throw POSIXError(.EIO) }
    if stream == .output {
      let block = [UInt8](repeating: 0, count: 4096)
      while write(pipe, block, block.count) > 0 {}
    }
    let script = "exec \"$@\" \(stream.rawValue)'\(place.path("pipe"))'"
    process = try RunningProcess(
      (["sh", "-c", script, "sh"] + words).map { Array($0.utf8) }, input: input)
  }

  deinit {
    process.kill(SIGKILL)
    _ = process.wait()
    close(pipe)
  }

  package var identifier: pid_t { process.identifier }

  /// The limits once they are those of the sandbox, or after a minute.
  package var limits: Limits {
    try? Patience.wait { current == .sandbox }
    return current
  }

  private var current: Limits {
    Limits(
      seccomp: field("status", "Seccomp:", 1), openFiles: field("limits", "Max open files", 3),
      user: field("status", "Uid:", 1))
  }

  /// A word of the line that begins with `start`; `nil` if there is none.
  private func field(_ file: String, _ start: String, _ number: Int) -> String? {
    let path = "/proc/\(identifier)/\(file)"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(start) }
    let words = line?.split(whereSeparator: \.isWhitespace) ?? []
    return words.indices.contains(number) ? String(words[number]) : nil
  }
}

import CommandLineInterface
import FileTree
import Glibc
import LinuxSystem
import Synchronization

/// Runs a command for each file, several at a time.
///
/// What several write at a time is passed on as each ends, so that it stays together; one alone
/// writes by itself.
final class JobRunner: FileRunner {
  private struct State {
    var running: [Int32: Job] = [:]
    var status = ExitStatus.done
    var hasFailedToStart = false
  }

  private let template: CommandTemplate
  private let limit: Int
  private let console: SharedConsole
  private let cancellation: WalkCancellation?
  private let state = Mutex(State())

  init(
    _ template: CommandTemplate, limit: Int, _ console: SharedConsole,
    _ cancellation: WalkCancellation?
  ) {
    self.template = template
    self.limit = limit
    self.console = console
    self.cancellation = cancellation
  }

  func run(_ path: [UInt8]) {
    state.withLock { state in
      guard !state.hasFailedToStart else { return }
      while state.running.count >= limit { awaitOne(&state) }
      do throws(Job.Failure) {
        let job = try Job(template.words(for: path), streams: limit == 1 ? .ours : .kept)
        state.running[job.program.identifier] = job
      } catch {
        state.status = .failed
        if error.isForArguments { return error.report(console.forThisThread(), for: path) }
        // The next would not start either.
        state.hasFailedToStart = true
        cancellation?.cancel()
        error.report(console.forThisThread())
      }
    }
  }

  func finish() -> ExitStatus {
    state.withLock { state in
      while !state.running.isEmpty { awaitOne(&state) }
      return state.status
    }
  }

  private func awaitOne(_ state: inout State) {
    guard let (identifier, ending) = RunningProgram.waitForAny() else {
      // Somebody else has waited for them.
      return state.running.removeAll()
    }
    guard let job = state.running.removeValue(forKey: identifier) else { return }
    job.passOn(to: console.forThisThread())
    if ending != .status(0) { state.status = .failed }
  }
}

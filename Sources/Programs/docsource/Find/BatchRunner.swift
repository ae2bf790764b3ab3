import CommandLineInterface
import FileTree
import Glibc
import LinuxSystem
import Synchronization

/// Runs a command with as many files as a command line has room for, one command after the other.
final class BatchRunner: FileRunner {
  private struct State {
    var words: [[UInt8]] = []
    var size = 0
    var status = ExitStatus.done
    var hasFailedToStart = false
  }

  private let template: CommandTemplate
  /// The word that stands once for each file.
  private let position: Int
  /// The bytes that the words of files may take.
  private let room: Int
  private let console: SharedConsole
  private let cancellation: WalkCancellation?
  private let state = Mutex(State())

  /// - Throws: `UsageError` where several words have placeholders.
  init(
    _ template: CommandTemplate, _ console: SharedConsole, _ cancellation: WalkCancellation?
  ) throws(UsageError) {
    guard let position = template.onlyVariableWord else {
      throw UsageError("--exec-batch: only one word may have placeholders")
    }
    self.template = template
    self.position = position
    self.console = console
    self.cancellation = cancellation
    let fixed = template.words(for: []).reduce(0) { $0 + Self.size($1) }
    room = max(Self.least, Self.limit - Self.environmentSize - fixed)
  }

  /// What a word takes: its bytes, its NUL and a pointer.
  private static func size(_ word: [UInt8]) -> Int {
    word.count + 1 + MemoryLayout<UInt>.size
  }

  /// Half of `ARG_MAX`, which a quarter of the stack's limit sets; programs pass theirs on with
  /// words of their own.
  private static var limit: Int { min(max(sysconf(Int32(_SC_ARG_MAX)), 1 << 17), 1 << 21) / 2 }
  private static let least = 4096
  /// `MAX_ARG_STRLEN` of the kernel, the NUL included.
  private static let longestWord = 32 * Int(getpagesize())

  private static var environmentSize: Int {
    var size = 0
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      size += Int(unsafe strlen(variable)) + 1 + MemoryLayout<UInt>.size
      unsafe next += 1
    }
    return size
  }

  func run(_ path: [UInt8]) {
    let word = template.word(position, for: path)
    guard word.count < Self.longestWord else {
      state.withLock { $0.status = .failed }
      let program = template.words(for: []).first ?? []
      return Job.Failure.tooLong(for: program).report(console.forThisThread(), for: path)
    }
    state.withLock { state in
      if !state.words.isEmpty, state.size + Self.size(word) > room { runBatch(&state) }
      state.words.append(word)
      state.size += Self.size(word)
    }
  }

  func finish() -> ExitStatus {
    state.withLock { state in
      if !state.words.isEmpty { runBatch(&state) }
      return state.status
    }
  }

  private func runBatch(_ state: inout State) {
    let files = state.words
    state.words.removeAll(keepingCapacity: true)
    state.size = 0
    guard !state.hasFailedToStart else { return }
    var words = template.words(for: [])
    words.replaceSubrange(position...position, with: files)
    do throws(Job.Failure) {
      let job = try Job(words, streams: .ours)
      if job.program.wait() != .status(0) { state.status = .failed }
    } catch {
      state.status = .failed
      if !error.isForArguments {
        state.hasFailedToStart = true
        cancellation?.cancel()
      }
      error.report(console.forThisThread())
    }
  }
}

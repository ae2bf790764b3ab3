import CommandLineInterface
import FileTree
import Glibc
import LinuxSystem
import Synchronization
import TextFormats

/// Runs commands on the files that several threads find.
protocol FileRunner: Sendable {
  /// Takes a file; may wait for earlier commands to end.
  func run(_ path: [UInt8])

  /// Waits for all commands; returns `.failed` where one did not succeed.
  func finish() -> ExitStatus
}

/// Runs commands for each file, those of several files at a time.
///
/// A file's next command starts when the one before has succeeded. Where several run at a time, the
/// output of each is passed on in one piece when it ends; a single one writes by itself.
final class JobRunner: FileRunner {
  private struct State {
    /// By the process: what runs, for which file, and which of the commands it is.
    var running: [Int32: (job: Job, path: [UInt8], number: Int)] = [:]
    var status = ExitStatus.done
    var hasFailedToStart = false
  }

  private let templates: [CommandTemplate]
  private let limit: Int
  private let console: SharedConsole
  private let cancellation: WalkCancellation?
  private let state = Mutex(State())

  init(
    _ templates: [CommandTemplate], limit: Int, _ console: SharedConsole,
    _ cancellation: WalkCancellation?
  ) {
    self.templates = templates
    self.limit = limit
    self.console = console
    self.cancellation = cancellation
  }

  func run(_ path: [UInt8]) {
    state.withLock { state in
      while state.running.count >= limit { awaitOne(&state) }
      start(0, path, &state)
    }
  }

  private func start(_ number: Int, _ path: [UInt8], _ state: inout State) {
    guard !state.hasFailedToStart else { return }
    do throws(Job.Failure) {
      let words = templates[number].words(for: path)
      let job = try Job(words, streams: limit == 1 ? .inherited : .kept)
      state.running[job.program.identifier] = (job, path, number)
    } catch {
      state.status = .failed
      if error.isForArguments { return error.report(console.forThisThread(), for: path) }
      // No other would start either.
      state.hasFailedToStart = true
      cancellation?.cancel()
      error.report(console.forThisThread())
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
      // Other code has waited for the commands.
      return state.running.removeAll()
    }
    guard let (job, path, number) = state.running.removeValue(forKey: identifier) else { return }
    job.passOn(to: console.forThisThread())
    if ending != .status(0) {
      state.status = .failed
    } else if number + 1 < templates.count {
      start(number + 1, path, &state)
    }
  }
}

/// Runs commands, each with as many files as its command line has room for, one after the other.
struct BatchRunner: FileRunner {
  private let batches: [Batches]

  /// - Throws: `UsageError` where several words of a command have placeholders.
  init(
    _ templates: [CommandTemplate], _ console: SharedConsole, _ cancellation: WalkCancellation?
  ) throws(UsageError) {
    batches = try templates.map { template throws(UsageError) in
      try Batches(template, console, cancellation)
    }
  }

  func run(_ path: [UInt8]) {
    for batch in batches { batch.run(path) }
  }

  func finish() -> ExitStatus {
    batches.reduce(.done) { $0.combined(with: $1.finish()) }
  }
}

/// The batches of one command.
private final class Batches: FileRunner {
  private struct State {
    var words: [[UInt8]] = []
    var size = 0
    var status = ExitStatus.done
    var hasFailedToStart = false
  }

  private let template: CommandTemplate
  /// The position of the word that is repeated for each file.
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
      throw UsageError("--exec-batch: only one word may contain placeholders")
    }
    self.template = template
    self.position = position
    self.console = console
    self.cancellation = cancellation
    let fixed = template.words(for: []).reduce(0) { $0 + Self.size($1) }
    room = max(Self.least, Self.limit - Self.environmentSize - fixed)
  }

  /// The room that a word takes: its bytes, its NUL and a pointer.
  private static func size(_ word: [UInt8]) -> Int {
    word.count + 1 + MemoryLayout<UInt>.size
  }

  /// Half of `ARG_MAX`, which is a quarter of the stack's limit; the rest is left to programs that
  /// pass their arguments on with words of their own.
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
      let job = try Job(words, streams: .inherited)
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

/// A command that was started.
struct Job {
  /// Where what it writes goes.
  enum Streams {
    /// To ours, and it reads from our standard input.
    case inherited
    /// To temporary files, to be passed on whole; it has nothing to read.
    case kept
  }

  /// It could not be started.
  struct Failure: Error {
    let program: [UInt8]
    let reason: String
    /// Whether it is for its arguments, so that with others it may be started.
    var isForArguments = false

    /// The path of a file is longer than any argument may be.
    static func tooLong(for program: [UInt8]) -> Failure {
      let reason = Errno.argumentListTooLong.description.lowercased()
      return Failure(program: program, reason: reason, isForArguments: true)
    }

    func report(_ console: Console) {
      console.report(program[...], "cannot start: \(reason)")
    }

    /// Tells it of the one file that the command was to be given.
    func report(_ console: Console, for path: [UInt8]) {
      console.report(path[...], "cannot pass to \(EscapedText(program)): \(reason)")
    }
  }

  let program: RunningProgram
  private let kept: (output: CInt, errors: CInt)?

  /// - Parameter words: what it is called, looked for in `PATH`, and its arguments.
  init(_ words: [[UInt8]], streams: Streams) throws(Failure) {
    let kept = streams == .kept ? try Self.temporaryFiles(for: words[0]) : nil
    self.kept = kept
    do throws(Errno) {
      program = try Self.start(words, kept)
    } catch {
      Self.close(kept)
      if error == .argumentListTooLong { throw .tooLong(for: words[0]) }
      throw Failure(program: words[0], reason: error.description.lowercased())
    }
  }

  private static func start(
    _ words: [[UInt8]], _ kept: (output: CInt, errors: CInt)?
  ) throws(Errno) -> RunningProgram {
    guard let name = FilePath(bytes: words[0]) else { throw .invalidArgument }
    let program = Program(name, words, .searched)
    guard let kept else { return try program.start() }
    return try program.start(
      input: .null, output: .descriptor(kept.output), errors: .descriptor(kept.errors))
  }

  /// Passes on what it wrote, once it has ended.
  func passOn(to console: Console) {
    guard let kept else { return }
    console.passOn(output: kept.output, errors: kept.errors)
    Self.close(kept)
  }

  private static func close(_ kept: (output: CInt, errors: CInt)?) {
    guard let kept else { return }
    Glibc.close(kept.output)
    Glibc.close(kept.errors)
  }

  private static func temporaryFiles(
    for program: [UInt8]
  ) throws(Failure) -> (output: CInt, errors: CInt) {
    do throws(TemporaryFile.Failure) {
      let output = try TemporaryFile.open()
      do throws(TemporaryFile.Failure) {
        return (output, try TemporaryFile.open())
      } catch {
        Glibc.close(output)
        throw error
      }
    } catch {
      throw Failure(program: program, reason: error.description)
    }
  }
}

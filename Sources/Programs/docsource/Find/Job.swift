import CommandLineInterface
import Glibc
import LinuxSystem
import TextFormats

/// A command that was started.
struct Job {
  /// Where what it writes goes.
  enum Streams {
    /// To ours, and it reads from our standard input.
    case ours
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
      console.report(program[...], "cannot be started: \(reason)")
    }

    /// Tells it of the one file that the command was to be given.
    func report(_ console: Console, for path: [UInt8]) {
      console.report(path[...], "cannot be given to \(EscapedText(program)): \(reason)")
    }
  }

  let identifier: pid_t
  private let kept: (output: CInt, errors: CInt)?

  /// The corresponding C function is posix_spawnp(3).
  ///
  /// - Parameter words: what it is called, looked for in `PATH`, and its arguments.
  init(_ words: [[UInt8]], streams: Streams) throws(Failure) {
    kept = streams == .kept ? try Self.temporaryFiles(for: words[0]) : nil
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let kept {
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      unsafe posix_spawn_file_actions_adddup2(&actions, kept.output, STDOUT_FILENO)
      unsafe posix_spawn_file_actions_adddup2(&actions, kept.errors, STDERR_FILENO)
    }
    let argv = unsafe words.map { unsafe duplicate($0) } + [nil]
    defer {
      for index in unsafe argv.indices { unsafe free(argv[index]) }
    }
    var identifier = pid_t()
    let result = unsafe argv[0].map { program in
      unsafe posix_spawnp(&identifier, program, &actions, nil, argv, environ)
    }
    self.identifier = identifier
    guard result == 0 else {
      closeKept()
      if result == E2BIG { throw .tooLong(for: words[0]) }
      let reason = Errno(rawValue: result ?? ENOMEM).description.lowercased()
      throw Failure(program: words[0], reason: reason)
    }
  }

  /// Passes on what it wrote, once it has ended.
  func passOn(to console: Console) {
    guard let kept else { return }
    console.passOn(output: kept.output, errors: kept.errors)
    closeKept()
  }

  private func closeKept() {
    guard let kept else { return }
    close(kept.output)
    close(kept.errors)
  }

  private static func temporaryFiles(
    for program: [UInt8]
  ) throws(Failure) -> (output: CInt, errors: CInt) {
    do throws(TemporaryFile.Failure) {
      let output = try TemporaryFile.open()
      do throws(TemporaryFile.Failure) {
        return (output, try TemporaryFile.open())
      } catch {
        close(output)
        throw error
      }
    } catch {
      throw Failure(program: program, reason: error.description)
    }
  }
}

/// A C string to be freed; words of a command line have no NUL.
private func duplicate(_ word: [UInt8]) -> UnsafeMutablePointer<CChar>? {
  unsafe (word + [0]).withUnsafeBytes { bytes in
    unsafe bytes.baseAddress.flatMap { unsafe strdup($0.assumingMemoryBound(to: CChar.self)) }
  }
}

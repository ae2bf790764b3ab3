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
    let nothing = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0 else { throw .current }
    defer { Glibc.close(nothing) }
    return try program.start(
      input: .descriptor(nothing), output: .descriptor(kept.output),
      errors: .descriptor(kept.errors))
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

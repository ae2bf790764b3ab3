import CommandLineInterface
import Glibc
import LinuxSystem
import TextFormats

/// A program that was started, with what it writes going to temporary files.
final class ChildProcess {
  /// It could not be run, or ended by a signal or with a status that means nothing to us.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// How it ended and what it wrote.
  struct Ending {
    /// Done, none found, or failed; of the latter two it has told the reason in `errors`.
    let status: ExitStatus
    let output: [UInt8]
    /// Empty where its standard error is ours.
    let errors: [UInt8]
  }

  /// How a wait for it ended.
  enum Outcome {
    case ended(Ending)
    /// There is something else to do.
    case interrupted
    case late
  }

  /// Between two looks at whether it has ended; in milliseconds.
  private static let interval: CInt = 1

  /// Where standard output or standard error goes.
  enum Destination {
    case ours
    case kept
  }

  private let name: String
  private var identifier = pid_t()
  // Temporary files instead of pipes: neither side can wait for the other.
  private let output: CInt?
  private let errors: CInt?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - name: what it is called, for itself and in messages.
  ///   - input: what it reads from standard input.
  convenience init(
    _ program: FilePath, name: String, _ arguments: [[UInt8]], input: [UInt8] = [],
    output: Destination = .kept, errors: Destination = .ours
  ) throws(Failure) {
    let input = try Self.temporaryFile(holding: input, for: name)
    defer { close(input) }
    try self.init(
      program, name: name, arguments, reading: input, output: output, errors: errors)
  }

  /// Starts a program.
  ///
  /// The corresponding C function is posix_spawn(3).
  ///
  /// - Parameter input: an open file, which becomes its standard input.
  init(
    _ program: FilePath, name: String, _ arguments: [[UInt8]], reading input: CInt,
    output: Destination = .kept, errors: Destination = .ours
  ) throws(Failure) {
    self.name = name
    self.output = output == .kept ? try Self.temporaryFile() : nil
    self.errors = errors == .kept ? try Self.temporaryFile() : nil
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    if let output = self.output {
      unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    }
    if let errors = self.errors {
      unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    }
    let words = ([Array(name.utf8)] + arguments).map { $0.filter { $0 != 0 } + [0] }
    let argv =
      unsafe words.map { word in
        unsafe word.withUnsafeBytes { bytes in
          unsafe bytes.baseAddress.flatMap { unsafe strdup($0.assumingMemoryBound(to: CChar.self)) }
        }
      } + [nil]
    defer {
      for index in unsafe argv.indices { unsafe free(argv[index]) }
    }
    let result = unsafe program.withCString { program in
      unsafe posix_spawn(&identifier, program, &actions, nil, argv, environ)
    }
    guard result == 0 else {
      throw Failure(description: "\(name) cannot be started: \(Errno(rawValue: result))")
    }
  }

  deinit {
    if let output { close(output) }
    if let errors { close(errors) }
  }

  /// Waits for its end.
  func wait() throws(Failure) -> Ending {
    var status: CInt = 0
    while unsafe waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    return try ending(status)
  }

  /// Its end, if it has ended; to be asked until then.
  func endingSoFar() throws(Failure) -> Ending? {
    var status: CInt = 0
    guard unsafe waitpid(identifier, &status, WNOHANG) == identifier else { return nil }
    return try ending(status)
  }

  /// Waits for its end, but not for ever.
  ///
  /// Where it has not ended by then it is killed, also where it has become a process of nobody's.
  ///
  /// - Parameters:
  ///   - limit: how long to wait.
  ///   - descriptor: ends the wait when it can be read from.
  func wait(
    milliseconds limit: Int, unless descriptor: CInt
  ) throws(Failure) -> Outcome {
    let end = Clock.milliseconds + limit
    while true {
      if let ending = try endingSoFar() { return .ended(ending) }
      var other = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let isInterrupted = unsafe poll(&other, 1, Self.interval) > 0
      guard isInterrupted || Clock.milliseconds >= end else { continue }
      var status: CInt = 0
      if SignalRights.kill(identifier, of: SignalRights.nobody) {
        while unsafe waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
      }
      return isInterrupted ? .interrupted : .late
    }
  }

  private func ending(_ status: CInt) throws(Failure) -> Ending {
    guard status & 0x7f == 0 else {
      throw Failure(description: "\(name) was ended by signal \(status & 0x7f)")
    }
    let number = status >> 8 & 0xff
    guard let status = ExitStatus(rawValue: number), status != .usage else {
      // What the loader says of a library that is not there, mostly.
      let words = try read(errors).split(separator: UInt8(ascii: "\n")).last
      let reason = words.map { ": \(EscapedText($0))" } ?? ""
      throw Failure(description: "\(name) ended with status \(number)\(reason)")
    }
    return Ending(status: status, output: try read(output), errors: try read(errors))
  }

  private func read(_ descriptor: CInt?) throws(Failure) -> [UInt8] {
    guard let descriptor else { return [] }
    lseek(descriptor, 0, SEEK_SET)
    do throws(Errno) {
      if let bytes = try Descriptor.read(descriptor, limit: InputFile.limit) { return bytes }
    } catch {
      throw Failure(description: "\(name)'s output cannot be read: \(error)")
    }
    throw Failure(description: "\(name)'s output is larger than \(InputFile.limit >> 20) MiB")
  }

  private static func temporaryFile() throws(Failure) -> CInt {
    do throws(TemporaryFile.Failure) {
      return try TemporaryFile.open()
    } catch {
      throw Failure(description: error.description)
    }
  }

  private static func temporaryFile(
    holding bytes: [UInt8], for name: String
  ) throws(Failure) -> CInt {
    let descriptor = try temporaryFile()
    do throws(Errno) {
      try Descriptor.write(bytes, to: descriptor)
      lseek(descriptor, 0, SEEK_SET)
      return descriptor
    } catch {
      close(descriptor)
      throw Failure(description: "\(name) cannot be given its input: \(error)")
    }
  }
}

import AppIcon
import CLinux
import CommandLineInterface
import Glibc
import LinuxSystem
import TextFormats

/// A program that was started, with what it writes going to files in memory.
final class ChildProcess {
  /// It could not be run, or ended by a signal or with a status that means nothing to us.
  struct Failure: Error, CustomStringConvertible {
    let description: String
    /// Its processor time was used up.
    var isOvertime = false
    /// What it had written by then.
    var output: [UInt8] = []
  }

  /// How it ended and what it wrote.
  struct Ending {
    /// Done, none found, or failed; of the latter two the reason is in `errors`.
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

  /// Where standard output or standard error goes.
  enum Destination {
    case inherited
    case kept
  }

  /// Between two looks at whether it has ended, before Linux 5.3; in milliseconds.
  private static let interval: CInt = 1
  /// How long the end of a program that is killed is waited for; in milliseconds.
  private static let patience = 200

  private let name: String
  private let program: RunningProgram
  private let output: MemoryFile?
  private let errors: MemoryFile?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - name: what it is called, for itself and in messages.
  ///   - variables: as in `Program`.
  ///   - input: what it reads from standard input.
  convenience init(
    _ program: FilePath, name: String, _ arguments: [[UInt8]], variables: [String]? = nil,
    input: [UInt8] = [], output: Destination = .kept, errors: Destination = .inherited
  ) throws(Failure) {
    let input = try Self.file(input, for: name)
    try self.init(
      program, name: name, arguments, variables: variables, reading: input.descriptor,
      output: output, errors: errors)
  }

  /// Starts a program.
  ///
  /// - Parameter input: an open file, which becomes its standard input.
  init(
    _ program: FilePath, name: String, _ arguments: [[UInt8]], variables: [String]? = nil,
    reading input: CInt, output: Destination = .kept, errors: Destination = .inherited
  ) throws(Failure) {
    self.name = name
    let output = output == .kept ? try Self.file(for: name) : nil
    self.output = output
    let errors = errors == .kept ? try Self.file(for: name) : nil
    self.errors = errors
    do throws(Errno) {
      let words = [Array(name.utf8)] + arguments
      self.program = try Program(program, words, variables: variables).start(
        input: .descriptor(input), output: output.map { .descriptor($0.descriptor) } ?? .inherited,
        errors: errors.map { .descriptor($0.descriptor) } ?? .inherited)
    } catch {
      throw Failure(
        description: "cannot start \(name): \(Program.reason(of: error, starting: arguments))")
    }
  }

  /// Waits for its end.
  func wait() throws(Failure) -> Ending { try ending(program.wait()) }

  /// Its end, if it has ended; to be asked until then.
  func endingSoFar() throws(Failure) -> Ending? {
    guard let ending = program.endingSoFar() else { return nil }
    return try self.ending(ending)
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
    let process = clinux_process_open(program.identifier)
    defer { if process >= 0 { close(process) } }
    while true {
      if let ending = try endingSoFar() { return .ended(ending) }
      var wanted = [descriptor, process].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let rest = process < 0 ? Self.interval : CInt(clamping: max(0, end - Clock.milliseconds))
      unsafe poll(&wanted, nfds_t(wanted.count), rest)
      let isInterrupted = wanted[0].revents != 0
      guard isInterrupted || Clock.milliseconds >= end else { continue }
      if program.kill(of: FileRights.nobody) { _ = program.ending(within: Self.patience) }
      return isInterrupted ? .interrupted : .late
    }
  }

  private func ending(_ ending: RunningProgram.Ending) throws(Failure) -> Ending {
    switch ending {
    case .signal(SIGXCPU):
      throw Failure(
        description: "\(name) exceeded its limit of processor time", isOvertime: true,
        output: try read(output))
    case .signal(let number):
      throw Failure(
        description: "\(name) was terminated by signal \(number)", output: try read(output))
    case .status(let number):
      guard let status = ExitStatus(rawValue: number), status != .usage else {
        // What the loader says of a library that is not there, mostly.
        let words = try read(errors).split(separator: UInt8(ascii: "\n")).last
        let reason = words.map { ": \(EscapedText($0))" } ?? ""
        throw Failure(description: "\(name) exited with status \(number)\(reason)")
      }
      let ending = Ending(status: status, output: try read(output), errors: try read(errors))
      guard status != .failed || errors == nil || !ending.errors.isEmpty else {
        throw Failure(description: "\(name) failed without a reason", output: ending.output)
      }
      return ending
    }
  }

  private func read(_ file: MemoryFile?) throws(Failure) -> [UInt8] {
    guard let file else { return [] }
    do throws(Errno) {
      if let bytes = try file.content(limit: InputFile.limit) { return bytes }
    } catch {
      throw Failure(description: "cannot read the output of \(name): \(error)")
    }
    throw Failure(description: "the output of \(name) is larger than \(InputFile.limit >> 20) MiB")
  }

  private static func file(
    _ content: [UInt8] = [], for name: String
  ) throws(Failure) -> MemoryFile {
    do throws(Errno) {
      return try MemoryFile(content)
    } catch {
      throw Failure(description: "cannot start \(name): no file in memory: \(error)")
    }
  }
}

/// A program of ours that does what this executable must not link: XML, archives, content, databases,
/// GIO, the network, images.
///
/// The companion is looked for beside this executable, then in `../libexec/docsource`, as git keeps
/// its own.
///
/// None of them gets a descriptor of ours: a program that untrusted input has taken over could read
/// from the terminal, and write to it. What it says is kept, to be passed on by
/// `Console.passOn(_:)`.
struct CompanionProgram {
  /// The one that reaches the network.
  static let fetch = CompanionProgram("docsource-fetch", variables: FetchEnvironment.variables)
  /// The one that reads archives.
  static let archive = CompanionProgram("docsource-archive", variables: [])
  /// The one that reads what programs have written into files, with exiftool, which it finds in `PATH`.
  static let content = CompanionProgram("docsource-content", variables: ["PATH"])
  /// The one that reads the databases of browsers.
  static let records = CompanionProgram("docsource-records", variables: BaseDirectories.variables)
  /// The one that reads repositories of git, by the user's settings of git. Who has become root by sudo may
  /// read the own ones.
  static let repositories = CompanionProgram(
    "docsource-repositories", variables: BaseDirectories.variables + ["SUDO_UID"])
  /// The one that knows the desktop's database of MIME types.
  static let share = CompanionProgram("docsource-share", variables: BaseDirectories.variables)
  /// The same, to be asked for secrets, which the user may have to unlock in a window.
  static let secrets = CompanionProgram(
    "docsource-share",
    variables: BaseDirectories.variables + [
      "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY",
    ])
  /// The same, to start applications, which get the user's whole environment.
  static let desktop = CompanionProgram("docsource-share", variables: nil)
  /// The one that reads XML.
  static let xml = CompanionProgram("docsource-xml", variables: [])

  let name: String
  private let variables: [String]?

  /// - Parameter variables: those of the environment that the companion gets; `nil` for all.
  private init(_ name: String, variables: [String]?) {
    self.name = name
    self.variables = variables
  }

  /// Starts the companion.
  func start(
    _ arguments: [[UInt8]], input: [UInt8] = []
  ) throws(ChildProcess.Failure) -> ChildProcess {
    try ChildProcess(
      try path(), name: name, arguments, variables: variables, input: input, errors: .kept)
  }

  /// Starts the companion with an open file as its standard input.
  func start(
    _ arguments: [[UInt8]], reading input: CInt
  ) throws(ChildProcess.Failure) -> ChildProcess {
    try ChildProcess(
      try path(), name: name, arguments, variables: variables, reading: input, errors: .kept)
  }

  /// Starts the companion with a socket as its standard input and output. What it says in words is
  /// lost.
  func startConversation(
    _ arguments: [[UInt8]], on socket: CInt
  ) throws(ChildProcess.Failure) -> RunningProgram {
    let program = Program(
      try path(), [Array(name.utf8)] + arguments, .noDescriptors, variables: variables)
    do throws(Errno) {
      return try program.start(
        input: .descriptor(socket), output: .descriptor(socket), errors: .null)
    } catch {
      throw ChildProcess.Failure(description: "cannot start \(name): \(error)")
    }
  }

  private func path() throws(ChildProcess.Failure) -> FilePath {
    guard let here = Program.ownExecutable else {
      throw ChildProcess.Failure(description: "cannot locate \(name): \(Errno.current)")
    }
    guard let path = Program.companion(name, of: here, in: ["", "../libexec/docsource/"]) else {
      throw ChildProcess.Failure(
        description: "\(name) is neither in the directory of docsource nor in ../libexec/docsource")
    }
    return path
  }
}

/// A program of others that is used where it is installed, found in `PATH`.
struct InstalledProgram {
  private let name: String
  private let path: FilePath

  /// - Returns: `nil` if the program is not installed.
  init?(_ name: String) {
    guard let path = Program.installed(name) else { return nil }
    self.name = name
    self.path = path
  }

  /// Starts the program; its standard error is ours.
  func start(
    _ arguments: [[UInt8]], input: [UInt8] = [], output: ChildProcess.Destination = .kept
  ) throws(ChildProcess.Failure) -> ChildProcess {
    try ChildProcess(path, name: name, arguments, input: input, output: output)
  }
}

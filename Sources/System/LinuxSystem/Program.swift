internal import CLinux
internal import Glibc

/// A program and how it is to be started.
package struct Program {
  /// What a standard stream of the program is.
  package enum Stream: Equatable {
    /// The same as this process's.
    case inherited
    /// `/dev/null`, opened for reading.
    case null
    case descriptor(CInt)

    fileprivate func descriptor(_ null: CInt) -> CInt {
      switch self {
      case .inherited: -1
      case .null: null
      case .descriptor(let descriptor): descriptor
      }
    }
  }

  package struct Options: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(_ option: Int) { rawValue = UInt32(option) }

    /// The program is looked for in `PATH`.
    package static let searched = Options(clinux_launch_searched)
    /// Signals are as if this process had ignored and blocked none: a library does not know what its
    /// host does with them.
    package static let usualSignals = Options(clinux_launch_usual_signals)
    /// No descriptor is passed on but the standard streams.
    package static let noDescriptors = Options(clinux_launch_no_descriptors)
    /// The program has a session of its own, which keys of the terminal do not reach.
    package static let session = Options(clinux_launch_session)

    /// For a program that runs inside somebody else's process.
    package static let detached: Options = [.usualSignals, .noDescriptors]
    /// For a program that is to give up its rights.
    package static let sandboxed: Options = [.detached, .session]
  }

  private let path: FilePath
  private let words: [[UInt8]]
  private let options: Options
  private let variables: [String]?

  /// - Parameters:
  ///   - words: the program's own name, then its arguments; a NUL in them is left out.
  ///   - variables: those of the environment that are passed on where they are set; `nil` for all.
  package init(
    _ path: FilePath, _ words: [[UInt8]], _ options: Options = [], variables: [String]? = nil
  ) {
    self.path = path
    self.words = words
    self.options = options
    self.variables = variables
  }

  /// Starts the program.
  ///
  /// The corresponding C functions are clone(2) and execve(2), used as posix_spawn(3) uses them.
  package func start(
    input: Stream = .inherited, output: Stream = .inherited, errors: Stream = .inherited
  ) throws(Errno) -> RunningProgram {
    unsafe try start(input, output, errors, nil)
  }

  /// Starts the program and opens a descriptor of its process, which the caller closes.
  package func startWithDescriptor(
    input: Stream, output: Stream, errors: Stream
  ) throws(Errno) -> ProcessDescriptor {
    var process: CInt = -1
    _ = unsafe try start(input, output, errors, &process)
    return ProcessDescriptor(rawValue: process)
  }

  private func start(
    _ input: Stream, _ output: Stream, _ errors: Stream,
    _ process: UnsafeMutablePointer<CInt>?
  ) throws(Errno) -> RunningProgram {
    var null: CInt = -1
    defer { if null >= 0 { close(null) } }
    if [input, output, errors].contains(.null) {
      null = try Descriptor.open(FilePath("/dev/null"))
    }
    let passed = variables?.compactMap(Self.variable)
    let result = unsafe path.withCString { path in
      unsafe Self.withList(words) { argv in
        unsafe Self.withList(passed ?? []) { envp in
          var launch = unsafe clinux_launch(
            program: path, arguments: argv, environment: passed == nil ? nil : envp,
            input: input.descriptor(null), output: output.descriptor(null),
            errors: errors.descriptor(null), options: options.rawValue)
          return unsafe clinux_program_start(&launch, process)
        }
      }
    }
    guard result > 0 else { throw Errno(rawValue: -result) }
    return RunningProgram(identifier: result)
  }

  /// The most bytes of one argument, without its NUL: Linux's MAX_ARG_STRLEN.
  package static let argumentLimit = 32 * 4096 - 1

  /// Why a program could not be started, in words.
  package static func reason(of error: Errno, starting words: [[UInt8]]) -> String {
    error == .argumentListTooLong ? excess(in: words) : error.description.lowercased()
  }

  /// What is too long in a command line that the kernel has refused with `E2BIG`, in words.
  package static func excess(in words: [[UInt8]]) -> String {
    if let longest = words.map(\.count).max(), longest > argumentLimit {
      return "an argument of \(longest) bytes is longer than the \(argumentLimit) that Linux passes"
        + " to a program"
    }
    let sum = words.reduce(0) { $0 + $1.count }
    return "the \(words.count) arguments, \(sum) bytes, are longer than Linux passes to a program"
  }

  /// `NAME=VALUE`; `nil` if the variable is not set. The corresponding C function is getenv(3).
  private static func variable(_ name: String) -> [UInt8]? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe Array("\(name)=".utf8) + FilePath(cString: value).bytes
  }

  /// Calls `body` with texts as C has a list of them: NULL stands at its end.
  static func withList(
    _ texts: [[UInt8]], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> pid_t
  ) -> pid_t {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    for text in texts {
      starts.append(bytes.count)
      bytes += text.filter { $0 != 0 }
      bytes.append(0)
    }
    return unsafe bytes.withUnsafeBytes { bytes in
      let base = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let list = unsafe starts.map { start in unsafe base.map { unsafe $0 + start } } + [nil]
      return unsafe list.withUnsafeBufferPointer { list -> pid_t in
        guard let list = list.baseAddress else { return -EINVAL }
        return unsafe body(list)
      }
    }
  }
}

/// A program under way, whose end must be waited for once.
package struct RunningProgram: Sendable {
  /// How a program ended.
  package enum Ending: Hashable, Sendable {
    case status(CInt)
    case signal(CInt)

    /// - Parameter status: as waitpid(2) gives it.
    package init(_ status: CInt) {
      self = status & 0x7f == 0 ? .status(status >> 8 & 0xff) : .signal(status & 0x7f)
    }
  }

  package let identifier: Int32

  init(identifier: Int32) { self.identifier = identifier }

  /// A child of this process that something else has started, and that nobody else waits for.
  package init(child identifier: Int32) { self.init(identifier: identifier) }

  /// Waits for the ends of programs, but not longer than some time for all.
  ///
  /// The corresponding C functions are pidfd_open(2) and poll(2).
  ///
  /// - Returns: how those that have ended by then did, by their identifiers. Before Linux 5.3, nothing
  ///   is waited for.
  package static func endings(
    of programs: [RunningProgram], within milliseconds: Int
  ) -> [Int32: Ending] {
    let last = Clock.milliseconds + milliseconds
    var waiting: [pollfd] = []
    var running: [RunningProgram] = []
    for program in programs {
      let descriptor = clinux_process_open(program.identifier)
      guard descriptor >= 0 else { continue }
      waiting.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
      running.append(program)
    }
    defer { for one in waiting where one.fd >= 0 { close(one.fd) } }
    var endings: [Int32: Ending] = [:]
    while endings.count < running.count {
      let rest = last - Clock.milliseconds
      guard rest > 0 else { break }
      _ = unsafe poll(&waiting, nfds_t(waiting.count), CInt(rest))
      for index in running.indices where waiting[index].revents != 0 {
        endings[running[index].identifier] = running[index].endingSoFar() ?? .status(0)
        close(waiting[index].fd)
        // poll(2) passes over it.
        waiting[index] = pollfd(fd: -1, events: 0, revents: 0)
      }
    }
    return endings
  }

  /// Waits for the end.
  ///
  /// The corresponding C function is waitpid(2).
  package func wait() -> Ending { Self.reap(identifier, 0)?.ending ?? .status(0) }

  /// How the program has ended; `nil` while it runs.
  ///
  /// The corresponding C function is waitpid(2).
  package func endingSoFar() -> Ending? { Self.reap(identifier, WNOHANG)?.ending }

  /// Waits for the end, but not for ever: a file system may hold a program fast that was killed.
  ///
  /// - Returns: `nil` if the program still runs then.
  package func ending(within milliseconds: Int) -> Ending? {
    let end = Clock.milliseconds + milliseconds
    while true {
      if let ending = endingSoFar() { return ending }
      guard Clock.milliseconds < end else { return nil }
      usleep(1000)
    }
  }

  /// Waits for the end of any child of this process; `nil` if there is none.
  ///
  /// The corresponding C function is wait(2).
  package static func waitForAny() -> (identifier: Int32, ending: Ending)? { reap(-1, 0) }

  private static func reap(_ which: pid_t, _ flags: CInt) -> (identifier: Int32, ending: Ending)? {
    var status: CInt = 0
    var result: pid_t
    repeat {
      result = unsafe waitpid(which, &status, flags)
    } while result < 0 && errno == EINTR
    return result > 0 ? (result, Ending(status)) : nil
  }

  /// Ends the program at once.
  ///
  /// The corresponding C function is kill(2).
  ///
  /// - Parameter user: whose process it may have become: without CAP_KILL root may not end it either
  ///   but as that user.
  /// - Returns: whether the program is being ended.
  @discardableResult
  package func kill(of user: UInt32? = nil) -> Bool {
    if let user { return clinux_process_kill_as(identifier, user) == 0 }
    return Glibc.kill(identifier, SIGKILL) == 0
  }
}

/// A descriptor of a child's process, which stays that child's even if somebody else in this process
/// waits for the child: a pidfd.
package struct ProcessDescriptor: Sendable {
  /// How the process ended.
  package enum Ending: Hashable, Sendable {
    /// 128 and the number where a signal ended it.
    case status(CInt)
    /// This process has waited for any child, or ignores SIGCHLD, and so has taken the status.
    case taken
  }

  /// For poll(2) and close(2).
  package let rawValue: CInt

  /// How the process has ended; `nil` while it runs, unless that is waited for.
  ///
  /// The corresponding C function is waitid(2).
  package func ending(waits: Bool) -> Ending? {
    var status: CInt = 0
    switch unsafe clinux_process_ending(rawValue, waits ? 1 : 0, &status) {
    case 0: return nil
    case 1: return .status(status)
    default: return .taken
    }
  }

  /// Waits for the end, which `ending` then gives.
  ///
  /// The corresponding C function is poll(2).
  ///
  /// - Returns: whether the process has ended by then.
  package func ends(within milliseconds: Int) -> Bool {
    var end = pollfd(fd: rawValue, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&end, 1, CInt(milliseconds)) != 0
  }

  /// Ends the process at once.
  ///
  /// The corresponding C function is pidfd_send_signal(2).
  package func kill() { clinux_process_kill(rawValue) }
}

// Finding programs.
extension Program {
  /// The path of a program that a word names as in a command line: found in `PATH`, or if the word has
  /// a slash, that path; `nil` if there is none.
  ///
  /// Directories in `PATH` that are not absolute do not count. The corresponding C functions are
  /// access(2) and stat(2).
  package static func installed(_ name: String) -> FilePath? {
    if name.utf8.contains(UInt8(ascii: "/")) {
      return FilePath(bytes: Array(name.utf8)).flatMap { isProgram($0) ? $0 : nil }
    }
    guard let value = unsafe getenv("PATH") else { return nil }
    let directories = unsafe FilePath(cString: value).bytes.split(separator: UInt8(ascii: ":"))
    for directory in directories where directory.first == UInt8(ascii: "/") {
      guard let path = FilePath(bytes: directory)?.appending(FilePath(name)) else { continue }
      if isProgram(path) { return path }
    }
    return nil
  }

  private static func isProgram(_ path: FilePath) -> Bool {
    var status = stat()
    let isThere = unsafe path.withCString {
      unsafe access($0, X_OK) == 0 && stat($0, &status) == 0
    }
    return isThere && status.st_mode & S_IFMT == S_IFREG
  }

  /// The path of a program that is installed with this one, as git keeps its own.
  ///
  /// - Parameters:
  ///   - file: the executable or library that looks for it.
  ///   - places: directories relative to that of the file, each with a slash at its end.
  /// - Returns: `nil` if it is in none of them.
  package static func companion(
    _ name: String, of file: FilePath, in places: [String]
  ) -> FilePath? {
    let directory = file.bytes.dropLast(file.lastComponent.count)
    return places.lazy.compactMap { FilePath(bytes: directory + Array(($0 + name).utf8)) }
      .first { path in unsafe path.withCString { unsafe access($0, X_OK) } == 0 }
  }

  /// The executable of this process.
  ///
  /// The corresponding C function is readlink(2) of `/proc/self/exe`.
  package static var ownExecutable: FilePath? { FilePath("/proc/self/exe").linkTarget }

  /// The file that this code was loaded from: a library, or an executable.
  ///
  /// The corresponding C functions are dladdr(3), dlinfo(3) and realpath(3).
  package static func ownFile() throws(Errno) -> FilePath {
    var buffer = [CChar](repeating: 0, count: clinux_path_max)
    let result = unsafe buffer.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe clinux_own_file($0) } ?? -EINVAL
    }
    guard result == 0 else { throw Errno(rawValue: -result) }
    return unsafe buffer.withUnsafeBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe FilePath(cString: $0) } ?? FilePath("")
    }
  }
}

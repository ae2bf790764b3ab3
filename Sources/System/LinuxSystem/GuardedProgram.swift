internal import CLinux
internal import Glibc

/// A program that reads untrusted files, one after the other, and can do nothing else.
///
/// The program can read what it is installed with and the file that it is handed, which it opens by
/// `path`, as often as it likes, without reaching that file's directory; it can write to its output. It
/// can open no other file, change none, start no program or process, signal none, and reach no network.
/// It ends with the thread that started it, whatever ends that. Its user is nobody where this process is
/// root's. Unlike ``DecodingSandbox``, which a process enters by itself, this needs seccomp and Landlock.
package final class GuardedProgram {
  /// The path by which the program opens what it is handed.
  package static let path = clinux_guard_path

  /// Why a program cannot be guarded.
  package enum Failure: Error, Hashable, CustomStringConvertible {
    /// The kernel lacks what confines the program (Linux 5.14 with Landlock), or refuses it.
    case unconfined(Errno)
    /// The program could not be started.
    case unstarted(Errno)
    /// Yama, or a container, refuses to read the program's memory.
    case untraced

    package var description: String {
      switch self {
      case .unconfined(let errno):
        "this system cannot confine it: \(errno.description.lowercased())"
      case .unstarted(let errno): errno.description.lowercased()
      case .untraced: "this system does not let its calls be watched"
      }
    }
  }

  /// What has happened to a program.
  package enum Event {
    /// It has written something, or closed its output.
    case output
    case late
    /// There is something else to do.
    case interrupted
  }

  private let process: RunningProgram
  private let listener: CInt
  /// Whether it has ended. What it has written may come later.
  private var isGone = false
  private var failures: FileChannel?
  private var isStarted: CInt = 0
  private let input: CInt
  private let output: CInt

  /// Starts a program.
  ///
  /// The corresponding C functions are fork(2), seccomp(2), landlock_restrict_self(2) and execve(2).
  ///
  /// - Parameters:
  ///   - words: the program's own name, then its arguments.
  ///   - variables: its environment, each `NAME=VALUE`.
  ///   - readable: where it is installed; what is not there is left out.
  ///   - memory: the address space that it may have, in bytes.
  /// - Precondition: this process has one thread.
  package init(
    _ program: FilePath, _ words: [String], variables: [String], readable: [FilePath],
    memory: UInt64
  ) throws(Failure) {
    var ends: [CInt] = [-1, -1]
    var others: [CInt] = [-1, -1]
    guard unsafe clinux_pipe(&ends) == 0 else { throw .unstarted(.current) }
    guard unsafe clinux_pipe(&others) == 0 else {
      for end in ends { close(end) }
      throw .unstarted(.current)
    }
    var listener: CInt = -1
    var failures: CInt = -1
    let result = unsafe program.withCString { program in
      unsafe Program.withList(words.map { Array($0.utf8) }) { arguments in
        unsafe Program.withList(variables.map { Array($0.utf8) }) { variables in
          unsafe Program.withList(readable.map { Array($0.bytes) }) { readable in
            var guarded = unsafe clinux_guard(
              program: program, arguments: arguments, environment: variables, readable: readable,
              input: ends[0], output: others[1], address_space: memory)
            return unsafe clinux_guard_start(&guarded, &listener, &failures)
          }
        }
      }
    }
    close(ends[0])
    close(others[1])
    guard result > 0 else {
      close(ends[1])
      close(others[0])
      throw .unconfined(Errno(rawValue: -result))
    }
    (process, self.listener) = (RunningProgram(identifier: result), listener)
    self.failures = FileChannel(failures, PacketBuffer())
    (input, output) = (ends[1], others[0])
    // One that does not read its questions is not waited for.
    _ = fcntl(input, F_SETFL, O_NONBLOCK)
  }

  deinit {
    process.kill()
    for descriptor in [input, output, listener] { close(descriptor) }
    _ = process.ending(within: Self.patience)
  }

  /// How long the end of a program that is killed is waited for, in milliseconds.
  private static let patience = 200

  /// Writes to its standard input, which has room for a question (64 KiB); fails where the program does not
  /// read it.
  ///
  /// The corresponding C function is write(2).
  package func ask(_ bytes: [UInt8]) throws(Errno) { try Descriptor.write(bytes, to: input) }

  /// What it has written; empty if it has closed its output.
  package func answer() throws(Errno) -> [UInt8] { try Descriptor.readBlock(output) }

  /// Lets it go on until something happens.
  ///
  /// - Parameters:
  ///   - file: what it is handed, open for reading; `nil` for nothing.
  ///   - end: when it is late, by `Clock.milliseconds`.
  ///   - descriptor: interrupts the wait when it can be read from or its other side is gone.
  package func run(
    handing file: CInt?, until end: Int, unless descriptor: CInt
  ) throws(Failure) -> Event {
    while true {
      var waited = [
        pollfd(fd: isGone ? -1 : listener, events: Int16(POLLIN), revents: 0),
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: failures?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let rest = end - Clock.milliseconds
      guard rest > 0 else { return .late }
      let count = unsafe poll(&waited, nfds_t(waited.count), CInt(rest))
      if count < 0, errno == EINTR { continue }
      let isPending = waited.map { $0.revents != 0 }
      if isPending[3] { return .interrupted }
      if isPending[0], waited[0].revents & Int16(POLLIN) != 0 {
        guard unsafe clinux_guard_answer(listener, file ?? -1, &isStarted) == 0 else {
          throw .untraced
        }
      } else if isPending[2], let channel = failures {
        failures = nil
        if let errno = Self.failure(from: channel) { throw .unstarted(errno) }
      } else if isPending[1] {
        return .output
      } else if isPending[0] {
        isGone = true
      }
    }
  }

  /// Why the program has not become what it was to be; `nil` if it has.
  private static func failure(from channel: FileChannel) -> Errno? {
    guard case .packet(let packet) = channel.receive(waits: true),
      packet.bytes.count == MemoryLayout<CInt>.size
    else { return nil }
    let result = unsafe packet.bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: CInt.self) }
    return Errno(rawValue: -result)
  }
}

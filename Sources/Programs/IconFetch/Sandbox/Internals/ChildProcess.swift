internal import CLinux
internal import Glibc
internal import LinuxSystem

/// A sandboxed program under way, which does not outlive the last reference to it.
final class ChildProcess {
  private let program: RunningProgram
  private var isRunning = true
  /// The near end of its standard input, a socket.
  private(set) var input: CInt?
  /// The near end of its standard output, a pipe.
  let output: CInt
  /// The near end of its standard error, a pipe.
  let errors: CInt

  /// Starts a program; reading from the near ends, and writing to them, does not block.
  ///
  /// The corresponding C functions are socketpair(2) and pipe2(2).
  ///
  /// - Parameter arguments: the program's name first; bytes after a NUL are lost.
  init(_ program: FilePath, _ arguments: [String]) throws(RenderingFailure) {
    var opened: [CInt] = []
    do throws(Errno) {
      // Of each pair the far end comes first.
      for isInput in [true, false, false] { opened += try Self.pair(isInput: isInput) }
      let words = arguments.map { Array($0.utf8.prefix { $0 != 0 }) }
      self.program = try Program(program, words, .sandboxed, variables: []).start(
        input: .descriptor(opened[0]), output: .descriptor(opened[2]),
        errors: .descriptor(opened[4]))
    } catch {
      for descriptor in opened { close(descriptor) }
      throw .system(error)
    }
    for descriptor in [opened[0], opened[2], opened[4]] { close(descriptor) }
    (input, output, errors) = (opened[1], opened[3], opened[5])
  }

  private static func pair(isInput: Bool) throws(Errno) -> [CInt] {
    var ends: [CInt] = [-1, -1]
    let result = isInput ? unsafe clinux_socket_pair(&ends) : unsafe clinux_pipe(&ends)
    guard result == 0 else { throw Errno(rawValue: -result) }
    // A pipe's first end is the one to read from.
    if !isInput { ends.swapAt(0, 1) }
    guard fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0 else {
      let errno = Errno.current
      for end in ends { close(end) }
      throw errno
    }
    return ends
  }

  deinit {
    for descriptor in [output, errors] { close(descriptor) }
    closeInput()
    if isRunning {
      // It may have become nobody's, whom root without CAP_KILL may not end.
      program.kill(of: FileRights.nobody)
      _ = program.wait()
    }
  }

  func closeInput() {
    if let input { close(input) }
    input = nil
  }

  /// Waits for the end and returns the exit status.
  func end(at deadline: Duration) throws(RenderingFailure) -> CInt {
    var ending = program.endingSoFar()
    // Its streams are closed, so the end is near.
    while ending == nil {
      guard Clock.now < deadline else { throw .timedOut }
      usleep(200)
      ending = program.endingSoFar()
    }
    isRunning = false
    switch ending {
    case .status(let status)?: return status
    case .signal(let number)?: throw .ended(signal: number)
    case nil: throw .timedOut
    }
  }
}

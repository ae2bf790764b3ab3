internal import CLinux
internal import Glibc
internal import LinuxSystem

/// A program under way that does not outlive the last reference to it.
final class ChildProcess {
  private let child: clinux_child
  private var isRunning = true

  /// - Parameter arguments: the program's name first; bytes behind a NUL are lost.
  init(_ program: FilePath, _ arguments: [String]) throws(RenderingFailure) {
    let words =
      unsafe arguments.map { word in unsafe word.withCString { unsafe strdup($0) } } + [nil]
    defer {
      for index in unsafe words.indices { unsafe free(words[index]) }
    }
    var child = clinux_child()
    let result = unsafe program.withCString { program in
      unsafe clinux_program_spawn(program, words, &child)
    }
    guard result == 0 else { throw .system(Errno(rawValue: -result)) }
    self.child = child
  }

  deinit {
    for descriptor in [child.output, child.errors] { close(descriptor) }
    closeInput()
    if isRunning {
      kill(child.identifier, SIGKILL)
      _ = wait(0)
    }
  }

  /// The near end of its standard input, a socket.
  private(set) lazy var input: CInt? = child.input
  var output: CInt { child.output }
  var errors: CInt { child.errors }

  func closeInput() {
    if let input { close(input) }
    input = nil
  }

  /// Waits for the end and returns the exit status.
  ///
  /// The corresponding C function is waitpid(2).
  func end(at deadline: ContinuousClock.Instant) throws(RenderingFailure) -> CInt {
    var status = wait(WNOHANG)
    // Its streams are closed, so the end is near.
    while status == nil {
      guard ContinuousClock.now < deadline else { throw .timedOut }
      usleep(200)
      status = wait(WNOHANG)
    }
    guard let status else { throw .timedOut }
    guard status & 0x7f == 0 else { throw .ended(signal: status & 0x7f) }
    return status >> 8 & 0xff
  }

  private func wait(_ flags: CInt) -> CInt? {
    var status: CInt = 0
    var result: pid_t
    repeat {
      result = unsafe waitpid(child.identifier, &status, flags)
    } while result < 0 && errno == EINTR
    guard result != 0 else { return nil }
    isRunning = false
    return status
  }
}

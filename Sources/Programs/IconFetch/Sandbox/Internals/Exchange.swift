internal import Glibc
internal import LinuxSystem
internal import Xattr

/// Feeds a process and collects what it writes, without either waiting for the other.
struct Exchange {
  private let child: ChildProcess
  private var input: ArraySlice<UInt8>
  private(set) var output: [UInt8] = []
  /// The first of what it says of errors; what is more is read and dropped.
  private(set) var errors: [UInt8] = []

  init(with child: ChildProcess, input: [UInt8]) {
    self.child = child
    self.input = input[...]
  }

  /// Goes on until the process has closed both of its outputs.
  ///
  /// The corresponding C functions are poll(2), send(2) and read(2).
  mutating func run(until deadline: ContinuousClock.Instant) throws(RenderingFailure) {
    var open = (output: true, errors: true)
    if input.isEmpty { child.closeInput() }
    while open.output || open.errors {
      var polled = [
        pollfd(fd: child.input ?? -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: open.output ? child.output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: open.errors ? child.errors : -1, events: Int16(POLLIN), revents: 0),
      ]
      let left = deadline - .now
      guard left > .zero else { throw .timedOut }
      let milliseconds = Int(left / .milliseconds(1)) + 1
      let result = unsafe poll(&polled, 3, CInt(clamping: milliseconds))
      guard result >= 0 || errno == EINTR else { throw .system(.current) }
      guard result > 0 else { continue }
      if polled[0].revents != 0 { try send() }
      if polled[1].revents != 0 {
        open.output = try Self.read(child.output, into: &output)
        guard output.count <= RenderingProcess.outputLimit else { throw .outputTooLarge }
      }
      if polled[2].revents != 0 {
        open.errors = try Self.read(child.errors, into: &errors)
        errors = Array(errors.prefix(RenderingProcess.wordLimit))
      }
    }
  }

  private mutating func send() throws(RenderingFailure) {
    guard let descriptor = child.input else { return }
    let count = unsafe input.withUnsafeBytes { input in
      unsafe Glibc.send(descriptor, input.baseAddress, input.count, CInt(MSG_NOSIGNAL))
    }
    if count >= 0 {
      input = input.dropFirst(count)
    } else if [EPIPE, ECONNRESET].contains(errno) {
      input = []  // it reads no further, and says why in its answer
    } else if ![EAGAIN, EINTR].contains(errno) {
      throw .system(.current)
    }
    if input.isEmpty { child.closeInput() }
  }

  /// Appends what there is; `false` at the end.
  private static func read(
    _ descriptor: CInt, into bytes: inout [UInt8]
  ) throws(RenderingFailure) -> Bool {
    var count = 0
    let block = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
      count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      filled = max(0, count)
    }
    guard count >= 0 || [EAGAIN, EINTR].contains(errno) else { throw .system(.current) }
    bytes += block
    return count != 0
  }
}

package import AppIcon
internal import Glibc
package import LinuxSystem

/// Renders an icon in a process of its own that has given up its rights.
///
/// The parent's network state, cache and descriptors are out of the decoder's reach; what the
/// process does wrong costs no more than time, which is bounded, and an icon.
package struct RenderingProcess: Sendable {
  /// The longest answer, in bytes: 1024² pixels that do not compress, and chunks around them.
  package static let outputLimit = Int(DecodingSandbox.fileSize)
  /// The longest words that ``RenderingFailure/refused(_:)`` has, in bytes.
  package static let wordLimit = 1 << 10

  private let program: FilePath
  private let arguments: [String]
  private let milliseconds: Int

  /// - Parameters:
  ///   - program: run with `arguments`, it must call ``RenderingService/run(_:)`` with what follows
  ///     them. `/proc/self/exe` is this program.
  ///   - arguments: those before the rendering's, the program's name first.
  ///   - milliseconds: how long it may take in all.
  package init(program: FilePath, arguments: [String], milliseconds: Int = 10_000) {
    self.program = program
    self.arguments = arguments
    self.milliseconds = milliseconds
  }

  /// Returns the icon as a PNG, as ``IconRendering/render(png:)`` does.
  package func render(
    _ png: [UInt8], _ rendering: IconRendering
  ) throws(RenderingFailure) -> [UInt8] {
    let child = try ChildProcess(program, arguments + rendering.arguments)
    var exchange = Exchange(child: child, input: png[...])
    let deadline = Clock.now + .milliseconds(milliseconds)
    try exchange.run(until: deadline)
    let status = try child.end(at: deadline)
    let words = String(decoding: exchange.errors, as: UTF8.self)
    switch RenderingService.Ending(rawValue: status) {
    // A process that was taken over can still answer only in the form that this library writes; the
    // content of the rows is up to it.
    case .done where RenderedPNG.isOne(exchange.output, side: rendering.size.pixels):
      return exchange.output
    case .refused: throw .refused(words)
    case .failed: throw .unable(words)
    case .done, nil: throw .unexpected(status: status)
    }
  }
}

/// The far side of a ``RenderingProcess``: the work of the program that is started to render.
package enum RenderingService {
  /// How the process ends, as its exit status says.
  package enum Ending: CInt, Sendable {
    case done
    /// The picture cannot be shown.
    case refused
    /// This process cannot do its work.
    case failed
  }

  /// Enters the ``DecodingSandbox``, reads a PNG from standard input and writes the icon to
  /// standard output, or why there is none to standard error.
  ///
  /// - Parameter arguments: those of ``IconRendering/arguments``.
  /// - Returns: the ending, whose raw value is the status to exit with.
  package static func run(_ arguments: [String]) -> Ending {
    do {
      try DecodingSandbox.enter()
    } catch {
      return fail("the picture cannot be decoded: \(error)")
    }
    do throws(Errno) {
      guard let rendering = IconRendering(arguments: arguments) else { throw .invalidArgument }
      let input = try Descriptor.read(STDIN_FILENO, limit: PNGHeader.byteLimit)
      let answer: [UInt8]
      do throws(PictureFailure) {
        guard let input else { throw PictureFailure(.tooLarge, at: PNGHeader.byteLimit) }
        answer = try rendering.render(png: input)
      } catch {
        try Descriptor.write(Array(error.description.utf8), to: STDERR_FILENO)
        return .refused
      }
      try Descriptor.write(answer, to: STDOUT_FILENO)
      return .done
    } catch {
      return fail(RenderingFailure.system(error).description)
    }
  }

  private static func fail(_ words: String) -> Ending {
    // If even this cannot be written, the status says enough.
    try? Descriptor.write(Array(words.utf8), to: STDERR_FILENO)
    return .failed
  }
}

/// Why a ``RenderingProcess`` gave no icon.
package enum RenderingFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// It could not be started, or its streams failed.
  case system(Errno)
  /// The picture cannot be shown, in the words of a ``PictureFailure``.
  ///
  /// They come from a process that has read untrusted input: at most 1 KiB, to be escaped
  /// before a terminal sees them.
  case refused(String)
  /// The process could not do its work whatever the picture, in its words; see ``refused(_:)``.
  case unable(String)
  case timedOut
  case outputTooLarge
  /// A signal ended it: SIGXCPU when its processor time was used up, SIGILL, SIGSEGV or SIGABRT
  /// after a fault or for want of memory.
  case ended(signal: CInt)
  /// It ended with a status it does not have, or with an answer that is no icon.
  case unexpected(status: CInt)

  package var description: String {
    switch self {
    case .system(let errno): "the picture cannot be decoded: \(errno.description.lowercased())"
    case .refused(let words), .unable(let words): words
    case .timedOut: "decoding the picture took too long"
    case .outputTooLarge: "the decoded picture is too large"
    case .ended(let signal): "decoding the picture was terminated by signal \(signal)"
    case .unexpected(let status): "decoding the picture exited with status \(status)"
    }
  }
}

/// Feeds a process and collects its output at the same time, so that neither waits for the other.
private struct Exchange {
  let child: ChildProcess
  var input: ArraySlice<UInt8>
  private(set) var output: [UInt8] = []
  /// The first words of its standard error; further ones are read and dropped.
  private(set) var errors: [UInt8] = []

  /// Goes on until the process has closed both of its outputs.
  ///
  /// The corresponding C functions are poll(2), send(2) and read(2).
  mutating func run(until deadline: Duration) throws(RenderingFailure) {
    var open = (output: true, errors: true)
    if input.isEmpty { child.closeInput() }
    while open.output || open.errors {
      var polled = [
        pollfd(fd: child.input ?? -1, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: open.output ? child.output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: open.errors ? child.errors : -1, events: Int16(POLLIN), revents: 0),
      ]
      let left = deadline - Clock.now
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

  /// Appends the bytes that can be read now; `false` at the end.
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

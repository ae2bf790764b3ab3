internal import Glibc
internal import Synchronization

/// Standard output or standard error, written in blocks.
///
/// A stream belongs to one thread. Other threads have streams of their own to the same destination,
/// by `SharedConsole`; they take turns, so that what one sends is never in the middle of another's.
package final class OutputStream {
  /// Why a write failed.
  package struct Failure: Error, Hashable, Sendable {
    /// The error number of write(2).
    package let errno: CInt
    /// The C library's words for it.
    package var reason: String {
      guard let words = unsafe strerror(errno) else { return "error \(errno)" }
      return unsafe String(cString: words)
    }
  }

  private static let block = 65536
  let destination: OutputDestination
  /// Whether other streams lead to the same destination, so that no block may go out in the middle
  /// of a record.
  private let isShared: Bool
  private var pending: [UInt8] = []

  package static func standardOutput() -> OutputStream { OutputStream(descriptor: STDOUT_FILENO) }
  package static func standardError() -> OutputStream { OutputStream(descriptor: STDERR_FILENO) }

  package convenience init(descriptor: CInt) {
    self.init(OutputDestination(descriptor: descriptor), isShared: false)
  }

  /// - Parameter isShared: whether pending bytes go out only at `endRecord` or `flush`, since other
  ///   streams lead to the same destination.
  init(_ destination: OutputDestination, isShared: Bool) {
    self.destination = destination
    self.isShared = isShared
    isTerminal = destination.isTerminal
  }

  /// Whether a person is likely to be reading.
  package let isTerminal: Bool

  /// The first failure; nothing is written after it.
  package var failure: Failure? { destination.failure }

  var descriptor: CInt { destination.descriptor }

  /// Adds bytes, which go out when a block is full, or when the stream is flushed.
  ///
  /// - Parameter end: a byte after them that ends a line or record.
  package func write(_ bytes: ArraySlice<UInt8>, end: UInt8? = nil) {
    pending.append(contentsOf: bytes)
    if let end { pending.append(end) }
    if pending.count >= Self.block, !isShared { flush() }
  }

  package func write(_ bytes: [UInt8]) {
    guard bytes.count >= Self.block, !isShared else { return write(bytes[...]) }
    // A block needs no copy.
    flush()
    destination.send(bytes)
  }

  /// Adds what `body` appends and one byte that ends the record, which may then go out.
  ///
  /// - Returns: `false` where the output cannot be written.
  package func writeRecord(end: UInt8, _ body: (inout [UInt8]) -> Void) -> Bool {
    guard Self.fill(&pending, end, body) >= Self.block || isTerminal else { return true }
    flush()
    return failure == nil
  }

  /// - Returns: how many bytes are pending afterwards.
  private static func fill(
    _ pending: inout [UInt8], _ end: UInt8, _ body: (inout [UInt8]) -> Void
  ) -> Int {
    body(&pending)
    pending.append(end)
    return pending.count
  }

  /// Adds text as UTF-8, and one byte after it that ends a line or record.
  package func write(_ text: String, end: UInt8? = nil) {
    pending.append(contentsOf: text.utf8)
    if let end { pending.append(end) }
    if pending.count >= Self.block, !isShared { flush() }
  }

  /// Adds text and a line end; on a terminal the line goes out immediately.
  package func writeLine(_ text: String) {
    write(text, end: UInt8(ascii: "\n"))
    endLine()
  }

  /// Adds bytes and a line end; on a terminal the line goes out immediately.
  package func writeLine(_ bytes: [UInt8]) {
    write(bytes[...], end: UInt8(ascii: "\n"))
    endLine()
  }

  /// Lets a line that was written go out on a terminal immediately.
  func endLine() { if isTerminal, !isShared { flush() } }

  /// Lets what was written so far go out: on a terminal immediately, otherwise in blocks.
  ///
  /// - Returns: `false` where the output cannot be written.
  @discardableResult
  package func endRecord() -> Bool {
    guard pending.count >= Self.block || (isTerminal && !pending.isEmpty) else { return true }
    flush()
    return failure == nil
  }

  /// Sends all that is pending, unless an earlier write failed.
  package func flush() {
    guard !pending.isEmpty else { return }
    destination.send(pending)
    pending.removeAll(keepingCapacity: true)
  }
}

/// The terminal, file or pipe that streams of one or several threads write to.
///
/// `@unchecked`: `turns` changes only while there is one thread; a destination with a record belongs
/// to one thread.
final class OutputDestination: @unchecked Sendable {
  let descriptor: CInt
  let isTerminal: Bool
  private var turns = OutputTurns()
  private let firstFailure = Mutex<OutputStream.Failure?>(nil)
  /// Where bytes are kept instead of being sent.
  private let record: (pieces: TranscriptRecord, isError: Bool)?

  init(descriptor: CInt) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    record = nil
  }

  private init(_ other: OutputDestination, _ record: TranscriptRecord, isError: Bool) {
    descriptor = other.descriptor
    isTerminal = other.isTerminal
    self.record = (record, isError)
  }

  /// A destination that sends nothing and keeps all.
  func held(in record: TranscriptRecord, isError: Bool) -> OutputDestination {
    OutputDestination(self, record, isError: isError)
  }

  /// How what is sent to two destinations is read.
  enum Relation {
    case apart
    /// Together, as on a terminal or in one file, where each may have its own position.
    case together
    /// Together in the order in which it is sent, whichever of both sends it.
    case oneStream
  }

  /// The corresponding C function is fstat(2).
  func relation(to other: OutputDestination) -> Relation {
    var (here, there) = (stat(), stat())
    guard unsafe fstat(descriptor, &here) == 0 && fstat(other.descriptor, &there) == 0 else {
      return .together
    }
    if here.st_dev == there.st_dev && here.st_ino == there.st_ino {
      return here.st_mode & S_IFMT == S_IFREG ? .together : .oneStream
    }
    return isTerminal && other.isTerminal ? .together : .apart
  }

  /// Lets only one of the two destinations be written to at a time.
  func takeTurns(with other: OutputDestination) {
    if turns !== other.turns { turns = other.turns }
  }

  var failure: OutputStream.Failure? { firstFailure.withLock { $0 } }

  /// Sends bytes, unless an earlier write failed. Retries EINTR and short writes.
  ///
  /// The corresponding C function is write(2).
  func send(_ bytes: [UInt8]) {
    if let record {
      record.pieces.add(bytes, isError: record.isError)
      return
    }
    turns.wait { line in
      erase(&line)
      write(bytes)
    }
  }

  /// Shows a text on a terminal's last line, in place of the one shown before.
  func show(_ text: String?) {
    turns.wait { line in
      guard text != line?.text else { return }
      line = text.map { VanishingText(text: $0, destination: self) }
      write(Self.erasure + Array((text ?? "").utf8))
    }
  }

  /// Erases a line on this destination, or on the terminal that this destination is too.
  private func erase(_ line: inout VanishingText?) {
    guard let destination = line?.destination, destination === self || isTerminal else { return }
    line = nil
    destination.write(Self.erasure)
  }

  private static let erasure = Array("\r\u{1b}[K".utf8)

  /// Sends the whole of a file, uninterrupted by other streams.
  ///
  /// The corresponding C function is pread(2).
  func send(contentsOf file: CInt) {
    turns.wait { line in
      erase(&line)
      var sent = 0
      unsafe withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { buffer in
        while true {
          let count = unsafe pread(file, buffer.baseAddress, buffer.count, sent)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return }
          unsafe write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          sent += count
        }
      }
    }
  }

  private func write(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe write($0) } }

  private func write(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    var sent = 0
    while sent < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
      let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        sent += count
      } else if errno != EINTR {
        let failure = OutputStream.Failure(errno: errno)
        firstFailure.withLock { $0 = failure }
        return
      }
    }
  }
}

/// The text on a terminal's last line, which goes when something is sent to the terminal.
private struct VanishingText: Sendable {
  let text: String
  let destination: OutputDestination
}

/// Lets one stream write at a time, where several lead to one terminal or file.
private final class OutputTurns: Sendable {
  private let line = Mutex<VanishingText?>(nil)

  /// - Parameter body: gets the vanishing line that is shown, if there is one.
  func wait(_ body: (inout VanishingText?) -> Void) { line.withLock { body(&$0) } }
}

/// The bytes that the streams of a `HeldConsole` were given; they belong to one thread.
final class TranscriptRecord {
  private(set) var transcript = Transcript()

  func add(_ bytes: [UInt8], isError: Bool) { transcript.add(bytes, isError: isError) }
}

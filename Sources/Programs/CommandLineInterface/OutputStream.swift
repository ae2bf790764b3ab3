internal import Glibc

/// Standard output or standard error, written in blocks.
///
/// A stream is for one thread. Others have streams of their own to the same place, by
/// `SharedConsole`, which take turns: what one sends is never in the middle of another's.
public final class OutputStream {
  /// What a failed write threw away, and why.
  public struct Failure: Error, Hashable, Sendable {
    /// The error number of write(2).
    public let errno: CInt
    /// The C library's words for it.
    public var reason: String {
      guard let words = unsafe strerror(errno) else { return "error \(errno)" }
      return unsafe String(cString: words)
    }
  }

  private static let block = 65536
  let destination: OutputDestination
  /// Whether a full block may go out in the middle of a record.
  private let isShared: Bool
  private var pending: [UInt8] = []

  public static func standardOutput() -> OutputStream { OutputStream(descriptor: STDOUT_FILENO) }
  public static func standardError() -> OutputStream { OutputStream(descriptor: STDERR_FILENO) }

  public convenience init(descriptor: CInt) {
    self.init(OutputDestination(descriptor: descriptor, turns: OutputTurns()), isShared: false)
  }

  /// - Parameter isShared: whether it goes out only when `endRecord` or `flush` is called, since
  ///   other streams lead to the same place.
  init(_ destination: OutputDestination, isShared: Bool) {
    self.destination = destination
    self.isShared = isShared
    isTerminal = destination.isTerminal
  }

  /// Whether a person is likely to be reading.
  public let isTerminal: Bool

  /// The first failure; nothing is written after it.
  public var failure: Failure? { destination.failure }

  var descriptor: CInt { destination.descriptor }

  /// Adds bytes; they go out when a block is full, or when the stream is flushed.
  public func write(_ bytes: ArraySlice<UInt8>) {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.block, !isShared { flush() }
  }

  public func write(_ bytes: [UInt8]) { write(bytes[...]) }

  /// Adds bytes, and one behind them to end a line or record.
  public func write(_ bytes: ArraySlice<UInt8>, end: UInt8) {
    pending.append(contentsOf: bytes)
    pending.append(end)
    if pending.count >= Self.block, !isShared { flush() }
  }

  /// Adds what `body` appends, and one byte behind it to end a record that may go out.
  ///
  /// - Returns: `false` where it cannot be written.
  public func writeRecord(end: UInt8, _ body: (inout [UInt8]) -> Void) -> Bool {
    guard Self.fill(&pending, end, body) >= Self.block || isTerminal else { return true }
    flush()
    return failure == nil
  }

  /// - Returns: how many bytes are pending then.
  private static func fill(
    _ pending: inout [UInt8], _ end: UInt8, _ body: (inout [UInt8]) -> Void
  ) -> Int {
    body(&pending)
    pending.append(end)
    return pending.count
  }

  /// Adds text as UTF-8, and one byte behind it to end a line or record.
  public func write(_ text: String, end: UInt8? = nil) {
    pending.append(contentsOf: text.utf8)
    if let end { pending.append(end) }
    if pending.count >= Self.block, !isShared { flush() }
  }

  /// Adds text and a line end. On a terminal it goes out at once.
  public func writeLine(_ text: String) {
    write(text, end: UInt8(ascii: "\n"))
    if isTerminal, !isShared { flush() }
  }

  /// Says that what was written so far may go out: on a terminal at once, else in blocks.
  ///
  /// - Returns: `false` where it cannot be written.
  @discardableResult
  public func endRecord() -> Bool {
    guard pending.count >= Self.block || (isTerminal && !pending.isEmpty) else { return true }
    flush()
    return failure == nil
  }

  /// Sends all that is pending, unless an earlier write failed.
  public func flush() {
    guard !pending.isEmpty else { return }
    destination.send(pending)
    pending.removeAll(keepingCapacity: true)
  }
}

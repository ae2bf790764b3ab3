internal import Glibc

/// Standard output or standard error, written in blocks.
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

  /// Whether a person is likely to be reading.
  public let isTerminal: Bool

  /// The first failure; nothing is written after it.
  public private(set) var failure: Failure?

  private static let block = 65536
  let descriptor: CInt
  private var pending: [UInt8] = []

  public static func standardOutput() -> OutputStream { OutputStream(descriptor: STDOUT_FILENO) }
  public static func standardError() -> OutputStream { OutputStream(descriptor: STDERR_FILENO) }

  public init(descriptor: CInt) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Adds bytes; they go out when a block is full, or when the stream is flushed.
  public func write(_ bytes: ArraySlice<UInt8>) {
    pending.append(contentsOf: bytes)
    if pending.count >= Self.block { flush() }
  }

  public func write(_ bytes: [UInt8]) { write(bytes[...]) }

  /// Adds text as UTF-8, and one byte behind it to end a line or record.
  public func write(_ text: String, end: UInt8? = nil) {
    pending.append(contentsOf: text.utf8)
    if let end { pending.append(end) }
    if pending.count >= Self.block { flush() }
  }

  /// Adds text and a line end. On a terminal it goes out at once.
  public func writeLine(_ text: String) {
    write(text, end: UInt8(ascii: "\n"))
    if isTerminal { flush() }
  }

  /// Sends all that is pending, unless an earlier write failed. Retries EINTR and short writes.
  ///
  /// The corresponding C function is write(2).
  public func flush() {
    defer { pending.removeAll(keepingCapacity: true) }
    guard failure == nil else { return }
    unsafe pending.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
        let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          sent += count
        } else if errno != EINTR {
          failure = Failure(errno: errno)
          return
        }
      }
    }
  }
}

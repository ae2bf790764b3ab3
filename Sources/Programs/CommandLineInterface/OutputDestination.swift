internal import Glibc
internal import Synchronization

/// Where streams of one or several threads write to.
///
/// `@unchecked`: `turns` changes only while there is one thread; `line` is used in turns.
final class OutputDestination: @unchecked Sendable {
  let descriptor: CInt
  let isTerminal: Bool
  private var turns: OutputTurns
  /// What stands on a terminal's last line until something is sent.
  private var line: String?
  private let firstFailure = Mutex<OutputStream.Failure?>(nil)

  init(descriptor: CInt, turns: OutputTurns) {
    self.descriptor = descriptor
    self.turns = turns
    isTerminal = isatty(descriptor) == 1
  }

  /// From now on this and the other are not written to at once.
  func takeTurns(with other: OutputDestination) {
    if turns !== other.turns { turns = other.turns }
  }

  /// The first failure; nothing is written after it.
  var failure: OutputStream.Failure? { firstFailure.withLock { $0 } }

  /// Sends bytes, unless an earlier write failed. Retries EINTR and short writes.
  ///
  /// The corresponding C function is write(2).
  func send(_ bytes: [UInt8]) {
    turns.wait {
      eraseLine()
      write(bytes)
    }
  }

  /// Shows a text on a terminal's last line, in the place of what was shown there before.
  func show(_ text: String?) {
    turns.wait {
      guard text != line else { return }
      line = text
      write(Self.erasure + Array((text ?? "").utf8))
    }
  }

  private func eraseLine() {
    guard line != nil else { return }
    line = nil
    write(Self.erasure)
  }

  private static let erasure = Array("\r\u{1b}[K".utf8)

  /// Sends all of a file, in pieces that nothing comes between.
  ///
  /// The corresponding C function is pread(2).
  func send(contentsOf file: CInt) {
    turns.wait {
      eraseLine()
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

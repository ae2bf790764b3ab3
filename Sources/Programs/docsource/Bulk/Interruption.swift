import FileTree
import Glibc
import Synchronization

/// SIGHUP, SIGINT and SIGTERM, heeded so that work on a tree ends between two files.
///
/// What has begun is finished and what was done is told; then the process ends by the signal after
/// all, so that the shell or script that called it sees that. A second signal ends it at once.
enum Interruption {
  // Of a process there is one, and a signal handler reaches nothing but globals.
  private static let cancellation = WalkCancellation()
  private static let pending = Atomic<CInt>(0)

  /// The first signal from now on cancels what is returned. A signal that is ignored, as in the
  /// background of a shell or below nohup(1), stays so.
  ///
  /// The corresponding C function is sigaction(2).
  static func heed() -> WalkCancellation {
    // Made before a handler asks for it: making it is not async-signal-safe.
    let cancellation = cancellation
    for number in [SIGHUP, SIGINT, SIGTERM] {
      var action = sigaction()
      guard unsafe sigaction(number, nil, &action) == 0,
        unsafe !isIgnored(action.__sigaction_handler.sa_handler)
      else { continue }
      action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { Interruption.receive($0) }
      // After the first one the signal does again what it does by default.
      action.sa_flags = SA_RESTART | CInt(bitPattern: UInt32(SA_RESETHAND))
      _ = unsafe sigaction(number, &action, nil)
    }
    return cancellation
  }

  /// Whether a signal has come.
  static var hasCome: Bool { pending.load(ordering: .relaxed) != 0 }

  /// Ends the process by the signal that has come; returns where none has.
  ///
  /// The corresponding C function is raise(3).
  static func passOn() {
    let number = pending.load(ordering: .relaxed)
    guard number != 0 else { return }
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Runs in a signal handler: atomic operations and raise(3) only.
  private static func receive(_ number: CInt) {
    let former = pending.exchange(number, ordering: .relaxed)
    cancellation.cancel()
    // Of the other signal this was the first, but the second of both. It comes again when the
    // handler returns, and then does what it does by default.
    if former != 0 { raise(number) }
  }

  private static func isIgnored(_ handler: (@convention(c) (CInt) -> Void)?) -> Bool {
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

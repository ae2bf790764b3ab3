internal import Glibc
internal import Synchronization

/// SIGHUP, SIGINT and SIGTERM, handled so that work on a tree ends between two files.
///
/// The file in hand is finished and the work done so far is summed up; then the process ends by the
/// signal, so that the shell or script that called it sees the signal. A second signal ends the
/// process at once.
package enum Interruption {
  // A process has one, and a signal handler can reach nothing but globals.
  private static let cancellation = WalkCancellation()
  private static let pending = Atomic<CInt>(0)

  /// From now on the first signal cancels the returned cancellation. A signal that is ignored, as
  /// in the background of a shell or under nohup(1), stays ignored.
  ///
  /// The corresponding C function is sigaction(2).
  package static func install() -> WalkCancellation {
    // Initialised before a handler uses it, since initialising is not async-signal-safe.
    let cancellation = cancellation
    for number in [SIGHUP, SIGINT, SIGTERM] {
      var action = sigaction()
      guard unsafe sigaction(number, nil, &action) == 0,
        unsafe !isIgnored(action.__sigaction_handler.sa_handler)
      else { continue }
      action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { Interruption.receive($0) }
      // The second signal of a kind has its default action again.
      action.sa_flags = SA_RESTART | CInt(bitPattern: UInt32(SA_RESETHAND))
      _ = unsafe sigaction(number, &action, nil)
    }
    return cancellation
  }

  package static var isPending: Bool { pending.load(ordering: .relaxed) != 0 }

  /// Ends the process by the signal that has come; returns if none has.
  ///
  /// The corresponding C function is raise(3).
  package static func reraise() {
    let number = pending.load(ordering: .relaxed)
    guard number != 0 else { return }
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Runs in a signal handler: atomic operations and raise(3) only.
  private static func receive(_ number: CInt) {
    let former = pending.exchange(number, ordering: .relaxed)
    cancellation.cancel()
    // The first of its kind, but the second signal. It comes again when the handler returns, and
    // has its default action then.
    if former != 0 { raise(number) }
  }

  private static func isIgnored(_ handler: (@convention(c) (CInt) -> Void)?) -> Bool {
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

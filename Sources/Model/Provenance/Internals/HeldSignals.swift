internal import Glibc
internal import LinuxSystem

/// The signals by which users end programs, held back from this thread for a moment.
enum HeldSignals {
  /// Does what would otherwise leave something behind; a signal that came takes effect after it.
  ///
  /// The corresponding C function is pthread_sigmask(3).
  static func during(_ body: () throws(Errno) -> Void) throws(Errno) {
    var (held, former) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&held)
    for number in [SIGHUP, SIGINT, SIGTERM] { unsafe sigaddset(&held, number) }
    let result = unsafe pthread_sigmask(SIG_BLOCK, &held, &former)
    defer { if result == 0 { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) } }
    try body()
  }
}

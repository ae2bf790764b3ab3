internal import CLinux
internal import Glibc

/// The signals that a service is told things by, waited for as for anything else.
public final class ServiceSignals {
  public enum Request: Sendable {
    /// SIGHUP: read the configuration again.
    case reload
    /// SIGINT or SIGTERM.
    case stop
  }

  /// Becomes readable when there is one.
  public let descriptor: CInt

  /// From now on the signals do nothing else. The corresponding C function is signalfd(2).
  public init() throws(Errno) {
    descriptor = clinux_signals_open()
    guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next request; `nil` where there is none.
  public func next() -> Request? {
    let signal = clinux_signals_next(descriptor)
    guard signal > 0 else { return nil }
    return signal == SIGHUP ? .reload : .stop
  }
}

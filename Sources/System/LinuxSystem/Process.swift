internal import CLinux
internal import Glibc

/// The memory that this process allocates.
package enum Memory {
  /// Prepares for the next bytes, many of them and in small pieces: they lie in huge pages where the
  /// kernel has them, and the process keeps what it frees. On one thread, before there are others.
  ///
  /// The corresponding C functions are mallopt(3) and madvise(2).
  package static func expect(_ bytes: Int) { clinux_memory_expect(bytes) }
}

/// Readings of the kernel's clocks: but for one of the caller's choice, whatever is done to the calendar's.
package enum Clock {
  /// Since the machine's start.
  package static var milliseconds: Int { milliseconds(reading(of: CLOCK_MONOTONIC)) }

  /// Since the machine's start. `ContinuousClock` is in the library of tasks, 0.7 MB, which takes a
  /// tenth of a millisecond to start.
  package static var now: Duration {
    let time = reading(of: CLOCK_MONOTONIC)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// In nanoseconds, by a clock of the caller's choice.
  package static func nanoseconds(of clock: CInt) -> Int64 {
    let time = reading(of: clock)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// What this process has had of processors, all threads of it together.
  package static var processorMilliseconds: Int {
    milliseconds(reading(of: CLOCK_PROCESS_CPUTIME_ID))
  }

  private static func milliseconds(_ time: timespec) -> Int {
    time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  /// The corresponding C function is clock_gettime(2).
  private static func reading(of clock: clockid_t) -> timespec {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time
  }
}

/// Whose rights to files the calling thread has.
public enum FileRights {
  /// The user to whom no file belongs, `nobody`.
  package static let nobody: UInt32 = 65534

  /// The permissions that new files of this process do not get; `nil` if /proc does not say.
  ///
  /// umask(2) tells them only by changing them, for other threads as well. The line is in proc(5)
  /// since Linux 4.7.
  package static var umask: UInt32? {
    InstalledFile(path: FilePath("/proc/self/status")).content(limit: 1 << 16).flatMap { status in
      let lead = Array("Umask:".utf8)
      return status.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: lead) }
        .flatMap { line in
          UInt32(
            String(decoding: line.dropFirst(lead.count).drop { $0 <= 0x20 }, as: UTF8.self),
            radix: 8)
        }
    }
  }

  /// Calls `body` with the rights of a user, so that no link in the user's directories leads root
  /// to a file that the user may not read. A process that is not root's keeps its own rights.
  ///
  /// The corresponding C function is setfsuid(2).
  public static func ofUser<Result>(
    _ user: UInt32, group: UInt32, _ body: () -> Result
  ) -> Result {
    guard geteuid() == 0, user != 0 else { return body() }
    // The thread may have a user's rights already.
    var (formerUser, formerGroup): (UInt32, UInt32) = (0, 0)
    unsafe clinux_rights(&formerUser, &formerGroup)
    clinux_act_as(user, group)
    defer { clinux_act_as(formerUser, formerGroup) }
    return body()
  }
}

/// The signals by which users end programs, held back while something is as it must not stay.
public enum EndingSignals {
  /// Holds SIGHUP, SIGINT and SIGTERM back; one that came takes effect after the work.
  ///
  /// The corresponding C functions are signalfd(2) and pthread_sigmask(3).
  ///
  /// - Parameter work: gets a descriptor that becomes readable when one has come, or -1.
  public static func held<Result>(during work: (_ descriptor: CInt) -> Result) -> Result {
    var former = sigset_t()
    let isKnown = unsafe pthread_sigmask(SIG_BLOCK, nil, &former) == 0
    let descriptor = clinux_signals_open()
    defer {
      if descriptor >= 0 { close(descriptor) }
      if isKnown { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) }
    }
    return work(max(descriptor, -1))
  }
}

/// The signals that control a service, read from a descriptor that poll(2) can wait for.
public final class ServiceSignals {
  public enum Request: Sendable {
    /// SIGHUP: read the configuration again.
    case reload
    /// SIGINT or SIGTERM.
    case stop
  }

  /// Becomes readable when there is a request.
  public let descriptor: CInt

  /// Takes the signals over, so that they no longer end the process. The corresponding C function
  /// is signalfd(2).
  public init() throws(Errno) {
    descriptor = clinux_signals_open()
    guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next request; `nil` if there is none.
  public func next() -> Request? {
    let signal = clinux_signals_next(descriptor)
    guard signal > 0 else { return nil }
    return signal == SIGHUP ? .reload : .stop
  }
}

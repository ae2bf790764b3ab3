import Foundation
import Glibc

/// Waiting for what others do, and time that they do not count in.
package enum Patience {
  /// Waits until a condition holds, for a minute at most.
  ///
  /// - Throws: `POSIXError.ETIMEDOUT` where it does not, and what the condition throws.
  package static func wait(until condition: () throws -> Bool) throws {
    for _ in 0..<6000 {
      if try condition() { return }
      usleep(10_000)
    }
    throw POSIXError(.ETIMEDOUT)
  }

  /// How long this thread's own work takes, on a busy machine as on a quiet one.
  ///
  /// The corresponding C function is clock_gettime(2) with CLOCK_THREAD_CPUTIME_ID.
  package static func processorTime(of work: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
    let start = now()
    try work()
    return now() - start
  }
}

internal import Glibc

/// Time that goes on whatever is done to the calendar's.
package enum Clock {
  /// The corresponding C function is clock_gettime(2).
  package static var milliseconds: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}

import Glibc
import TextFormats

/// Times of this machine's zone.
enum LocalTime {
  /// A time such as `2026-11-27 15:00`. The corresponding C functions are localtime_r(3) and
  /// strftime(3).
  ///
  /// - Parameter seconds: since 2001-01-01T00:00:00Z.
  static func text(of seconds: Double) -> String {
    var (time, parts) = unsafe (time_t(seconds + CalendarDate.referenceDate), tm())
    guard unsafe localtime_r(&time, &parts) != nil else { return "\(time)" }
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      let count = unsafe strftime(start, buffer.count, "%Y-%m-%d %H:%M", &parts)
      return unsafe String(
        decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
  }

  /// The midnight that has the date of one in UTC. The corresponding C functions are gmtime_r(3) and
  /// mktime(3).
  ///
  /// - Parameter seconds: since 2001-01-01T00:00:00Z, as the result.
  static func midnight(_ seconds: Double) -> Double {
    var (time, parts) = unsafe (time_t(seconds + CalendarDate.referenceDate), tm())
    guard unsafe gmtime_r(&time, &parts) != nil else { return seconds }
    unsafe parts.tm_isdst = -1
    return Double(unsafe mktime(&parts)) - CalendarDate.referenceDate
  }
}

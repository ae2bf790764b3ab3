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

  /// A time up to now: a time ago such as `90min`, `2h` or `1d12h`, a date or a time of this zone such
  /// as `2026-11-27` or `2026-11-27 15:00`, one of UTC such as `2026-11-27T15:00:00Z`, or `@` with
  /// the seconds since 1970, as fd(1) has them.
  ///
  /// - Returns: seconds since 1970-01-01T00:00:00Z; `nil` for any other text.
  static func past(_ text: String) -> Double? {
    if let seconds = duration(text) { return Double(Glibc.time(nil)) - seconds }
    if text.first == "@" { return Int32(text.dropFirst()).map(Double.init) }
    if let seconds = CalendarDate.seconds(of: text) {
      return seconds + CalendarDate.referenceDate
    }
    let joined = text.split(separator: " ").joined(separator: "T")
    for ending in ["Z", ":00Z", "T00:00:00Z"] {
      if let seconds = CalendarDate.seconds(of: joined + ending) {
        return zoned(seconds) + CalendarDate.referenceDate
      }
    }
    return nil
  }

  /// A month and a year have their mean lengths.
  private static let units: [(names: [String], seconds: Double)] = [
    (["s", "sec", "secs", "second", "seconds"], 1),
    (["m", "min", "mins", "minute", "minutes"], 60),
    (["h", "hr", "hrs", "hour", "hours"], 3600),
    (["d", "day", "days"], 86_400),
    (["w", "week", "weeks"], 604_800),
    (["month", "months"], 2_629_746),
    (["y", "year", "years"], 31_556_952),
  ]

  /// More than 10,000 years, which times of the kernel and the calendar can be reduced by.
  private static let longestDuration = 320_000_000_000.0

  /// - Returns: `nil` for text that is not one or more numbers, each with its unit, and for more than
  ///   `longestDuration`.
  private static func duration(_ text: String) -> Double? {
    var rest = text[...]
    var seconds = 0.0
    while !rest.isEmpty {
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      let name = String(rest.prefix { ("a"..."z").contains($0) })
      rest = rest.dropFirst(name.count).drop { $0 == " " }
      guard digits.count < 10, let number = Int(digits),
        let unit = units.first(where: { $0.names.contains(name) })
      else { return nil }
      seconds += Double(number) * unit.seconds
    }
    return text.isEmpty || seconds > longestDuration ? nil : seconds
  }

  /// The time of this zone that has the date and the hour of one in UTC. The corresponding C functions
  /// are gmtime_r(3) and mktime(3).
  ///
  /// - Parameter seconds: since 2001-01-01T00:00:00Z, as the result.
  private static func zoned(_ seconds: Double) -> Double {
    var (time, parts) = unsafe (time_t(seconds + CalendarDate.referenceDate), tm())
    guard unsafe gmtime_r(&time, &parts) != nil else { return seconds }
    unsafe parts.tm_isdst = -1
    return Double(unsafe mktime(&parts)) - CalendarDate.referenceDate
  }
}

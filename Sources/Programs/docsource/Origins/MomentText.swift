import TextFormats

/// Moments as text.
enum MomentText {
  /// `2020-11-12T12:27:26Z`; outside the calendar, how many seconds it is from 1970 on.
  static func exact(_ seconds: Double) -> String { calendar(seconds) ?? distance(seconds) }

  /// `2020-11-12`; outside the calendar as `exact`.
  static func day(_ seconds: Double) -> String {
    calendar(seconds).map { String(decoding: $0.utf8.prefix(dayCount), as: UTF8.self) }
      ?? distance(seconds)
  }

  private static let dayCount = "0000-00-00".utf8.count

  private static func calendar(_ seconds: Double) -> String? {
    try? CalendarDate.text(sinceEpoch: seconds)
  }

  private static func distance(_ seconds: Double) -> String {
    "1970-01-01T00:00:00Z \(seconds < 0 ? "-" : "+") \(seconds.magnitude) s"
  }
}

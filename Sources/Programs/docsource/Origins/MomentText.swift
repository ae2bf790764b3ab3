import TextFormats

/// Moments as text.
enum MomentText {
  /// `2020-11-12T12:27:26Z`; outside the calendar, how many seconds it is from 1970 on.
  static func exact(_ seconds: Double) -> String { calendar(seconds) ?? distance(seconds) }

  /// `2020-11-12`; outside the calendar as `exact`.
  static func day(_ seconds: Double) -> String {
    var text: [UInt8] = []
    append(day: seconds, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends what `day` gives.
  static func append(day seconds: Double, to text: inout [UInt8]) {
    let start = text.count
    do throws(Unrepresentable) {
      try CalendarDate.append(seconds - CalendarDate.referenceDate, to: &text)
      text.removeLast(text.count - start - dayCount)
    } catch {
      text += distance(seconds).utf8
    }
  }

  private static let dayCount = "0000-00-00".utf8.count

  private static func calendar(_ seconds: Double) -> String? {
    try? CalendarDate.text(sinceEpoch: seconds)
  }

  private static func distance(_ seconds: Double) -> String {
    "1970-01-01T00:00:00Z \(seconds < 0 ? "-" : "+") \(seconds.magnitude) s"
  }
}

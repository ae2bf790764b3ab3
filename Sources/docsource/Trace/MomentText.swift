import PropertyListText
import Provenance

/// Moments as text.
enum MomentText {
  /// `2020-11-12T12:27:26Z`; outside the calendar, how many seconds it is from 1970 on.
  static func exact(_ seconds: Double) -> String {
    do throws(Unrepresentable) {
      return try CalendarDate.text(of: seconds - MarkValue.referenceDate)
    } catch {
      return "1970-01-01T00:00:00Z \(seconds < 0 ? "-" : "+") \(seconds.magnitude) s"
    }
  }

  /// `2020-11-12`.
  static func day(_ seconds: Double) -> String { String(exact(seconds).prefix { $0 != "T" }) }
}

internal import Glibc

/// Dates of HTTP, by RFC 9110, section 5.6.7, in all three formats.
public enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let longDays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// Seconds since 1970-01-01T00:00:00Z; `nil` where the text is no such date.
  ///
  /// - Parameter now: in seconds since 1970; it decides the century of a year of two digits, which
  ///   is the last one that is not more than 50 years ahead.
  public static func seconds(of text: String, now: Int64) -> Int64? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    switch words.count {
    case 6 where words[5] == "GMT":
      // Sun, 06 Nov 1994 08:49:37 GMT
      guard words[0].last == ",",
        let weekday = days.firstIndex(of: String(words[0].dropLast())),
        let day = number(words[1], digits: 2), let year = number(words[3], digits: 4)
      else { return nil }
      return seconds(year, words[2], day, words[4], weekday)
    case 4:
      // Sunday, 06-Nov-94 08:49:37 GMT
      let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
      guard words[3] == "GMT", words[0].last == ",",
        let weekday = longDays.firstIndex(of: String(words[0].dropLast())), date.count == 3,
        let day = number(date[0], digits: 2), let short = number(date[2], digits: 2)
      else { return nil }
      return seconds(year(short, now: now), date[1], day, words[2], weekday)
    default:
      return ansiSeconds(words)
    }
  }

  /// `Sun Nov  6 08:49:37 1994`, with two spaces before a day of one digit.
  private static func ansiSeconds(_ words: [Substring]) -> Int64? {
    var words = words
    if words.count == 6, words[2].isEmpty { words.remove(at: 2) }
    guard words.count == 5, let weekday = days.firstIndex(of: String(words[0])),
      let day = number(words[2], digits: words[2].utf8.count == 1 ? 1 : 2),
      let year = number(words[4], digits: 4)
    else { return nil }
    return seconds(year, words[1], day, words[3], weekday)
  }

  private static func year(_ short: Int32, now: Int64) -> Int32 {
    let secondsOfYear: Int64 = 31_556_952
    let current = Int32(min(9999, 1970 + max(0, now) / secondsOfYear))
    var year = current - current % 100 + 100 + short
    while year > current + 50 { year -= 100 }
    return year
  }

  private static func number(_ text: Substring, digits: Int) -> Int32? {
    guard text.utf8.count == digits,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int32(text)
  }

  /// The corresponding C function is timegm(3).
  private static func seconds(
    _ year: Int32, _ month: Substring, _ day: Int32, _ clock: Substring, _ weekday: Int
  ) -> Int64? {
    let clock = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard let month = months.firstIndex(of: String(month)), clock.count == 3,
      let hour = number(clock[0], digits: 2), let minute = number(clock[1], digits: 2),
      let second = number(clock[2], digits: 2), hour < 24, minute < 60, second <= 60
    else { return nil }
    var parts = unsafe tm()
    unsafe parts.tm_year = year - 1900
    unsafe parts.tm_mon = Int32(month)
    unsafe parts.tm_mday = day
    let midnight = unsafe timegm(&parts)
    // timegm turns 30 February into 1 or 2 March.
    guard unsafe parts.tm_mday == day, unsafe parts.tm_wday == Int32(weekday) else { return nil }
    return Int64(midnight) + Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second)
  }
}

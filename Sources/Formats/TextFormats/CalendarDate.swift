internal import Glibc

/// Dates of property lists as text: `2001-01-01T00:00:00Z`, whole seconds of the proleptic Gregorian
/// calendar, as plistlib and plutil write them.
package enum CalendarDate {
  /// 2001-01-01T00:00:00Z, from which property lists count, in seconds since 1970-01-01T00:00:00Z.
  package static let referenceDate = 978_307_200.0
  private static let secondsOfDay: Int64 = 86400
  /// Days from 1 March of the year 0 to 1 January 2001. Counting years from March puts the leap day
  /// last, so that months have a closed formula.
  private static let daysToReference: Int64 = 730_791
  private static let daysOfEra: Int64 = 146_097

  /// - Parameter seconds: since 2001-01-01T00:00:00Z; a fraction is dropped downwards.
  ///
  /// The year 0 is that before the year 1, as in ISO 8601: Foundation's `distantPast` is
  /// `0000-12-30T00:00:00Z`.
  ///
  /// - Throws: `Unrepresentable` outside the years 0 to 9999.
  package static func text(of seconds: Double) throws(Unrepresentable) -> String {
    var text: [UInt8] = []
    try append(seconds, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// The same for seconds since 1970-01-01T00:00:00Z, as Linux counts.
  package static func text(sinceEpoch seconds: Double) throws(Unrepresentable) -> String {
    try text(of: seconds - referenceDate)
  }

  /// Reads such text as seconds since 1970-01-01T00:00:00Z.
  package static func secondsSinceEpoch(of text: some StringProtocol) -> Double? {
    seconds(of: text).map { $0 + referenceDate }
  }

  /// Appends the text of a date; nothing where it has none.
  package static func append(
    _ seconds: Double, to text: inout [UInt8]
  ) throws(Unrepresentable) {
    guard let whole = Int64(exactly: seconds.rounded(.down)), whole.magnitude < 1 << 50 else {
      throw Unrepresentable(reason: "a date is outside the calendar")
    }
    let (day, clock) = divided(whole, secondsOfDay)
    let (era, dayOfEra) = divided(day + daysToReference, daysOfEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
    guard (0...9999).contains(year) else {
      throw Unrepresentable(reason: "a date is outside the years 0 to 9999")
    }
    let date = (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    text.append(addingCapacity: form.count) { text in
      appendDigits(date.0 / 100, after: nil, to: &text)
      appendDigits(date.0 % 100, after: nil, to: &text)
      appendDigits(date.1, after: "-", to: &text)
      appendDigits(date.2, after: "-", to: &text)
      appendDigits(clock / 3600, after: "T", to: &text)
      appendDigits(clock / 60 % 60, after: ":", to: &text)
      appendDigits(clock % 60, after: ":", to: &text)
      text.append(UInt8(ascii: "Z"))
    }
  }

  @inline(__always)
  private static func appendDigits(
    _ number: Int64, after mark: Unicode.Scalar?, to text: inout OutputSpan<UInt8>
  ) {
    if let mark { text.append(UInt8(ascii: mark)) }
    text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
    text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  private static let form = Array("0000-00-00T00:00:00Z".utf8)

  /// Reads text of the form that `text(of:)` writes; `nil` for any other, and for days that no
  /// calendar has.
  package static func seconds(of text: some StringProtocol) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count == form.count else { return nil }
    var numbers: [Int64] = [0]
    for (byte, expected) in zip(bytes, form) {
      if expected == UInt8(ascii: "0") {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int64(byte & 0xf)
      } else {
        guard byte == expected else { return nil }
        numbers.append(0)
      }
    }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    let (hour, minute, second) = (numbers[3], numbers[4], numbers[5])
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let marchYear = month > 2 ? year : year - 1
    let (era, yearOfEra) = divided(marchYear, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * daysOfEra + dayOfEra - daysToReference
    let seconds = Double(days * secondsOfDay + hour * 3600 + minute * 60 + second)
    // 30 February would come back as 1 or 2 March.
    guard let same = try? self.text(of: seconds), same == text else { return nil }
    return seconds
  }

  @inline(__always)
  private static func divided(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let remainder = (number % divisor + divisor) % divisor
    return ((number - remainder) / divisor, remainder)
  }
}

/// A value that a text format cannot hold.
package struct Unrepresentable: Error, Hashable, Sendable {
  /// In words that follow "cannot be written: ".
  package let reason: String

  package init(reason: String) { self.reason = reason }
}

/// Dates of HTTP, by RFC 9110, section 5.6.7, in all three formats.
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let longDays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]

  /// Seconds since 1970-01-01T00:00:00Z; `nil` if the text is no such date.
  ///
  /// - Parameter now: in seconds since 1970; it decides the century of a year of two digits, which
  ///   is the last one that is not more than 50 years ahead.
  package static func seconds(of text: String, now: Int64) -> Int64? {
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

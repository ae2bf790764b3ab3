/// Dates of property lists as text: `2001-01-01T00:00:00Z`, whole seconds of the proleptic Gregorian
/// calendar, as plistlib and plutil write them.
public enum CalendarDate {
  /// 2001-01-01T00:00:00Z, from which property lists count, in seconds since 1970-01-01T00:00:00Z.
  public static let referenceDate = 978_307_200.0
  private static let secondsOfDay: Int64 = 86400
  /// Days from 1 March of the year 0 to 1 January 2001. Counting years from March puts the leap day
  /// last, so that months have a closed formula.
  private static let daysToReference: Int64 = 730_791
  private static let daysOfEra: Int64 = 146_097

  /// - Parameter seconds: since 2001-01-01T00:00:00Z; a fraction is dropped downwards.
  /// - Throws: `Unrepresentable` outside the years 1 to 9999.
  public static func text(of seconds: Double) throws(Unrepresentable) -> String {
    guard let whole = Int64(exactly: seconds.rounded(.down)), abs(whole) < 1 << 50 else {
      throw Unrepresentable(reason: "a date lies outside the calendar")
    }
    let (day, clock) = divided(whole, secondsOfDay)
    let (era, dayOfEra) = divided(day + daysToReference, daysOfEra)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
    guard (1...9999).contains(year) else {
      throw Unrepresentable(reason: "a date lies outside the years 1 to 9999")
    }
    let date = [
      padded(year, 4), padded(month < 10 ? month + 3 : month - 9, 2),
      padded(dayOfYear - (153 * month + 2) / 5 + 1, 2),
    ].joined(separator: "-")
    let time = [clock / 3600, clock / 60 % 60, clock % 60].map { padded($0, 2) }
    return date + "T" + time.joined(separator: ":") + "Z"
  }

  /// Reads what `text(of:)` writes; `nil` for anything else, days that no calendar has included.
  public static func seconds(of text: some StringProtocol) -> Double? {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == pattern.count else { return nil }
    var numbers: [Int64] = [0]
    for (byte, expected) in zip(bytes, pattern) {
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
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let marchYear = month > 2 ? year : year - 1
    let (era, yearOfEra) = divided(marchYear, 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * daysOfEra + dayOfEra - daysToReference
    let seconds = Double(days * secondsOfDay + hour * 3600 + minute * 60 + second)
    // 30 February would come back as 1 or 2 March.
    do throws(Unrepresentable) {
      return try self.text(of: seconds) == text ? seconds : nil
    } catch {
      return nil
    }
  }

  private static func divided(_ number: Int64, _ divisor: Int64) -> (Int64, Int64) {
    let remainder = (number % divisor + divisor) % divisor
    return ((number - remainder) / divisor, remainder)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// A value that a text format cannot hold.
public struct Unrepresentable: Error, Hashable, Sendable {
  /// In words that follow "cannot be written: ".
  public let reason: String

  package init(reason: String) { self.reason = reason }
}

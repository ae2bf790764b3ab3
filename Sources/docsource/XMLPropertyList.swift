import BinaryPropertyList
import CommandLineInterface

/// Writes a property list as XML, in the layout of plistlib and plutil.
struct XMLPropertyList {
  /// A value that XML property lists cannot hold.
  struct Unrepresentable: Error {
    /// In words that follow "cannot be written as XML: ".
    let reason: String
  }

  private var text: String

  /// The document, with its declaration and a line end.
  ///
  /// - Throws: `Unrepresentable`: null, a UID, a set, a date that is no point of the calendar, or a
  ///   control character that XML 1.0 forbids.
  static func text(of value: PropertyList) throws(Unrepresentable) -> String {
    var document = XMLPropertyList(
      text: """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """)
    try document.write(value, depth: 0)
    return document.text + "</plist>\n"
  }

  private mutating func write(_ value: PropertyList, depth: Int) throws(Unrepresentable) {
    switch value {
    case .null: throw Unrepresentable(reason: "XML property lists have no null")
    case .uid: throw Unrepresentable(reason: "XML property lists have no UID")
    case .set, .orderedSet: throw Unrepresentable(reason: "XML property lists have no set")
    case .boolean(let boolean): line(boolean ? "<true/>" : "<false/>", depth)
    case .integer(let integer): line("<integer>\(integer)</integer>", depth)
    case .wideInteger(let integer): line("<integer>\(integer)</integer>", depth)
    case .float(let float): line("<real>\(Self.text(of: Double(float)))</real>", depth)
    case .real(let real): line("<real>\(Self.text(of: real))</real>", depth)
    case .date(let seconds): line("<date>\(try Self.date(seconds))</date>", depth)
    case .data(let bytes): line("<data>\(Base64.text(of: bytes[...]))</data>", depth)
    case .string(let string): line("<string>\(try Self.escaped(string))</string>", depth)
    case .array(let elements):
      if elements.isEmpty { return line("<array/>", depth) }
      line("<array>", depth)
      for element in elements { try write(element, depth: depth + 1) }
      line("</array>", depth)
    case .dictionary(let dictionary):
      if dictionary.isEmpty { return line("<dict/>", depth) }
      line("<dict>", depth)
      for entry in dictionary.entries {
        line("<key>\(try Self.escaped(entry.key))</key>", depth + 1)
        try write(entry.value, depth: depth + 1)
      }
      line("</dict>", depth)
    }
  }

  private mutating func line(_ content: String, _ depth: Int) {
    text += String(repeating: "\t", count: depth) + content + "\n"
  }

  /// XML 1.0, section 2.2 and 2.4. A carriage return would be read back as a line end.
  private static func escaped(_ string: String) throws(Unrepresentable) -> String {
    var result = ""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\r": result += "&#13;"
      case "\t", "\n": result.unicodeScalars.append(scalar)
      case "\0"..<" ", "\u{fffe}", "\u{ffff}":
        let number = String(scalar.value, radix: 16, uppercase: true)
        throw Unrepresentable(reason: "XML cannot hold the character U+\(number)")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// As CoreFoundation spells what has no digits.
  private static func text(of real: Double) -> String {
    if real.isNaN { return "nan" }
    if real.isInfinite { return real < 0 ? "-infinity" : "+infinity" }
    return "\(real)"
  }

  /// The day of a proleptic Gregorian calendar, whole seconds, as plistlib and plutil write it.
  private static func date(_ seconds: Double) throws(Unrepresentable) -> String {
    // 2001-01-01 is day 730,791 of an era that starts on 1 March of the year 0.
    guard let whole = Int64(exactly: seconds.rounded(.down)), abs(whole) < 1 << 50 else {
      throw Unrepresentable(reason: "a date lies outside the calendar")
    }
    let (day, clock) = whole.dividedFlooring(by: 86400)
    let (era, dayOfEra) = (day + 730_791).dividedFlooring(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
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

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Int64 {
  fileprivate func dividedFlooring(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let remainder = (self % divisor + divisor) % divisor
    return ((self - remainder) / divisor, remainder)
  }
}

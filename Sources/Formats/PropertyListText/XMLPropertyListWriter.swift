public import BinaryPropertyList
public import LinuxSystem
internal import TextFormats

/// Writes a property list as XML, in the layout of plistlib and plutil.
public struct XMLPropertyListWriter {
  /// Called with each line of the document, its end included.
  public typealias Sink = (String) -> Void

  private let text: LimitedText

  /// Writes the document: the declaration, the document type and the value.
  ///
  /// A UID is written as the dictionary `{CF$UID: n}`, as CoreFoundation does. A value that cannot be
  /// written, and a text that is too long, are found by a first run without a sink, so that nothing
  /// of it is sent; what takes too long may be found later.
  ///
  /// - Throws: `WritingFailure`: of `unrepresentable` are null, a set, a date outside the years 0 to
  ///   9999, and a control character that XML 1.0 forbids.
  public static func write(
    _ value: PropertyList, within limit: WorkLimit = .none, to sink: @escaping Sink
  ) throws(WritingFailure) {
    let meter = WorkMeter(limit)
    try XMLPropertyListWriter(text: LimitedText(meter) { _ in }).writeDocument(value)
    meter.beginAgain()
    try XMLPropertyListWriter(text: LimitedText(meter, sink)).writeDocument(value)
  }

  private func writeDocument(_ value: PropertyList) throws(WritingFailure) {
    try text.send("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    try text.send(
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
        + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n")
    try text.send("<plist version=\"1.0\">\n")
    try write(value, depth: 0)
    try text.send("</plist>\n")
  }

  private func write(_ value: PropertyList, depth: Int) throws(WritingFailure) {
    switch value {
    case .null: throw Self.unrepresentable("XML property lists have no null")
    case .set, .orderedSet: throw Self.unrepresentable("XML property lists have no set")
    case .uid(let number):
      try line("<dict>", depth)
      try line("<key>CF$UID</key>", depth + 1)
      try line("<integer>\(number)</integer>", depth + 1)
      try line("</dict>", depth)
    case .boolean(let boolean): try line(boolean ? "<true/>" : "<false/>", depth)
    case .integer(let integer): try line("<integer>\(integer)</integer>", depth)
    case .wideInteger(let integer): try line("<integer>\(integer)</integer>", depth)
    case .float(let float): try line("<real>\(Self.text(of: Double(float)))</real>", depth)
    case .real(let real): try line("<real>\(Self.text(of: real))</real>", depth)
    case .date(let seconds): try line("<date>\(try Self.date(seconds))</date>", depth)
    case .data(let bytes): try line("<data>\(Base64.text(of: bytes[...]))</data>", depth)
    case .string(let string): try line("<string>\(try Self.escaped(string))</string>", depth)
    case .array(let elements):
      if elements.isEmpty { return try line("<array/>", depth) }
      try line("<array>", depth)
      for element in elements { try write(element, depth: depth + 1) }
      try line("</array>", depth)
    case .dictionary(let dictionary):
      if dictionary.isEmpty { return try line("<dict/>", depth) }
      try line("<dict>", depth)
      for entry in dictionary.entries {
        try line("<key>\(try Self.escaped(entry.key))</key>", depth + 1)
        try write(entry.value, depth: depth + 1)
      }
      try line("</dict>", depth)
    }
  }

  private func line(_ content: String, _ depth: Int) throws(WritingFailure) {
    try text.send(String(repeating: "\t", count: depth) + content + "\n")
  }

  private static func unrepresentable(_ reason: String) -> WritingFailure {
    .unrepresentable(Unrepresentable(reason: reason))
  }

  private static func date(_ seconds: Double) throws(WritingFailure) -> String {
    do throws(Unrepresentable) {
      return try CalendarDate.text(of: seconds)
    } catch {
      throw .unrepresentable(error)
    }
  }

  /// XML 1.0, section 2.2 and 2.4. A carriage return would be read back as a line end.
  private static func escaped(_ string: String) throws(WritingFailure) -> String {
    if string.utf8.allSatisfy(isPlain) { return string }
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
        throw unrepresentable("XML cannot hold the character U+\(number)")
      case _ where EscapedText.isHarmful(scalar):
        result += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"): false
    case 0x20..<0x7f: true
    default: false
    }
  }

  /// Infinities and NaNs are spelled as by CoreFoundation.
  private static func text(of real: Double) -> String {
    if real.isNaN { return "nan" }
    if real.isInfinite { return real < 0 ? "-infinity" : "+infinity" }
    return "\(real)"
  }
}

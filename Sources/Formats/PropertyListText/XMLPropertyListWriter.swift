public import BinaryPropertyList
public import TextFormats

/// Writes a property list as XML, in the layout of plistlib and plutil.
public struct XMLPropertyListWriter {
  /// Called with each line of the document, its end included.
  public typealias Sink = (String) -> Void

  private let sink: Sink

  /// Writes the document: the declaration, the document type and the value.
  ///
  /// A UID is written as the dictionary `{CF$UID: n}`, as CoreFoundation does. A value that cannot be
  /// written is found by a first run without a sink, so that nothing of it is sent.
  ///
  /// - Throws: `Unrepresentable`: null, a set, a date outside the years 1 to 9999, or a control
  ///   character that XML 1.0 forbids.
  public static func write(_ value: PropertyList, to sink: Sink) throws(Unrepresentable) {
    try XMLPropertyListWriter { _ in }.write(value, depth: 0)
    sink("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    sink(
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
        + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n")
    sink("<plist version=\"1.0\">\n")
    try withoutActuallyEscaping(sink) { sink throws(Unrepresentable) in
      try XMLPropertyListWriter(sink: sink).write(value, depth: 0)
    }
    sink("</plist>\n")
  }

  private func write(_ value: PropertyList, depth: Int) throws(Unrepresentable) {
    switch value {
    case .null: throw Unrepresentable(reason: "XML property lists have no null")
    case .set, .orderedSet: throw Unrepresentable(reason: "XML property lists have no set")
    case .uid(let number):
      line("<dict>", depth)
      line("<key>CF$UID</key>", depth + 1)
      line("<integer>\(number)</integer>", depth + 1)
      line("</dict>", depth)
    case .boolean(let boolean): line(boolean ? "<true/>" : "<false/>", depth)
    case .integer(let integer): line("<integer>\(integer)</integer>", depth)
    case .wideInteger(let integer): line("<integer>\(integer)</integer>", depth)
    case .float(let float): line("<real>\(Self.text(of: Double(float)))</real>", depth)
    case .real(let real): line("<real>\(Self.text(of: real))</real>", depth)
    case .date(let seconds): line("<date>\(try CalendarDate.text(of: seconds))</date>", depth)
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

  private func line(_ content: String, _ depth: Int) {
    sink(String(repeating: "\t", count: depth) + content + "\n")
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
      case _ where EscapedText.isHarmful(scalar):
        result += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Infinities and NaNs are spelled as by CoreFoundation.
  private static func text(of real: Double) -> String {
    if real.isNaN { return "nan" }
    if real.isInfinite { return real < 0 ? "-infinity" : "+infinity" }
    return "\(real)"
  }
}

package import BinaryPropertyList
package import LinuxSystem
internal import TextFormats

/// Writes a property list as XML, in the layout of plistlib and plutil.
package struct XMLPropertyListWriter {
  /// Called with pieces of the document in UTF-8.
  package typealias Sink = ([UInt8]) -> Void

  private var text: LimitedText

  /// Writes the document: the declaration, the document type and the value.
  ///
  /// A UID is written as the dictionary `{CF$UID: n}`, as CoreFoundation does. A value that cannot be
  /// written, and a text that is too long, are found before anything is sent; what takes too long
  /// may be found later. For this a document is kept until it is whole, and a long one is written
  /// twice.
  ///
  /// - Throws: `WritingFailure`: of `unrepresentable` are null, a set, a date outside the years 0 to
  ///   9999, and a control character that XML 1.0 forbids.
  package static func write(
    _ value: PropertyList, within limit: WorkLimit = .none, to sink: @escaping Sink
  ) throws(WritingFailure) {
    try write(value, within: limit, keeping: keptCount, to: sink)
  }

  /// The longest document in bytes that is kept.
  private static let keptCount = 32 << 20

  static func write(
    _ value: PropertyList, within limit: WorkLimit, keeping keptCount: Int,
    to sink: @escaping Sink
  ) throws(WritingFailure) {
    let meter = WorkMeter(limit)
    var kept: [[UInt8]]? = []
    var count = 0
    try writeDocument(value, meter) { piece in
      count += piece.count
      if count > keptCount { kept = nil } else { kept?.append(piece) }
    }
    if let kept { return kept.forEach(sink) }
    meter.beginAgain()
    try writeDocument(value, meter, to: sink)
  }

  private static func writeDocument(
    _ value: PropertyList, _ meter: WorkMeter, to sink: @escaping Sink
  ) throws(WritingFailure) {
    var writer = XMLPropertyListWriter(text: LimitedText(meter, sink))
    defer { writer.text.flush() }
    try writer.text.send("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    try writer.text.send(
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
        + "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n")
    try writer.text.send("<plist version=\"1.0\">\n")
    try writer.write(value, depth: 0)
    try writer.text.send("</plist>\n")
  }

  private mutating func write(_ value: PropertyList, depth: Int) throws(WritingFailure) {
    switch value {
    case .null: throw Self.unrepresentable("XML property lists have no null")
    case .set, .orderedSet: throw Self.unrepresentable("XML property lists have no set")
    case .uid(let number):
      try line("<dict>", depth)
      try line("<key>CF$UID</key>", depth + 1)
      try element("integer", String(number), depth + 1)
      try line("</dict>", depth)
    case .boolean(let boolean): try line(boolean ? "<true/>" : "<false/>", depth)
    case .integer(let integer): try element("integer", String(integer), depth)
    case .wideInteger(let integer): try element("integer", String(integer), depth)
    case .float(let float): try element("real", Self.text(of: Double(float)), depth)
    case .real(let real): try element("real", Self.text(of: real), depth)
    case .date(let seconds):
      try element("date", depth) { (text) throws(WritingFailure) in
        do throws(Unrepresentable) {
          try CalendarDate.append(seconds, to: &text)
        } catch {
          throw .unrepresentable(error)
        }
      }
    case .data(let bytes):
      try element("data", depth) { (text) throws(WritingFailure) in
        Base64.append(bytes[...], to: &text)
      }
    case .string(let string):
      try element("string", depth) { (text) throws(WritingFailure) in
        try Self.append(string, to: &text)
      }
    case .array(let elements):
      if elements.isEmpty { return try line("<array/>", depth) }
      try line("<array>", depth)
      for element in elements { try write(element, depth: depth + 1) }
      try line("</array>", depth)
    case .dictionary(let dictionary):
      if dictionary.isEmpty { return try line("<dict/>", depth) }
      try line("<dict>", depth)
      for entry in dictionary.entries {
        try element("key", depth + 1) { (text) throws(WritingFailure) in
          try Self.append(entry.key, to: &text)
        }
        try write(entry.value, depth: depth + 1)
      }
      try line("</dict>", depth)
    }
  }

  private mutating func line(_ content: StaticString, _ depth: Int) throws(WritingFailure) {
    try text.send { (text) throws(WritingFailure) in
      Self.indent(depth, &text)
      text.append(content)
      text.append(UInt8(ascii: "\n"))
    }
  }

  /// - Parameter content: needs no escaping.
  private mutating func element(
    _ name: StaticString, _ content: String, _ depth: Int
  ) throws(WritingFailure) {
    try element(name, depth) { (text) throws(WritingFailure) in text += content.utf8 }
  }

  /// A line with an element that has text.
  @inline(__always)
  private mutating func element(
    _ name: StaticString, _ depth: Int, _ content: (inout [UInt8]) throws(WritingFailure) -> Void
  ) throws(WritingFailure) {
    try text.send { (text) throws(WritingFailure) in
      Self.indent(depth, &text)
      text.append(UInt8(ascii: "<"))
      text.append(name)
      text.append(UInt8(ascii: ">"))
      try content(&text)
      text.append("</")
      text.append(name)
      text.append(">\n")
    }
  }

  private static func indent(_ depth: Int, _ text: inout [UInt8]) {
    for _ in 0..<depth { text.append(UInt8(ascii: "\t")) }
  }

  private static func unrepresentable(_ reason: String) -> WritingFailure {
    .unrepresentable(Unrepresentable(reason: reason))
  }

  /// XML 1.0, section 2.2 and 2.4. A carriage return would be read back as a line end.
  private static let replacer = TextReplacer(.harmful) { scalar, text in
    switch scalar {
    case "&": text.append("&amp;")
    case "<": text.append("&lt;")
    case ">": text.append("&gt;")
    case "\r": text.append("&#13;")
    case "\t", "\n": return .stays
    case "\0"..<" ", "\u{fffe}", "\u{ffff}": return .refused
    case _ where EscapedText.isHarmful(scalar):
      text += "&#x\(String(scalar.value, radix: 16, uppercase: true));".utf8
    default: return .stays
    }
    return .replaced
  }

  private static func append(_ string: String, to text: inout [UInt8]) throws(WritingFailure) {
    guard let refused = replacer.append(string, to: &text) else { return }
    let number = String(refused.value, radix: 16, uppercase: true)
    throw unrepresentable("XML cannot hold the character U+\(number)")
  }

  /// Infinities and NaNs are spelled as by CoreFoundation.
  private static func text(of real: Double) -> String {
    if real.isNaN { return "nan" }
    if real.isInfinite { return real < 0 ? "-infinity" : "+infinity" }
    return "\(real)"
  }
}

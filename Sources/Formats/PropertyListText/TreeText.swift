package import BinaryPropertyList
package import LinuxSystem
internal import TextFormats

/// Writes a property list for people: an indented tree, each value with its type.
package enum TreeText {
  /// Called with whole lines in UTF-8. Text from the list is escaped in them.
  package typealias Sink = ([UInt8]) -> Void

  /// How many bytes of data are shown.
  private static let shownBytes = 32

  /// - Throws: `WritingFailure.excess`, after the sink was given the lines that the limit allows.
  package static func write(
    _ value: PropertyList, within limit: WorkLimit = .none, to sink: @escaping Sink
  ) throws(WritingFailure) {
    var text = LimitedText(WorkMeter(limit), sink)
    defer { text.flush() }
    try write(value, lead: "", depth: 0, &text)
  }

  private static func write(
    _ value: PropertyList, lead: String, depth: Int, _ text: inout LimitedText
  ) throws(WritingFailure) {
    try text.send(String(repeating: "  ", count: depth) + lead + line(value) + "\n")
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      for (position, element) in elements.enumerated() {
        try write(element, lead: "\(position): ", depth: depth + 1, &text)
      }
    case .dictionary(let dictionary):
      for entry in dictionary.entries {
        try write(entry.value, lead: "\(EscapedText(entry.key)): ", depth: depth + 1, &text)
      }
    default: break
    }
  }

  private static func line(_ value: PropertyList) -> String {
    switch value {
    case .null: "null"
    case .boolean(let boolean): "boolean \(boolean)"
    case .integer(let integer): "integer \(integer)"
    case .wideInteger(let integer): "integer \(integer)"
    case .float(let float): "float \(float)"
    case .real(let real): "real \(real)"
    case .date(let seconds): "date \(date(seconds))"
    case .data(let bytes): "data (\(ByteCount(bytes.count)))\(hexadecimal(bytes))"
    case .string(let string): "string \"\(EscapedText(string))\""
    case .uid(let number): "UID \(number)"
    case .array(let elements): "array (\(elements.count))"
    case .set(let elements): "set (\(elements.count))"
    case .orderedSet(let elements): "ordered set (\(elements.count))"
    case .dictionary(let dictionary): "dictionary (\(dictionary.count))"
    }
  }

  private static func date(_ seconds: Double) -> String {
    guard let text = try? CalendarDate.text(of: seconds) else {
      return "\(seconds) seconds since 2001"
    }
    return seconds == seconds.rounded(.down) ? text : "\(text) (\(seconds) seconds since 2001)"
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    guard !bytes.isEmpty else { return "" }
    let digits = bytes.prefix(shownBytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return " " + digits.joined() + (bytes.count > shownBytes ? "…" : "")
  }
}

package import BinaryPropertyList
internal import JSON
package import LinuxSystem
package import PropertyListText
internal import TextFormats

/// Reads JSON as a property list: objects, arrays, strings, numbers, booleans and null directly,
/// other types by their tags (see `JSONTag`).
///
/// A byte-order mark at the beginning is ignored. `JSONValue` reads the text, and refuses duplicate
/// keys. A number without fraction or exponent is an integer and must fit into 64 bits.
package enum JSONPropertyListReader {
  /// What is wrong with the text, and where.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// In words; for text that is no JSON with line and column.
    package let reason: String
    /// The keys and positions that lead to the value, `.key[0]`; empty for text that is no JSON.
    package internal(set) var path = ""

    package var description: String { path.isEmpty ? reason : "\(reason) (at \(path))" }
  }

  package static func read(_ json: [UInt8]) throws(Failure) -> PropertyList {
    let text = json.dropFirst(json.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0)
    let root: JSONValue
    do throws(JSONValue.SyntaxError) {
      root = try JSONValue.parse(text, [.uniqueKeys, .anyValue, .nul])
    } catch {
      throw Failure(reason: "\(error.place): \(error.reason)")
    }
    return try value(root)
  }

  private static func value(_ json: JSONValue) throws(Failure) -> PropertyList {
    switch json.content {
    case .null: return .null
    case .boolean(let boolean): return .boolean(boolean)
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .string(let string): return .string(string)
    case .array:
      var elements: [PropertyList] = []
      for (position, element) in json.elements.enumerated() {
        elements.append(try value(element, step: "[\(position)]"))
      }
      return .array(elements)
    case .object:
      let members = json.members
      if members.count == 1, let only = members.first, let tag = JSONTag(rawValue: only.key) {
        return try tagged(tag, only.value)
      }
      return .dictionary(try dictionary(members))
    }
  }

  /// As `value(_:)`; the path of a failure begins with the step.
  private static func value(
    _ json: JSONValue, step: @autoclosure () -> String
  ) throws(Failure) -> PropertyList {
    do throws(Failure) {
      return try value(json)
    } catch {
      throw Failure(reason: error.reason, path: step() + error.path)
    }
  }

  private static func dictionary(
    _ members: [(key: String, value: JSONValue)]
  ) throws(Failure) -> PropertyList.Dictionary {
    var pairs: [(String, PropertyList)] = []
    for (key, content) in members {
      pairs.append((key, try value(content, step: ".\(key)")))
    }
    // Jansson has refused duplicates; were one left, the first would count.
    return PropertyList.Dictionary(pairs) { first, _ in first }
  }

  private static func tagged(
    _ tag: JSONTag, _ content: JSONValue
  ) throws(Failure) -> PropertyList {
    if tag == .dictionary, content.isObject { return .dictionary(try dictionary(content.members)) }
    let plain = try value(content)
    switch (tag, plain) {
    case (.data, .string(let text)): if let bytes = Base64.bytes(of: text) { return .data(bytes) }
    case (.date, .string(let text)):
      if let seconds = CalendarDate.seconds(of: text) ?? RealText.real(of: text) {
        return .date(secondsSinceReferenceDate: seconds)
      }
    case (.date, .real(let seconds)): return .date(secondsSinceReferenceDate: seconds)
    case (.date, .integer(let seconds)): return .date(secondsSinceReferenceDate: Double(seconds))
    case (.uid, .integer(let number)) where number >= 0: return .uid(UInt64(number))
    case (.uid, .string(let text)): if let number = UInt64(text) { return .uid(number) }
    case (.set, .array(let elements)): return .set(elements)
    case (.orderedSet, .array(let elements)): return .orderedSet(elements)
    case (.float, .real(let real)):
      // Any other is not what a real of 32 bits holds, or beyond its range.
      if let float = Float(exactly: real) { return .float(float) }
    case (.float, .integer(let integer)):
      if let float = Float(exactly: integer) { return .float(float) }
    case (.float, .string(let text)):
      if let float: Float = RealText.real(of: text) { return .float(float) }
    case (.real, .string(let text)):
      if let real: Double = RealText.real(of: text) { return .real(real) }
    case (.integer, .string(let text)):
      if let integer = Int128(text) {
        return Int64(exactly: integer).map { .integer($0) } ?? .wideInteger(integer)
      }
    default: break
    }
    throw Failure(reason: "\(tag.rawValue) has an invalid value")
  }
}

/// Writes a property list as one line of JSON that `JSONPropertyListReader` reads back exactly, but
/// for keys with U+0000: Jansson has none.
///
/// Types that JSON lacks are tagged: data is `{"$data":"AQI="}`; see `JSONTag`.
package enum JSONPropertyListWriter {
  /// Called with pieces of the text in UTF-8.
  package typealias Sink = ([UInt8]) -> Void

  /// - Throws: `WritingFailure.excess`, after the sink was given what the limit allows.
  package static func write(
    _ value: PropertyList, within limit: WorkLimit = .none, to sink: @escaping Sink
  ) throws(WritingFailure) {
    var text = LimitedText(WorkMeter(limit), sink)
    defer { text.flush() }
    try write(value, &text)
  }

  private static func write(
    _ value: PropertyList, _ text: inout LimitedText
  ) throws(WritingFailure) {
    switch value {
    case .null: try text.send("null")
    case .boolean(let boolean): try text.send(boolean ? "true" : "false")
    case .integer(let integer): try text.send(String(integer))
    case .wideInteger(let integer): try tagged(.integer, JSONText.string(String(integer)), &text)
    case .float(let float) where float.isFinite: try tagged(.float, "\(Double(float))", &text)
    case .float(let float):
      try tagged(.float, JSONText.string(RealText.text(of: float)), &text)
    case .real(let real) where real.isFinite: try text.send(real.description)
    case .real(let real): try tagged(.real, JSONText.string(RealText.text(of: real)), &text)
    case .date(let seconds): try tagged(.date, date(seconds), &text)
    case .data(let bytes):
      try text.send { (text) throws(WritingFailure) in
        text += "{\"\(JSONTag.data.rawValue)\":\"".utf8
        Base64.append(bytes[...], to: &text)
        text += "\"}".utf8
      }
    case .string(let string):
      try text.send { (text) throws(WritingFailure) in JSONText.append(string, to: &text) }
    case .uid(let number):
      // A UID beyond what JSON readers take as an integer goes as text.
      try tagged(
        .uid, number > UInt64(Int64.max) ? JSONText.string("\(number)") : "\(number)", &text)
    case .array(let elements): try array(elements, &text)
    case .set(let elements):
      try container(.set, &text) { (text) throws(WritingFailure) in try array(elements, &text) }
    case .orderedSet(let elements):
      try container(.orderedSet, &text) { (text) throws(WritingFailure) in
        try array(elements, &text)
      }
    case .dictionary(let dictionary):
      if dictionary.count == 1, let key = dictionary.entries.first?.key,
        JSONTag(rawValue: key) != nil
      {
        try container(.dictionary, &text) { (text) throws(WritingFailure) in
          try object(dictionary, &text)
        }
      } else {
        try object(dictionary, &text)
      }
    }
  }

  private static func array(
    _ elements: [PropertyList], _ text: inout LimitedText
  ) throws(WritingFailure) {
    var lead = "["
    for element in elements {
      try text.send(lead)
      try write(element, &text)
      lead = ","
    }
    try text.send(elements.isEmpty ? "[]" : "]")
  }

  private static func object(
    _ dictionary: PropertyList.Dictionary, _ text: inout LimitedText
  ) throws(WritingFailure) {
    var lead = UInt8(ascii: "{")
    for entry in dictionary.entries {
      try text.send { (text) throws(WritingFailure) in
        text.append(lead)
        JSONText.append(entry.key, to: &text)
        text.append(UInt8(ascii: ":"))
      }
      try write(entry.value, &text)
      lead = UInt8(ascii: ",")
    }
    try text.send(dictionary.isEmpty ? "{}" : "}")
  }

  private static func container(
    _ tag: JSONTag, _ text: inout LimitedText,
    _ content: (inout LimitedText) throws(WritingFailure) -> Void
  ) throws(WritingFailure) {
    try text.send("{" + JSONText.string(tag.rawValue) + ":")
    try content(&text)
    try text.send("}")
  }

  private static func tagged(
    _ tag: JSONTag, _ json: String, _ text: inout LimitedText
  ) throws(WritingFailure) {
    try text.send("{" + JSONText.string(tag.rawValue) + ":" + json + "}")
  }

  private static func date(_ seconds: Double) -> String {
    if let text = try? CalendarDate.text(of: seconds),
      CalendarDate.seconds(of: text)?.bitPattern == seconds.bitPattern
    {
      return JSONText.string(text)
    }
    return seconds.isFinite ? "\(seconds)" : JSONText.string(RealText.text(of: seconds))
  }
}

/// How JSON carries types that it lacks: as an object whose only key names the type.
///
/// | object | property list |
/// |---|---|
/// | `{"$data":"AQI="}` | data, in Base64 |
/// | `{"$date":"2001-01-01T00:00:00Z"}`, `{"$date":0.5}` | a date; seconds since 2001 where text would not be exact |
/// | `{"$uid":1}` | a UID |
/// | `{"$set":[]}`, `{"$orderedSet":[]}` | a set |
/// | `{"$float":1.5}` | a real of 32 bits |
/// | `{"$real":"nan"}` | a real that JSON has no number for: `nan`, `inf`, `-inf`, `nan:` and its bits |
/// | `{"$integer":"18446744073709551615"}` | an integer outside 64 bits |
/// | `{"$dictionary":{}}` | a dictionary whose only key is one of these |
private enum JSONTag: String, CaseIterable {
  case data = "$data"
  case date = "$date"
  case uid = "$uid"
  case set = "$set"
  case orderedSet = "$orderedSet"
  case float = "$float"
  case real = "$real"
  case integer = "$integer"
  case dictionary = "$dictionary"
}

/// Infinities and NaNs as text that keeps every bit: `inf`, `-inf`, `nan`, and for a NaN with
/// another payload `nan:7ff8000000000001`.
private enum RealText {
  static func text(of real: some BitPatterned) -> String {
    if real.isInfinite { return real < 0 ? "-inf" : "inf" }
    return real.bitPattern == type(of: real).nan.bitPattern
      ? "nan" : "nan:" + String(real.bitPattern, radix: 16)
  }

  static func real<Real: BitPatterned>(of text: String) -> Real? {
    switch text {
    case "inf": return .infinity
    case "-inf": return -.infinity
    case "nan": return .nan
    default:
      guard text.hasPrefix("nan:"), let bits = Real.Bits(text.dropFirst(4), radix: 16) else {
        return nil
      }
      return Real(bitPattern: bits).isNaN ? Real(bitPattern: bits) : nil
    }
  }
}

private protocol BitPatterned: BinaryFloatingPoint {
  associatedtype Bits: FixedWidthInteger
  var bitPattern: Bits { get }
  init(bitPattern: Bits)
}

extension Double: BitPatterned {}
extension Float: BitPatterned {}

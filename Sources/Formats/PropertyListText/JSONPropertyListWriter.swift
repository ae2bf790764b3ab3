public import BinaryPropertyList
internal import CommandLineInterface
internal import TextFormats

/// Writes a property list as one line of JSON that `JSONPropertyListReader` reads back exactly.
///
/// What JSON has no form for is tagged: data is `{"$data":"AQI="}`; see `JSONTag`.
public enum JSONPropertyListWriter {
  /// Called with each piece of the text.
  public typealias Sink = (String) -> Void

  public static func write(_ value: PropertyList, to sink: Sink) {
    switch value {
    case .null: sink("null")
    case .boolean(let boolean): sink(boolean ? "true" : "false")
    case .integer(let integer): sink(String(integer))
    case .wideInteger(let integer): tagged(.integer, JSONText.string(String(integer)), sink)
    case .float(let float) where float.isFinite: tagged(.float, "\(Double(float))", sink)
    case .float(let float):
      tagged(.float, JSONText.string(RealText.text(of: float)), sink)
    case .real(let real) where real.isFinite: sink("\(real)")
    case .real(let real): tagged(.real, JSONText.string(RealText.text(of: real)), sink)
    case .date(let seconds): tagged(.date, date(seconds), sink)
    case .data(let bytes): tagged(.data, JSONText.string(Base64.text(of: bytes[...])), sink)
    case .string(let string): sink(JSONText.string(string))
    case .uid(let number): tagged(.uid, number: number, sink)
    case .array(let elements): array(elements, sink)
    case .set(let elements): container(.set, sink) { array(elements, sink) }
    case .orderedSet(let elements): container(.orderedSet, sink) { array(elements, sink) }
    case .dictionary(let dictionary):
      if dictionary.count == 1, let key = dictionary.entries.first?.key,
        JSONTag(rawValue: key) != nil
      {
        container(.dictionary, sink) { object(dictionary, sink) }
      } else {
        object(dictionary, sink)
      }
    }
  }

  private static func array(_ elements: [PropertyList], _ sink: Sink) {
    var lead = "["
    for element in elements {
      sink(lead)
      write(element, to: sink)
      lead = ","
    }
    sink(elements.isEmpty ? "[]" : "]")
  }

  private static func object(_ dictionary: PropertyList.Dictionary, _ sink: Sink) {
    var lead = "{"
    for entry in dictionary.entries {
      sink(lead + JSONText.string(entry.key) + ":")
      write(entry.value, to: sink)
      lead = ","
    }
    sink(dictionary.isEmpty ? "{}" : "}")
  }

  private static func container(_ tag: JSONTag, _ sink: Sink, _ content: () -> Void) {
    sink("{" + JSONText.string(tag.rawValue) + ":")
    content()
    sink("}")
  }

  private static func tagged(_ tag: JSONTag, _ json: String, _ sink: Sink) {
    container(tag, sink) { sink(json) }
  }

  /// A UID beyond what JSON readers take as an integer goes as text.
  private static func tagged(_ tag: JSONTag, number: UInt64, _ sink: Sink) {
    let text = String(number)
    tagged(tag, number > UInt64(Int64.max) ? JSONText.string(text) : text, sink)
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

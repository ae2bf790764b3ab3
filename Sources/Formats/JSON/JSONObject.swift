internal import TextFormats

/// A JSON object of which members that are texts, or objects of texts, can be read.
///
/// Lines of the form that most programs write are read here: objects of strings in printable ASCII
/// without escapes. Jansson, which takes ten times as long, reads all others; what it would refuse is
/// not of that form.
package struct JSONObject: Sendable {
  package enum Value: Sendable {
    case text(String)
    case object(JSONObject)
    case null
    case other
  }

  private var members: [(key: String, value: Value)] = []

  package var memberCount: Int { members.count }

  /// In their order.
  package var keys: [String] { members.map(\.key) }

  package subscript(key: String) -> Value? { members.first { $0.key == key }?.value }

  /// Reads a document; `nil` if it is an array.
  ///
  /// A key that is there twice is an error, and a string may hold `\u0000`.
  package static func parse(
    _ json: ArraySlice<UInt8>
  ) throws(JSONValue.SyntaxError) -> JSONObject? {
    if let plain = plain(json) { return plain }
    let value = try JSONValue.parse(json, [.uniqueKeys, .nul])
    return value.isObject ? JSONObject(value) : nil
  }

  /// - Parameter object: an object. What lies deeper than the objects in it is not asked for.
  private init(_ object: JSONValue, isWithin: Bool = false) {
    members = object.members.map { member in
      let value: Value =
        if let text = member.value.text {
          .text(text)
        } else if member.value.isObject, !isWithin {
          .object(JSONObject(member.value, isWithin: true))
        } else {
          member.value.isNull ? .null : .other
        }
      return (member.key, value)
    }
  }

  private init() {}

  /// The object of a document of the usual form; `nil` for any other.
  static func plain(_ json: ArraySlice<UInt8>) -> JSONObject? {
    unsafe json.withUnsafeBufferPointer { bytes in
      var scanner = unsafe PlainScanner(bytes: bytes)
      guard let object = scanner.object(isWithin: false) else { return nil }
      return scanner.isAtEnd ? object : nil
    }
  }

  fileprivate mutating func add(_ key: String, _ value: Value) -> Bool {
    if members.contains(where: { $0.key == key }) { return false }
    members.append((key, value))
    return true
  }

  fileprivate static func empty() -> JSONObject { JSONObject() }
}

/// Reads the usual form; each function returns `nil` if something else stands.
@safe
private struct PlainScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let count: Int
  private var position = 0

  private static let plain = PlainRun(
    without: (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\\")))

  init(bytes: UnsafeBufferPointer<UInt8>) {
    unsafe self.bytes = bytes
    count = bytes.count
  }

  var isAtEnd: Bool { position == count }

  mutating func object(isWithin: Bool) -> JSONObject? {
    guard take(UInt8(ascii: "{")) else { return nil }
    var object = JSONObject.empty()
    if take(UInt8(ascii: "}")) { return object }
    repeat {
      guard let key = text(), take(UInt8(ascii: ":")) else { return nil }
      let value: JSONObject.Value
      if let text = text() {
        value = .text(text)
      } else {
        guard !isWithin, let inner = self.object(isWithin: true) else { return nil }
        value = .object(inner)
      }
      guard object.add(key, value) else { return nil }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? object : nil
  }

  private mutating func text() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = position
    position = unsafe Self.plain.end(in: bytes, from: position)
    guard position < count, unsafe bytes[position] == UInt8(ascii: "\"") else { return nil }
    defer { position += 1 }
    return unsafe String(
      decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    while position < count, unsafe bytes[position] == 0x20 { position += 1 }
    guard position < count, unsafe bytes[position] == byte else { return false }
    position += 1
    return true
  }
}

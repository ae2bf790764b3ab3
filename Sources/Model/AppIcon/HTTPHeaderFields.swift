/// The header fields of a response, by RFC 9110, section 5, read from the bytes of a header block.
///
/// Lines that are no field are passed over, as are fields whose value has a control character. A
/// line that begins with a space continues the one before (RFC 9112, section 5.2). Where the block
/// begins with a status line, its code is kept.
package struct HTTPHeaderFields: Hashable, Sendable {
  /// The largest header block that is read, in bytes.
  package static let sizeLimit = 64 << 10
  package static let countLimit = 256

  /// The block is larger than any honest server's.
  package enum Excess: Error, Hashable, Sendable {
    case bytes
    case fields
  }

  /// A name in lower case, and its value without surrounding space.
  package struct Field: Hashable, Sendable {
    package let name: String
    package let value: String
  }

  /// The code of the status line, 100 to 999; `nil` if there is none.
  package private(set) var status: Int?
  package private(set) var fields: [Field] = []

  package init() {}

  /// - Throws: `Excess` where there are more than 64 KiB or 256 fields.
  package init(parsing block: [UInt8]) throws(Excess) {
    guard block.count <= Self.sizeLimit else { throw .bytes }
    var pending: [UInt8] = []
    let lines = block.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.isEmpty { break }
      if number == 0, line.starts(with: "HTTP/".utf8) {
        status = Self.status(line)
      } else if Self.isSpace(line.first) {
        if !pending.isEmpty { pending += [UInt8(ascii: " ")] + Self.trimmed(line) }
      } else {
        try add(pending)
        pending = Array(line)
      }
    }
    try add(pending)
  }

  /// All values of the fields of one name in their order.
  ///
  /// - Parameter name: in lower case.
  package func values(_ name: String) -> [String] {
    fields.lazy.filter { $0.name == name }.map(\.value)
  }

  /// The value of a single field; `nil` if the field is missing or repeated with other values.
  ///
  /// - Parameter name: in lower case.
  package func single(_ name: String) -> String? {
    let all = values(name)
    guard let first = all.first, all.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  private mutating func add(_ line: [UInt8]) throws(Excess) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      line[..<colon].allSatisfy(Self.isToken)
    else { return }
    let value = Self.trimmed(line[(colon + 1)...])
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }) else { return }
    guard fields.count < Self.countLimit else { throw .fields }
    fields.append(
      Field(
        name: String(decoding: line[..<colon], as: UTF8.self).lowercased(),
        value: String(decoding: value, as: UTF8.self)))
  }

  /// `HTTP/1.1 200 OK`, by RFC 9112, section 4, and `HTTP/2 200`, as libcurl writes it.
  private static func status(_ line: ArraySlice<UInt8>) -> Int? {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count >= 2, words[1].count == 3, words[1].allSatisfy(isDigit) else { return nil }
    let code = words[1].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return code >= 100 ? code : nil
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop { isSpace($0) }
    while isSpace(bytes.last) { bytes.removeLast() }
    return bytes
  }

  private static func isSpace(_ byte: UInt8?) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// RFC 9110, section 5.6.2.
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

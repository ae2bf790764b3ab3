/// The header of a response as it was received: status line, fields and the empty line.
public struct HeaderBlock: Hashable, Sendable {
  /// Unchanged, line ends and all.
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The values of all fields of that name, without white space around them, in their order.
  ///
  /// Names are compared without regard to case (RFC 9110, section 5.1). Bytes that are not UTF-8
  /// become U+FFFD.
  public func values(of name: String) -> [String] {
    let name = name.lowercased()
    return bytes.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        String(decoding: line[..<colon], as: UTF8.self).lowercased() == name
      else { return nil }
      let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0d }
      let value = line[(colon + 1)...].drop(while: isSpace)
      let end = value.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? value.startIndex
      return String(decoding: value[..<end], as: UTF8.self)
    }
  }
}

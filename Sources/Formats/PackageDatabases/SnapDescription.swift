/// What `meta/snap.yaml` says of a snap: the values of its first level that are one line of text.
package struct SnapDescription: Hashable {
  package let name: String?
  package let version: String?

  package init(_ content: [UInt8]) {
    var fields: [String: String] = [:]
    ByteSearch.forEachLine(in: content[...]) { line in
      for key in ["name", "version"] where fields[key] == nil {
        let start = Array(key.utf8) + [UInt8(ascii: ":")]
        if line.starts(with: start) { fields[key] = Self.scalar(line.dropFirst(start.count)) }
      }
      return fields.count < 2
    }
    name = fields["name"]
    version = fields["version"]
  }

  /// A value of YAML in one line, in quotes or plain; `nil` for an empty one.
  private static func scalar(_ value: ArraySlice<UInt8>) -> String? {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
    var value = value.drop(while: isBlank)
    if let quote = value.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
      value = value.dropFirst().prefix { $0 != quote }
    } else {
      // A comment begins after a blank.
      if let comment = value.indices.dropFirst().first(where: {
        value[$0] == UInt8(ascii: "#") && isBlank(value[$0 - 1])
      }) {
        value = value[..<comment]
      }
      while let last = value.last, isBlank(last) { value.removeLast() }
    }
    return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
  }
}

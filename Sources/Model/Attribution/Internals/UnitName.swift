/// The name of a systemd unit, taken apart: `app-gnome-org.gnome.TextEditor-4242.scope`.
///
/// See systemd.unit(5).
struct UnitName {
  enum Kind: String {
    case scope, service, slice
  }

  let kind: Kind
  /// What is before the `@`, or all of the name but its suffix.
  let prefix: Substring
  /// What is behind the `@`.
  let instance: Substring?

  /// - Returns: `nil` for what is no unit that processes are in.
  init?(_ name: Substring) {
    guard let dot = name.lastIndex(of: "."),
      let kind = Kind(rawValue: String(name[name.index(after: dot)...])), dot > name.startIndex
    else { return nil }
    self.kind = kind
    let stem = name[..<dot]
    let at = stem.firstIndex(of: "@")
    prefix = stem[..<(at ?? stem.endIndex)]
    instance = at.map { stem[stem.index(after: $0)...] }
  }

  /// What stands between the dashes of the prefix, with escapes undone; `nil` where one is empty or
  /// not UTF-8.
  var parts: [String]? {
    var parts: [String] = []
    for part in prefix.split(separator: "-", omittingEmptySubsequences: false) {
      guard let plain = Self.unescaped(part), !plain.isEmpty else { return nil }
      parts.append(plain)
    }
    return parts
  }

  /// systemd-escape(1): `\x2d` is a byte in hexadecimal.
  static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.dropFirst().prefix(2)
      guard rest.first == UInt8(ascii: "x"), digits.count == 2,
        digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let value = UInt8(Substring(digits), radix: 16), value != 0
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(3)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// Text of groups, keys and values, as desktop entries, icon themes and GTK's settings have it.
///
/// Lines that are neither are passed over, and of a repeated key the first counts.
struct KeyFile {
  /// Larger than the index of any theme.
  private static let limit = 1 << 20

  private var groups: [String: [String: String]] = [:]

  /// - Returns: `nil` where the file cannot be read or is larger than 1 MiB.
  init?(_ file: InstalledFile) {
    guard let content = file.content(limit: Self.limit) else { return nil }
    self.init(content)
  }

  init(_ content: [UInt8]) {
    var group: String?
    for line in content.split(separator: UInt8(ascii: "\n")) {
      let line = Self.trimmed(line)
      if line.first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") {
        group = String(decoding: line.dropFirst().dropLast(), as: UTF8.self)
      } else if let group, line.first != UInt8(ascii: "#"),
        let equals = line.firstIndex(of: UInt8(ascii: "="))
      {
        let key = String(decoding: Self.trimmed(line[..<equals]), as: UTF8.self)
        let value = String(decoding: Self.trimmed(line[(equals + 1)...]), as: UTF8.self)
        if groups[group]?[key] == nil { groups[group, default: [:]][key] = value }
      }
    }
  }

  /// The value of a key; `nil` where it is missing or empty.
  func value(_ key: String, in group: String) -> String? {
    groups[group]?[key].flatMap { $0.isEmpty ? nil : $0 }
  }

  func number(_ key: String, in group: String) -> Int? {
    value(key, in: group).flatMap { Int($0) }.flatMap { 0...100_000 ~= $0 ? $0 : nil }
  }

  /// The words of a value, separated by commas or semicolons.
  func list(_ key: String, in group: String) -> [String] {
    (value(key, in: group) ?? "").utf8
      .split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
      .map { String(decoding: Self.trimmed(Array($0)[...]), as: UTF8.self) }
      .filter { !$0.isEmpty }
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }
    var bytes = bytes.drop { isSpace($0) }
    while isSpace(bytes.last) { bytes.removeLast() }
    return bytes
  }
}

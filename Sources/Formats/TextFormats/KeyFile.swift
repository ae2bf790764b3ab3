/// A text of groups, keys and values: a desktop entry, an icon theme's index or GTK's settings.
///
/// Other lines are ignored, and of a repeated key the first counts.
package struct KeyFile {
  /// Larger than the index of any theme; in bytes.
  package static let limit = 1 << 20

  private let content: [UInt8]
  /// The ranges of each group's lines, which are parsed when a key is looked up: the index of a
  /// theme has thousands, of which few are needed.
  private var groups: [String: [Range<Int>]] = [:]

  package init(_ content: [UInt8]) {
    self.content = content
    var group: String?
    var start = 0
    let lines = Lines(content: content, position: 0, end: content.count)
    for line in lines where content[line.lowerBound] == UInt8(ascii: "[") {
      let text = Self.trimmed(content[line])
      guard text.last == UInt8(ascii: "]") else { continue }
      if let group { groups[group, default: []].append(start..<line.lowerBound) }
      group = String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
      start = line.upperBound
    }
    if let group { groups[group, default: []].append(start..<content.count) }
  }

  /// The value of a key; `nil` if it is missing or empty. What is not UTF-8 becomes U+FFFD.
  package func value(_ key: String, in group: String) -> String? {
    bytes(key, in: group).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of a key with the escapes of the Desktop Entry Specification's strings undone; `nil`
  /// if it is missing, empty, not UTF-8, or has a NUL.
  package func string(_ key: String, in group: String) -> String? {
    guard let value = bytes(key, in: group), !value.contains(0) else { return nil }
    var plain: [UInt8] = []
    var rest = value
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escape = rest.first,
        let meant = Self.escapes[escape]
      else {
        plain.append(byte)
        continue
      }
      plain.append(meant)
      rest.removeFirst()
    }
    return String(validating: plain, as: UTF8.self)
  }

  /// Desktop Entry Specification, "possible value types".
  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "s"): 0x20, UInt8(ascii: "n"): 0x0a, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "r"): 0x0d, UInt8(ascii: "\\"): UInt8(ascii: "\\"),
  ]

  /// Whether a group has a key, if only with an empty value.
  package func has(_ key: String, in group: String) -> Bool { keys(in: group).contains(key) }

  /// Calls `body` with the key and the value of each line of a group that has them.
  private func forEachEntry(
    in group: String, _ body: (_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void
  ) {
    for range in groups[group] ?? [] {
      for line in Lines(content: content, position: range.lowerBound, end: range.upperBound) {
        let line = content[line]
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
        body(Self.trimmed(line[..<equals]), Self.trimmed(line[(equals + 1)...]))
      }
    }
  }

  /// The keys of a group as they are written, in their order.
  private func keys(in group: String) -> [String] {
    var keys: [String] = []
    forEachEntry(in: group) { key, _ in
      if key.first != UInt8(ascii: "#") { keys.append(String(decoding: key, as: UTF8.self)) }
    }
    return keys
  }

  /// The groups and keys that nobody reads, in words that follow the path of the file: those that are
  /// not known, and do not begin with `X-`. At most ten.
  ///
  /// - Parameter known: the keys of each group, without languages.
  package func unread(besides known: [String: Set<String>]) -> [String] {
    var words: [String] = []
    for group in groups.keys.sorted() where !group.hasPrefix("X-") {
      guard let known = known[group] else {
        words.append("unknown group [\(group)]")
        continue
      }
      for key in keys(in: group) where !key.hasPrefix("X-") {
        if !known.contains(String(key.prefix { $0 != "[" })) {
          words.append("unknown key '\(key)' in [\(group)]")
        }
      }
    }
    return Array(words.prefix(10))
  }

  /// Whether a key holds `true`.
  package func flag(_ key: String, in group: String) -> Bool {
    bytes(key, in: group).map { $0.elementsEqual("true".utf8) } ?? false
  }

  private func bytes(_ key: String, in group: String) -> ArraySlice<UInt8>? {
    for range in groups[group] ?? [] {
      let lines = Lines(content: content, position: range.lowerBound, end: range.upperBound)
      for line in lines where content[line].starts(with: key.utf8) {
        let rest = Self.trimmed(content[line].dropFirst(key.utf8.count))
        guard rest.first == UInt8(ascii: "=") else { continue }
        let value = Self.trimmed(rest.dropFirst())
        return value.isEmpty ? nil : value
      }
    }
    return nil
  }

  /// All values of a group by their keys, read once: looking up each key reads the group again.
  package func values(in group: String) -> KeyFileValues {
    var values: [String: String] = [:]
    forEachEntry(in: group) { key, value in
      let key = String(decoding: key, as: UTF8.self)
      if values[key] == nil { values[key] = String(decoding: value, as: UTF8.self) }
    }
    return KeyFileValues(values: values)
  }

  /// The words of a value, separated by commas or semicolons.
  package func list(_ key: String, in group: String) -> [String] {
    (value(key, in: group) ?? "").utf8
      .split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
      .map { String(decoding: Self.trimmed(Array($0)[...]), as: UTF8.self) }
      .filter { !$0.isEmpty }
  }

  /// The lines that are not empty, without their leading spaces.
  private struct Lines: Sequence, IteratorProtocol {
    let content: [UInt8]
    var position: Int
    let end: Int

    mutating func next() -> Range<Int>? {
      while position < end, KeyFile.isSpace(content[position]) || content[position] == 0x0a {
        position += 1
      }
      guard position < end else { return nil }
      let start = position
      while position < end, content[position] != 0x0a { position += 1 }
      return start..<position
    }
  }

  /// Without the spaces around it.
  package static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop { isSpace($0) }
    while let last = bytes.last, isSpace(last) { bytes.removeLast() }
    return bytes
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0d
  }
}

/// The values of one group of a ``KeyFile``.
package struct KeyFileValues {
  fileprivate let values: [String: String]

  /// The value of a key; `nil` if it is missing or empty. What is not UTF-8 becomes U+FFFD.
  package func value(_ key: String) -> String? {
    values[key].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of a key that is a number up to 100,000.
  package func number(_ key: String) -> Int? {
    value(key).flatMap { Int($0) }.flatMap { 0...100_000 ~= $0 ? $0 : nil }
  }
}

/// The words of an `Exec` line, by the Desktop Entry Specification, "the Exec key".
package struct ExecLine {
  /// More bytes than any real line has.
  private static let limit = 4096

  /// The words; none where the line is too long.
  package let words: [String]
  /// Whether each quotation mark has its other one.
  package let isClosed: Bool

  /// - Parameters:
  ///   - line: the value of the key, with the escapes of strings undone.
  ///   - values: what stands for a field code: as many words where the code is one, else part of one.
  package init(_ line: String, _ values: (Character) -> [String] = { _ in [] }) {
    var words: [String] = []
    // `nil` between words: a pair of quotes is an empty word.
    var word: String?
    var isQuoted = false
    var rest = line.utf8.count <= Self.limit ? line[...] : ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": (isQuoted, word) = (!isQuoted, word ?? "")
      case "\\" where isQuoted:
        if let escaped = rest.popFirst() { word = (word ?? "") + String(escaped) }
      case _ where !isQuoted && character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      case "%" where !isQuoted:
        guard let code = rest.popFirst() else { break }
        let filled = code == "%" ? ["%"] : values(code)
        let isWhole = word == nil && (rest.first?.isWhitespace ?? true)
        if filled.count == 1 || !isWhole, let first = filled.first {
          word = (word ?? "") + first
        } else {
          words += filled
        }
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    self.words = words
    isClosed = !isQuoted
  }
}

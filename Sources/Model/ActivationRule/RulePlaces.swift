internal import BinaryPropertyList

/// Finds where a rule stands in the text of an XML property list, whose values know no places.
///
/// There is a place only if the text, decoded, is the rule.
package struct RulePlaces {
  /// A line and a column, from 1, the column in characters.
  package struct Position: Hashable {
    package let line: Int
    package let column: Int
  }

  /// The text, with blanks in place of comments.
  private let bytes: [UInt8]
  /// Where the rule's key or, without one, its value begins; `nil` if it was not found.
  private var start: Int?
  /// Where the rule's value begins.
  private var value: Int?
  /// Where each byte of the predicate stands, and its end.
  private var offsets: [Int] = []

  package init(_ source: [UInt8], of rule: FoundRule) {
    bytes = Self.withoutComments(source)
    let key = rule.keyPath.last
    var position = 0
    while true {
      var begin = position
      if let key {
        guard let found = find(Self.element("key", key), from: position) else { return }
        begin = found
        position = found + Self.element("key", key).count
      }
      switch rule.value {
      case .string(let text):
        guard let element = find(Array("<string>".utf8), from: position) else { return }
        let isNext = key == nil || isBlank(position..<element)
        if isNext, let offsets = decoded(from: element + 8, text) {
          (start, value, self.offsets) = (begin, element, offsets)
          return
        }
        if key == nil { position = element + 8 }
      case .dictionary:
        guard let element = find(Array("<dict>".utf8), from: position) else { return }
        if key == nil || isBlank(position..<element) {
          (start, value) = (key == nil ? element : begin, element)
          return
        }
      default:
        start = begin
        return
      }
    }
  }

  /// Where a finding is; `nil` if that is not known.
  package func position(of place: RuleFinding.Place) -> Position? {
    switch place {
    case .text(let place):
      guard place.offset < offsets.count else { return nil }
      return position(offsets[place.offset])
    case .key(let key):
      // Inside the rule if it is there, otherwise beside it.
      let name = Self.element("key", key)
      return (find(name, from: value ?? 0) ?? find(name, from: 0)).map(position)
    case .rule: return start.map(position)
    }
  }

  private func position(_ offset: Int) -> Position {
    let place = TextPlace(offset: offset, in: bytes)
    return Position(line: place.line, column: place.column)
  }

  private static func element(_ name: String, _ content: String) -> [UInt8] {
    Array("<\(name)>\(content)</\(name)>".utf8)
  }

  private func isBlank(_ range: Range<Int>) -> Bool {
    bytes[range].allSatisfy { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
  }

  private func find(_ word: [UInt8], from position: Int) -> Int? {
    guard position <= bytes.count - word.count else { return nil }
    return (position...bytes.count - word.count).first { start in
      bytes[start] == word[0] && bytes[start...].starts(with: word)
    }
  }

  private static func withoutComments(_ source: [UInt8]) -> [UInt8] {
    var bytes = source
    var position = 0
    while position + 3 < bytes.count {
      guard bytes[position] == UInt8(ascii: "<"), bytes[position...].starts(with: "<!--".utf8)
      else {
        position += 1
        continue
      }
      while position < bytes.count, !bytes[position...].starts(with: "-->".utf8) {
        if bytes[position] != 0x0a, bytes[position] != 0x0d { bytes[position] = 0x20 }
        position += 1
      }
      for place in position..<min(position + 3, bytes.count) { bytes[place] = 0x20 }
    }
    return bytes
  }

  /// Where the bytes of a text stand, if it is the content of the element from here on.
  private func decoded(from start: Int, _ text: String) -> [Int]? {
    var offsets: [Int] = []
    offsets.reserveCapacity(text.utf8.count + 1)
    var position = start
    var isLiteral = false
    var rest = text.utf8[...]
    func take(_ content: some Sequence<UInt8>) -> Bool {
      for byte in content {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        offsets.append(position)
      }
      return true
    }
    while position < bytes.count {
      let tail = bytes[position...]
      if isLiteral {
        if tail.starts(with: "]]>".utf8) {
          isLiteral = false
          position += 3
          continue
        }
      } else if tail.first == UInt8(ascii: "<") {
        if tail.starts(with: "<![CDATA[".utf8) {
          isLiteral = true
          position += 9
          continue
        }
        guard rest.isEmpty else { return nil }
        return offsets + [position]
      } else if tail.first == UInt8(ascii: "&") {
        guard let end = tail.prefix(12).firstIndex(of: UInt8(ascii: ";")),
          let scalar = Self.character(tail[(position + 1)..<end]), take(String(scalar).utf8)
        else { return nil }
        position = end + 1
        continue
      }
      // A parser of XML makes one line feed of each line end.
      if bytes[position] == 0x0d {
        guard take([0x0a]) else { return nil }
        position += tail.dropFirst().first == 0x0a ? 2 : 1
        continue
      }
      guard take([bytes[position]]) else { return nil }
      position += 1
    }
    return nil
  }

  /// The character of a reference without `&` and `;`.
  private static func character(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let name = String(decoding: name, as: UTF8.self)
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.utf8.first == UInt8(ascii: "#") else { return nil }
      let isHexadecimal = name.dropFirst().utf8.first == UInt8(ascii: "x")
      return UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        .flatMap(Unicode.Scalar.init)
    }
  }
}

import BinaryPropertyList

/// Makes property lists of all types, with the values at the edges of their encodings preferred.
struct RandomPropertyList {
  var random: RandomNumbers

  mutating func value(depth: Int) -> PropertyList {
    switch Int.random(in: 0..<(depth > 0 ? 16 : 11), using: &random) {
    case 0: .null
    case 1: .boolean(.random(using: &random))
    case 2, 3: .integer(edgeInteger())
    case 4: .wideInteger(Int128(edgeInteger()) << Int.random(in: 0...64, using: &random))
    case 5: .float(Float(bitPattern: .random(in: 0...(.max), using: &random)))
    case 6: .real(Double(bitPattern: .random(in: 0...(.max), using: &random)))
    case 7:
      .date(secondsSinceReferenceDate: Double(bitPattern: .random(in: 0...(.max), using: &random)))
    case 8: .data((0..<length()).map { _ in .random(in: 0...(.max), using: &random) })
    case 9: .string(text())
    case 10: .uid(UInt64(bitPattern: edgeInteger()))
    case 11: .array(values(depth: depth))
    case 12: .orderedSet(values(depth: depth))
    case 13: .set(values(depth: depth))
    default:
      .dictionary(
        PropertyList.Dictionary(values(depth: depth).map { (text(), $0) }) { first, _ in first })
    }
  }

  mutating func text() -> String {
    let alphabets: [[Unicode.Scalar]] = [
      ["a", "b", "\0", "~"], ["a", "\u{e9}", "e", "\u{301}"], ["\u{ffff}", "😀", "漢", "z"],
    ]
    var text = ""
    if let alphabet = alphabets.randomElement(using: &random) {
      for _ in 0..<length() {
        if let scalar = alphabet.randomElement(using: &random) {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }

  private mutating func values(depth: Int) -> [PropertyList] {
    (0..<length()).map { _ in value(depth: depth - 1) }
  }

  private mutating func edgeInteger() -> Int64 {
    let edge = Int64(1) << Int64.random(in: 0...63, using: &random)
    return edge &+ .random(in: -1...1, using: &random)
  }

  private mutating func length() -> Int {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: Int.random(in: 13...17, using: &random)
    case 1: Int.random(in: 0...40, using: &random)
    default: Int.random(in: 0...4, using: &random)
    }
  }
}

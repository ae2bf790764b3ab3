import BinaryPropertyList
import Foundation

/// A value as the corpus writes it down; entries and elements of sets are in an order of their own.
enum CorpusValue: Hashable {
  case null
  case boolean(Bool)
  case string([UInt8])
  case array([CorpusValue])
  case set(Set<CorpusValue>)
  case dictionary([[UInt8]: CorpusValue])
  /// The key says the type: `i` an integer in decimal, `r4`, `r8` and `d` the bits of a float as a
  /// double, a double and a date, `x` data, all in hexadecimal, and `u` a UID.
  case scalar(String, String)
}

extension CorpusValue: Decodable {
  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let value = try? single.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? single.decode(String.self) {
      self = .string(Array(value.utf8))
    } else if let value = try? single.decode([CorpusValue].self) {
      self = .array(value)
    } else {
      let tagged = try single.decode([String: Payload].self)
      guard tagged.count == 1, let (tag, payload) = tagged.first else {
        throw DecodingError.dataCorruptedError(in: single, debugDescription: "not one tag")
      }
      switch (tag, payload) {
      case ("s", .values(let values)): self = .set(Set(values))
      case ("k", .values(let pairs)): self = .dictionary(try Self.entries(pairs, in: single))
      case (_, .text(let text)): self = .scalar(tag, text)
      default:
        throw DecodingError.dataCorruptedError(in: single, debugDescription: "unknown tag \(tag)")
      }
    }
  }

  private static func entries(
    _ pairs: [CorpusValue], in container: any SingleValueDecodingContainer
  ) throws -> [[UInt8]: CorpusValue] {
    var entries: [[UInt8]: CorpusValue] = [:]
    for pair in pairs {
      guard case .array(let two) = pair, two.count == 2, case .string(let key) = two[0],
        entries.updateValue(two[1], forKey: key) == nil
      else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "no pair: \(pair)")
      }
    }
    return entries
  }

  private enum Payload: Decodable {
    case text(String)
    case values([CorpusValue])

    init(from decoder: any Decoder) throws {
      let single = try decoder.singleValueContainer()
      if let text = try? single.decode(String.self) {
        self = .text(text)
      } else if let number = try? single.decode(UInt64.self) {
        self = .text(String(number))
      } else {
        self = .values(try single.decode([CorpusValue].self))
      }
    }
  }
}

extension CorpusValue {
  init(_ value: PropertyList) {
    self =
      switch value {
      case .null: .null
      case .boolean(let value): .boolean(value)
      case .integer(let value): .scalar("i", String(value))
      case .wideInteger(let value): .scalar("i", String(value))
      case .float(let value): .scalar("r4", Self.hexadecimal(Double(value).bitPattern))
      case .real(let value): .scalar("r8", Self.hexadecimal(value.bitPattern))
      case .date(let seconds): .scalar("d", Self.hexadecimal(seconds.bitPattern))
      case .data(let bytes): .scalar("x", bytes.map { Self.hexadecimal($0) }.joined())
      case .string(let value): .string(Array(value.utf8))
      case .uid(let value): .scalar("u", String(value))
      case .array(let values), .orderedSet(let values): .array(values.map { CorpusValue($0) })
      case .set(let values): .set(Set(values.map { CorpusValue($0) }))
      case .dictionary(let entries):
        .dictionary(
          Dictionary(
            uniqueKeysWithValues: entries.entries.map {
              (Array($0.key.utf8), CorpusValue($0.value))
            }))
      }
  }

  private static func hexadecimal<Number: FixedWidthInteger>(_ number: Number) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: Number.bitWidth / 4 - digits.count) + digits
  }
}

import Foundation

/// PropertyListEncoder and PropertyListDecoder.
enum Coders {
  static func encode(_ value: some Encodable) {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    sink(unfailing { try encoder.encode(value) })
  }

  static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) {
    sink(unfailing { try PropertyListDecoder().decode(type, from: data) })
  }
}

import BinaryPropertyListCoders
import Foundation
import Testing

/// Foundation's coders, and values taken through them and ours.
enum Foundations {
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode(value)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try PropertyListDecoder().decode(type, from: data)
  }

  /// Takes a value from each encoder to each decoder but Foundation's to its own.
  static func exchange<Value: Codable & Equatable>(
    _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let ours = try BinaryPropertyListEncoder().encode(value)
    let theirs = try encode(value)
    let decoder = BinaryPropertyListDecoder()
    #expect(try decode(Value.self, from: ours) == value, sourceLocation: sourceLocation)
    #expect(try decoder.decode(Value.self, from: theirs) == value, sourceLocation: sourceLocation)
    #expect(try decoder.decode(Value.self, from: ours) == value, sourceLocation: sourceLocation)
  }
}

import BinaryPropertyListCoders
import Foundation
import Testing

/// A container that outlives its place is written to without effect, as in Foundation.
@Suite struct StaleContainerTests {
  private enum Key: String, CodingKey {
    case a, b, z
  }

  private struct Failure: Error {}

  /// A value that encodes itself by a closure.
  private struct Value: Encodable {
    let body: @Sendable (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  private static let cases: [(name: String, value: Value)] = [
    (
      "element after a leaf",
      Value { encoder in
        var container = encoder.container(keyedBy: Key.self)
        try container.encode([Int](repeating: 1, count: 50), forKey: .z)
        var nested = container.nestedUnkeyedContainer(forKey: .a)
        try container.encode("leaf", forKey: .a)
        try nested.encode(5)
      }
    ),
    (
      "element after a dictionary",
      Value { encoder in
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(77, forKey: .z)
        var nested = container.nestedUnkeyedContainer(forKey: .a)
        try container.encode(["k": 1], forKey: .a)
        try nested.encode(5)
      }
    ),
    (
      "key after an array",
      Value { encoder in
        var container = encoder.container(keyedBy: Key.self)
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
        try container.encode([9], forKey: .a)
        try nested.encode("x", forKey: .b)
      }
    ),
    (
      "nested container of one that gave way",
      Value { encoder in
        var container = encoder.container(keyedBy: Key.self)
        var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
        try container.encode("leaf", forKey: .a)
        var deeper = nested.nestedUnkeyedContainer(forKey: .b)
        try deeper.encode(1)
      }
    ),
    (
      "value that keeps its container and fails",
      Value { encoder in
        nonisolated(unsafe) var kept: (any UnkeyedEncodingContainer)?
        var container = encoder.container(keyedBy: Key.self)
        try? container.encode(
          Value { inner in
            kept = inner.unkeyedContainer()
            throw Failure()
          }, forKey: .a)
        try container.encode("leaf", forKey: .a)
        try kept?.encode(1)
      }
    ),
  ]

  @Test(arguments: 0..<5)
  func whatIsWrittenLateIsLost(_ position: Int) throws {
    let (name, value) = Self.cases[position]
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let read = { (data: Data) in
      try PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary
    }
    let ours = try read(BinaryPropertyListEncoder().encode(value))
    #expect(ours == (try read(encoder.encode(value))), "\(name)")
    #expect(ours != nil, "\(name)")
  }

  @Test func secondValueInOnePlaceCountsAfterTheFirstFailed() throws {
    let value = Value { encoder in
      var single = encoder.singleValueContainer()
      try? single.encode(
        Value { inner in
          var container = inner.container(keyedBy: Key.self)
          try container.encode(1, forKey: .a)
          throw Failure()
        })
      try single.encode(["b": 2])
    }
    let data = try BinaryPropertyListEncoder().encode(value)
    #expect(try PropertyListDecoder().decode([String: Int].self, from: data) == ["b": 2])
  }
}

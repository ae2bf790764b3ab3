import Foundation

/// Types of every shape that Codable knows, for both coders.
enum Samples {
  struct Four: Codable, Equatable {
    var identifier: String
    var name: String
    var path: String
    var appInfoURL: String
  }

  struct Box<Value: Codable>: Codable {
    var value: Value
  }

  enum Shape: Codable, Equatable {
    case none
    case circle(Double)
    case labelled(text: String, sides: Int?)
  }

  enum Word: String, Codable, CodingKeyRepresentable { case one, two }
  enum PlainWord: String, Codable { case one, two }
  enum Number: Int, Codable {
    case one = 1
    case two
  }

  struct Empty: Codable, Equatable {
    init() {}
    init(from decoder: any Decoder) {}
    func encode(to encoder: any Encoder) {}
  }

  class Base: Codable {
    var first: Int

    init(first: Int) { self.first = first }
  }

  final class Derived: Base {
    var second: String

    private enum CodingKeys: CodingKey { case second }

    init(first: Int, second: String) {
      self.second = second
      super.init(first: first)
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      second = try container.decode(String.self, forKey: .second)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(second, forKey: .second)
      try super.encode(to: container.superEncoder())
    }
  }

  enum Step: String, CodingKey { case x, y, z }

  /// Encodes by a function of the test's.
  struct Encoding: Encodable {
    let body: (any Encoder) throws -> Void

    func encode(to encoder: any Encoder) throws { try body(encoder) }
  }

  /// A list of lists, however deep.
  struct Nest: Codable, Equatable {
    var inner: [Nest] = []

    init() {}

    init(depth: Int) {
      if depth > 1 { inner = [Nest(depth: depth - 1)] }
    }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      while !container.isAtEnd { inner.append(try container.decode(Nest.self)) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for value in inner { try container.encode(value) }
    }
  }

  /// A type whose coding functions only call themselves.
  struct Endless: Codable {
    init() {}
    init(from decoder: any Decoder) throws {
      self = try decoder.singleValueContainer().decode(Endless.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(self)
    }
  }
}

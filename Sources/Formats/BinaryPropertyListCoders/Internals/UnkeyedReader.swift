import BinaryPropertyList

/// Decodes values one after the other from an array, set or ordered set.
struct UnkeyedReader: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  private(set) var currentIndex = 0

  /// Makes a container of a decoder whose object must be an array or set.
  init(decoder: ValueDecoder) {
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var count: Int? { decoder.count }

  var isAtEnd: Bool { currentIndex >= decoder.count }

  mutating func decodeNil() throws -> Bool {
    guard decoder.session.isNull(try element(Never.self)) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let scalar = ScalarType(type) {
      return try next(type) { session, object, path throws(DecodingError) in
        try session.scalar(type, scalar, object, path)
      }
    }
    let value = try decoder.session.decode(type, from: elementDecoder(type))
    currentIndex += 1
    return value
  }

  /// Makes a value of the next object, and then passes over that object.
  @inline(__always)
  private mutating func next<Value>(
    _ type: Value.Type,
    _ make: (DecodingSession, Int, () -> [any CodingKey]) throws(DecodingError) -> Value
  ) throws(DecodingError) -> Value {
    let step = CodingStep.index(currentIndex)
    let value = try make(decoder.session, element(type)) { codingPath + [step] }
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try elementDecoder(KeyedDecodingContainer<NestedKey>.self)
      .container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try elementDecoder((any UnkeyedDecodingContainer).self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let inner = try elementDecoder((any Decoder).self)
    currentIndex += 1
    return inner
  }

  private func elementDecoder(_ type: Any.Type) throws(DecodingError) -> ValueDecoder {
    try ValueDecoder(of: element(type), in: decoder, step: CodingStep.index(currentIndex))
  }

  /// The next object.
  @inline(__always)
  private func element(_ type: Any.Type) throws(DecodingError) -> Int {
    guard currentIndex < decoder.count else {
      throw .valueNotFound(
        type,
        DecodingError.Context(
          codingPath: codingPath + [CodingStep.index(currentIndex)],
          debugDescription: "Unkeyed container is at end."))
    }
    return decoder.value(currentIndex)
  }
}

extension UnkeyedReader {
  mutating func decode(_ type: String.Type) throws -> String {
    try next(type) { session, object, path throws(DecodingError) in
      try session.text(object, path)
    }
  }
  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try next(type) { session, object, path throws(DecodingError) in
      try session.boolean(object, path)
    }
  }
  mutating func decode(_ type: Double.Type) throws -> Double { try real() }
  mutating func decode(_ type: Float.Type) throws -> Float { try real() }
  mutating func decode(_ type: Int.Type) throws -> Int { try integer() }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

  @inline(__always)
  private mutating func real<Real: BinaryFloatingPoint>() throws(DecodingError) -> Real {
    try next(Real.self) { session, object, path throws(DecodingError) in
      try session.real(Real.self, object, path)
    }
  }

  @inline(__always)
  private mutating func integer<Integer: FixedWidthInteger>() throws(DecodingError) -> Integer {
    try next(Integer.self) { session, object, path throws(DecodingError) in
      try session.integer(Integer.self, object, path)
    }
  }
}

/// A step of a coding path that is not one of a type's own keys.
enum CodingStep: CodingKey {
  /// To the element at a position.
  case index(Int)
  /// To the value of a class's superclass.
  case superclass
  case name(String)

  /// The step's text; an index has the one that Foundation gives it.
  var stringValue: String {
    switch self {
    case .index(let index): "Index \(index)"
    case .superclass: "super"
    case .name(let name): name
    }
  }

  var intValue: Int? {
    if case .index(let index) = self { index } else { nil }
  }

  init(stringValue: String) {
    self = .name(stringValue)
  }

  init(intValue: Int) {
    self = .index(intValue)
  }
}

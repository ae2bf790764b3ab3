import BinaryPropertyList

/// Decodes values one after the other from an array, set or ordered set.
struct UnkeyedReader: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  private(set) var currentIndex = 0

  /// Makes a container of a decoder's object, which must be an array or set.
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

  /// Makes a value of the next object, and passes over that unless it failed.
  @inline(__always)
  mutating func next<Value>(
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

  /// The object that is next.
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

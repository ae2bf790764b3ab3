import BinaryPropertyList

/// Decodes values by key from a dictionary.
///
/// It holds next to nothing, since it is made generic code for keys of other modules.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  /// The keys that the type knows, in the order of the property list.
  var allKeys: [Key] {
    let texts = (0..<decoder.count).compactMap { position in
      let key = decoder.key(position)
      decoder.session.expandKey(key) { codingPath }
      return decoder.session.string(key)
    }
    // The decoder throws at the end what cannot be thrown here.
    guard decoder.session.failure == nil else { return [] }
    guard decoder.hasDuplicateKeys else { return texts.compactMap { Key(stringValue: $0) } }
    var seen: Set<ExactText> = []
    return texts.filter { seen.insert(ExactText($0)).inserted }
      .compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool { decoder.find(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    decoder.session.isNull(try value(of: key))
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let object = try value(of: key)
    if let scalar = ScalarType(type) {
      return try decoder.session.scalar(type, scalar, object) { path(to: key) }
    }
    return try decoder.session.decode(type, from: ValueDecoder(of: object, in: decoder, step: key))
  }

  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    guard let object = present(key) else { return nil }
    if let scalar = ScalarType(type) {
      return try decoder.session.scalar(type, scalar, object) { path(to: key) }
    }
    return try decoder.session.decode(type, from: ValueDecoder(of: object, in: decoder, step: key))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try ValueDecoder(of: value(of: key), in: decoder, step: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try ValueDecoder(of: value(of: key), in: decoder, step: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superDecoder(of: CodingStep.superclass) }

  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(of: key) }

  /// As in Foundation, a key that is not there has the superclass decode from a missing value.
  private func superDecoder(of key: some CodingKey) -> ValueDecoder {
    guard let object = decoder.find(key.stringValue) else {
      return ValueDecoder(missingIn: decoder, step: key)
    }
    return ValueDecoder(of: object, in: decoder, step: key)
  }

  /// The object that is a key's value.
  @inline(__always)
  func value(of key: Key) throws(DecodingError) -> Int {
    guard let object = decoder.find(key.stringValue) else { throw notFound(key) }
    return object
  }

  /// The object that is a key's value, or `nil` when that is missing or a null.
  @inline(__always)
  func present(_ key: Key) -> Int? {
    guard let object = decoder.find(key.stringValue), !decoder.session.isNull(object) else {
      return nil
    }
    return object
  }

  func path(to key: Key) -> [any CodingKey] { codingPath + [key] }

  @inline(never)
  private func notFound(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
  }
}

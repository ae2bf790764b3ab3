import BinaryPropertyList

/// Decodes values by key from a dictionary.
///
/// It holds next to nothing, since its code stays generic for the keys of other modules.
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
    // This property cannot throw; the decoder throws the failure at the end.
    guard decoder.session.failure == nil else { return [] }
    guard decoder.hasDuplicateKeys else { return texts.compactMap { Key(stringValue: $0) } }
    var seen: Set<ExactString> = []
    return texts.filter { seen.insert(ExactString($0)).inserted }
      .compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool { decoder.find(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    decoder.session.isNull(try value(of: key))
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decode(type, value(of: key), key)
  }

  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    guard let object = present(key) else { return nil }
    return try decode(type, object, key)
  }

  @inline(__always)
  private func decode<Value: Decodable>(
    _ type: Value.Type, _ object: Int, _ key: Key
  ) throws -> Value {
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

  /// As in Foundation, the superclass of an absent key decodes from a missing value.
  private func superDecoder(of key: some CodingKey) -> ValueDecoder {
    guard let object = decoder.find(key.stringValue) else {
      return ValueDecoder(missingIn: decoder, step: key)
    }
    return ValueDecoder(of: object, in: decoder, step: key)
  }

  /// The object that is a key's value.
  @inline(__always)
  private func value(of key: Key) throws(DecodingError) -> Int {
    guard let object = decoder.find(key.stringValue) else { throw notFound(key) }
    return object
  }

  /// The object that is a key's value, or `nil` when the key is absent or its value a null.
  @inline(__always)
  private func present(_ key: Key) -> Int? {
    guard let object = decoder.find(key.stringValue), !decoder.session.isNull(object) else {
      return nil
    }
    return object
  }

  private func path(to key: Key) -> [any CodingKey] { codingPath + [key] }

  @inline(never)
  private func notFound(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
  }
}

extension KeyedReader {
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder.nextText(key.stringValue) ?? text(of: key)
  }

  @inline(never)
  private func text(of key: Key) throws -> String {
    try decoder.session.text(value(of: key)) { path(to: key) }
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder.session.boolean(value(of: key)) { path(to: key) }
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try real(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try real(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }

  @inline(__always)
  private func real<Real: BinaryFloatingPoint>(_ key: Key) throws(DecodingError) -> Real {
    try decoder.session.real(Real.self, value(of: key)) { path(to: key) }
  }

  @inline(__always)
  private func integer<Integer: FixedWidthInteger>(_ key: Key) throws(DecodingError) -> Integer {
    try decoder.session.integer(Integer.self, value(of: key)) { path(to: key) }
  }
}

// The protocol's own versions would search for each key three times.
extension KeyedReader {
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    guard let object = present(key) else { return nil }
    return try decoder.session.text(object) { path(to: key) }
  }
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    guard let object = present(key) else { return nil }
    return try decoder.session.boolean(object) { path(to: key) }
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try real(key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try real(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try integer(key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try integer(key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try integer(key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try integer(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try integer(key) }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try integer(key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try integer(key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try integer(key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try integer(key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try integer(key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try integer(key) }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try integer(key)
  }

  @inline(__always)
  private func real<Real: BinaryFloatingPoint>(_ key: Key) throws(DecodingError) -> Real? {
    guard let object = present(key) else { return nil }
    return try decoder.session.real(Real.self, object) { path(to: key) }
  }

  @inline(__always)
  private func integer<Integer: FixedWidthInteger>(_ key: Key) throws(DecodingError) -> Integer? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(Integer.self, object) { path(to: key) }
  }
}

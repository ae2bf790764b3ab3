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

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try decoder.session.real(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try decoder.session.real(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try decoder.session.integer(type, value(of: key)) { path(to: key) }
  }
}

// The protocol's own versions would look each key up three times.
extension KeyedReader {
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    guard let object = present(key) else { return nil }
    return try decoder.session.text(object) { path(to: key) }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    guard let object = present(key) else { return nil }
    return try decoder.session.boolean(object) { path(to: key) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    guard let object = present(key) else { return nil }
    return try decoder.session.real(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    guard let object = present(key) else { return nil }
    return try decoder.session.real(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }

  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    guard let object = present(key) else { return nil }
    return try decoder.session.integer(type, object) { path(to: key) }
  }
}

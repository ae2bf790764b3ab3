/// Encodes values by key into a dictionary; a later value of a key replaces the earlier one.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encode(_ value: String, forKey key: Key) throws {
    encoder.session.tree.set(key.stringValue, in: encoder.slot, text: value)
  }

  func encodeNil(forKey key: Key) throws { put(key) { $0.null() } }
  func encode(_ value: Bool, forKey key: Key) throws { put(key) { $0.boolean(value) } }
  func encode(_ value: Double, forKey key: Key) throws { put(key) { $0.real(value) } }
  func encode(_ value: Float, forKey key: Key) throws { put(key) { $0.real(value) } }
  func encode(_ value: Int, forKey key: Key) throws { put(key) { $0.integer(Int64(value)) } }
  func encode(_ value: Int8, forKey key: Key) throws { put(key) { $0.integer(Int64(value)) } }
  func encode(_ value: Int16, forKey key: Key) throws { put(key) { $0.integer(Int64(value)) } }
  func encode(_ value: Int32, forKey key: Key) throws { put(key) { $0.integer(Int64(value)) } }
  func encode(_ value: Int64, forKey key: Key) throws { put(key) { $0.integer(value) } }
  func encode(_ value: Int128, forKey key: Key) throws { put(key) { $0.wideInteger(value) } }
  func encode(_ value: UInt, forKey key: Key) throws { put(key) { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt8, forKey key: Key) throws { put(key) { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt16, forKey key: Key) throws { put(key) { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt32, forKey key: Key) throws { put(key) { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt64, forKey key: Key) throws { put(key) { $0.integer(value) } }
  func encode(_ value: UInt128, forKey key: Key) throws {
    try encode(value, .uint128, newSlot(key), key)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    let slot = newSlot(key)
    if let type = ScalarType(Value.self) { return try encode(value, type, slot, key) }
    let inner = ValueEncoder(of: slot, in: encoder, step: key)
    do {
      try encoder.session.encode(value, to: inner)
    } catch {
      encoder.session.tree.remove(slot, from: encoder.slot)
      throw error
    }
  }

  private func encode<Value>(
    _ value: Value, _ type: ScalarType, _ slot: UInt32, _ key: Key
  ) throws {
    guard encoder.session.tree.set(value, type, at: slot) else {
      encoder.session.tree.remove(slot, from: encoder.slot)
      throw ValueEncoder.tooLarge(value, at: codingPath + [key])
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    superEncoder(of: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    superEncoder(of: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { superEncoder(of: CodingStep.superclass) }

  func superEncoder(forKey key: Key) -> any Encoder { superEncoder(of: key) }

  /// An encoder of a key's value; as in Foundation, it adds to a container that is there already.
  private func superEncoder(of key: some CodingKey) -> ValueEncoder {
    let slot = encoder.session.tree.slot(forKey: key.stringValue, in: encoder.slot)
    if encoder.session.tree[slot].content == .leaf { encoder.session.tree.clear(slot) }
    return ValueEncoder(of: slot, in: encoder, step: key)
  }

  /// The place of a key's new value.
  private func newSlot(_ key: Key) -> UInt32 {
    let slot = encoder.session.tree.slot(forKey: key.stringValue, in: encoder.slot)
    encoder.session.tree.clear(slot)
    return slot
  }

  @inline(__always)
  private func put(_ key: Key, _ leaf: (inout LeafStore) -> UInt32) {
    encoder.session.tree.set(key.stringValue, in: encoder.slot, leaf)
  }
}

/// Encodes values one after the other into an array.
struct UnkeyedWriter: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  var count: Int { encoder.session.tree.count(of: encoder.slot) }

  func encodeNil() throws { put { $0.null() } }
  func encode(_ value: String) throws { put { $0.string(value).leaf } }
  func encode(_ value: Bool) throws { put { $0.boolean(value) } }
  func encode(_ value: Double) throws { put { $0.real(value) } }
  func encode(_ value: Float) throws { put { $0.real(value) } }
  func encode(_ value: Int) throws { put { $0.integer(Int64(value)) } }
  func encode(_ value: Int8) throws { put { $0.integer(Int64(value)) } }
  func encode(_ value: Int16) throws { put { $0.integer(Int64(value)) } }
  func encode(_ value: Int32) throws { put { $0.integer(Int64(value)) } }
  func encode(_ value: Int64) throws { put { $0.integer(value) } }
  func encode(_ value: Int128) throws { put { $0.wideInteger(value) } }
  func encode(_ value: UInt) throws { put { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt8) throws { put { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt16) throws { put { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt32) throws { put { $0.integer(UInt64(value)) } }
  func encode(_ value: UInt64) throws { put { $0.integer(value) } }
  func encode(_ value: UInt128) throws { try encode(value, .uint128) }

  func encode<Value: Encodable>(_ value: Value) throws {
    if let type = ScalarType(Value.self) { return try encode(value, type) }
    let inner = elementEncoder()
    do {
      try encoder.session.encode(value, to: inner)
    } catch {
      encoder.session.tree.remove(inner.slot, from: encoder.slot)
      throw error
    }
  }

  private func encode<Value>(_ value: Value, _ type: ScalarType) throws {
    guard encoder.session.tree.append(value, type, to: encoder.slot) else {
      throw ValueEncoder.tooLarge(value, at: codingPath + [CodingStep.index(count)])
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    elementEncoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    elementEncoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { elementEncoder() }

  private func elementEncoder() -> ValueEncoder {
    let step = CodingStep.index(count)
    let slot = encoder.session.tree.appendSlot(to: encoder.slot)
    return ValueEncoder(of: slot, in: encoder, step: step)
  }

  @inline(__always)
  private func put(_ leaf: (inout LeafStore) -> UInt32) {
    encoder.session.tree.append(to: encoder.slot, leaf)
  }
}

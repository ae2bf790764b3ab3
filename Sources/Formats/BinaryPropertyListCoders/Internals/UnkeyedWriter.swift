/// Encodes values one behind the other into an array.
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

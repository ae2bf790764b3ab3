extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { try put { $0.null() } }

  func encode(_ value: String) throws { try put { $0.string(value).leaf } }

  func encode(_ value: Bool) throws { try put { $0.boolean(value) } }

  func encode(_ value: Double) throws { try put { $0.real(value) } }

  func encode(_ value: Float) throws { try put { $0.real(value) } }

  func encode(_ value: Int) throws { try put { $0.integer(Int64(value)) } }

  func encode(_ value: Int8) throws { try put { $0.integer(Int64(value)) } }

  func encode(_ value: Int16) throws { try put { $0.integer(Int64(value)) } }

  func encode(_ value: Int32) throws { try put { $0.integer(Int64(value)) } }

  func encode(_ value: Int64) throws { try put { $0.integer(value) } }

  func encode(_ value: Int128) throws { try put { $0.wideInteger(value) } }

  func encode(_ value: UInt) throws { try put { $0.integer(UInt64(value)) } }

  func encode(_ value: UInt8) throws { try put { $0.integer(UInt64(value)) } }

  func encode(_ value: UInt16) throws { try put { $0.integer(UInt64(value)) } }

  func encode(_ value: UInt32) throws { try put { $0.integer(UInt64(value)) } }

  func encode(_ value: UInt64) throws { try put { $0.integer(value) } }

  func encode(_ value: UInt128) throws { try encode(value, .uint128) }

  func encode<Value: Encodable>(_ value: Value) throws {
    if let type = ScalarType(Value.self) { return try encode(value, type) }
    try checkEmpty()
    do {
      try session.encode(value, to: self)
    } catch {
      clear()
      throw error
    }
  }

  private func encode<Value>(_ value: Value, _ type: ScalarType) throws {
    try checkEmpty()
    guard session.tree.set(value, type, at: slot) else {
      throw Self.tooLarge(value, at: codingPath)
    }
  }

  @inline(__always)
  private func put(_ leaf: (inout LeafStore) -> UInt32) throws(EncodingError) {
    try checkEmpty()
    session.tree.set(at: slot, leaf)
  }

  @inline(__always)
  private func checkEmpty() throws(EncodingError) {
    guard session.tree[slot].content == .empty else { throw secondValue() }
  }

  @inline(never)
  private func secondValue() -> EncodingError {
    EncodingSession.error(
      Optional<Never>.none as Any, at: codingPath,
      "a second value was encoded where there is one")
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { isNull }

  func decode(_ type: String.Type) throws -> String {
    try session.text(existing(type)) { codingPath }
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    try session.boolean(existing(type)) { codingPath }
  }

  func decode(_ type: Double.Type) throws -> Double {
    try session.real(type, existing(type)) { codingPath }
  }

  func decode(_ type: Float.Type) throws -> Float {
    try session.real(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int.Type) throws -> Int {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int8.Type) throws -> Int8 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int16.Type) throws -> Int16 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int32.Type) throws -> Int32 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int64.Type) throws -> Int64 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: Int128.Type) throws -> Int128 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt.Type) throws -> UInt {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt8.Type) throws -> UInt8 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt16.Type) throws -> UInt16 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt32.Type) throws -> UInt32 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt64.Type) throws -> UInt64 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode(_ type: UInt128.Type) throws -> UInt128 {
    try session.integer(type, existing(type)) { codingPath }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let scalar = ScalarType(type) {
      return try session.scalar(type, scalar, existing(type)) { codingPath }
    }
    return try session.decode(type, from: self)
  }

  /// The object, when there is one.
  @inline(__always)
  private func existing(_ type: Any.Type) throws(DecodingError) -> Int {
    guard !isMissing else { throw session.noValue(type, path: codingPath) }
    return object
  }
}

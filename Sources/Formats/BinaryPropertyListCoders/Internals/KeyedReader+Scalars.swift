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

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

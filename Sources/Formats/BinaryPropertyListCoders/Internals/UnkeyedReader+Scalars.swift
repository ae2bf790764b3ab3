extension UnkeyedReader {
  mutating func decode(_ type: String.Type) throws -> String {
    try next(type) { session, object, path throws(DecodingError) in
      try session.text(object, path)
    }
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try next(type) { session, object, path throws(DecodingError) in
      try session.boolean(object, path)
    }
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    try next(type) { session, object, path throws(DecodingError) in
      try session.real(type, object, path)
    }
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    try next(type) { session, object, path throws(DecodingError) in
      try session.real(type, object, path)
    }
  }

  mutating func decode(_ type: Int.Type) throws -> Int {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }

  mutating func decode(_ type: Int8.Type) throws -> Int8 {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }

  mutating func decode(_ type: Int16.Type) throws -> Int16 {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }

  mutating func decode(_ type: Int32.Type) throws -> Int32 {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }

  mutating func decode(_ type: Int64.Type) throws -> Int64 {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }

  mutating func decode(_ type: UInt.Type) throws -> UInt {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }

  mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }

  mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }

  mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }

  mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try next(type) { session, object, path throws(DecodingError) in
      try session.integer(type, object, path)
    }
  }
}

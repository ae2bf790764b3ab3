import BinaryPropertyList

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DecodingSession {
  /// The value of an object for a scalar type, which must be the one named.
  func scalar<Value>(
    _ type: Value.Type, _ scalar: ScalarType, _ object: Int, _ path: () -> [any CodingKey]
  ) throws(DecodingError) -> Value {
    // The scalar type is the type asked for, so the bits are already those of the result.
    func same<Same>(_ value: Same) -> Value { unsafe unsafeBitCast(value, to: Value.self) }
    func some<Same>(_ value: Same?) throws(DecodingError) -> Value {
      guard let value else { throw missing(type, object, path) }
      return same(value)
    }
    switch scalar {
    case .string: return try some(string(object))
    case .boolean: return try some(table.boolean(object))
    case .double: return same(try real(Double.self, object, path))
    case .float: return same(try real(Float.self, object, path))
    case .date:
      return try some(table.date(object).map { Date(timeIntervalSinceReferenceDate: $0) })
    case .data: return try some(data(object))
    case .int: return same(try integer(Int.self, object, path))
    case .int8: return same(try integer(Int8.self, object, path))
    case .int16: return same(try integer(Int16.self, object, path))
    case .int32: return same(try integer(Int32.self, object, path))
    case .int64: return same(try integer(Int64.self, object, path))
    case .int128: return same(try integer(Int128.self, object, path))
    case .uint: return same(try integer(UInt.self, object, path))
    case .uint8: return same(try integer(UInt8.self, object, path))
    case .uint16: return same(try integer(UInt16.self, object, path))
    case .uint32: return same(try integer(UInt32.self, object, path))
    case .uint64: return same(try integer(UInt64.self, object, path))
    case .uint128: return same(try integer(UInt128.self, object, path))
    }
  }

  /// The text of an object.
  @inline(__always)
  func text(_ object: Int, _ path: () -> [any CodingKey]) throws(DecodingError) -> String {
    guard let value = string(object) else { throw missing(String.self, object, path) }
    return value
  }

  /// The truth value of an object.
  @inline(__always)
  func boolean(_ object: Int, _ path: () -> [any CodingKey]) throws(DecodingError) -> Bool {
    guard let value = table.boolean(object) else { throw missing(Bool.self, object, path) }
    return value
  }

  /// The integer of an object, which may also be a floating-point number with an integral value.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ object: Int, _ path: () -> [any CodingKey]
  ) throws(DecodingError) -> Integer {
    if let number = table.integer(object), let value = Integer(exactly: number) { return value }
    return try unusualInteger(type, object, path)
  }

  @inline(never)
  private func unusualInteger<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ object: Int, _ path: () -> [any CodingKey]
  ) throws(DecodingError) -> Integer {
    if let number = table.wideInteger(object) {
      guard let value = Integer(exactly: number) else { throw misfit("\(number)", type, path()) }
      return value
    }
    guard let number = table.real(object) ?? table.float(object).map(Double.init) else {
      throw missing(type, object, path)
    }
    guard let value = Integer(exactly: number) else { throw misfit("\(number)", type, path()) }
    return value
  }

  /// The floating-point number of an object, which may also be an integer and is rounded then.
  @inline(__always)
  func real<Real: BinaryFloatingPoint>(
    _ type: Real.Type, _ object: Int, _ path: () -> [any CodingKey]
  ) throws(DecodingError) -> Real {
    if let number = table.real(object) {
      // A NaN equals nothing, not even itself.
      guard let value = number.isNaN ? Real(number) : Real(exactly: number) else {
        throw misfit("\(number)", type, path())
      }
      return value
    }
    if let number = table.float(object) { return Real(number) }
    if let number = table.integer(object) { return Real(number) }
    guard let number = table.wideInteger(object) else { throw missing(type, object, path) }
    return Real(number)
  }
}

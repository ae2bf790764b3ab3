import BinaryPropertyList

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The types whose values are scalars, strings or data in a property list.
///
/// Mostly a type is known only at run time, as that of an array's elements. To recognise it by
/// comparing types takes a few nanoseconds, by a cast a hundred.
enum ScalarType {
  case string, boolean, double, float, date, data
  case int, int8, int16, int32, int64, int128
  case uint, uint8, uint16, uint32, uint64, uint128

  /// The scalar type of a type, the frequent ones first.
  init?(_ type: Any.Type) {
    switch ObjectIdentifier(type) {
    case ObjectIdentifier(String.self): self = .string
    case ObjectIdentifier(Int.self): self = .int
    case ObjectIdentifier(Bool.self): self = .boolean
    case ObjectIdentifier(Double.self): self = .double
    case ObjectIdentifier(Data.self): self = .data
    case ObjectIdentifier(Date.self): self = .date
    case ObjectIdentifier(UInt8.self): self = .uint8
    case ObjectIdentifier(UInt16.self): self = .uint16
    case ObjectIdentifier(UInt32.self): self = .uint32
    case ObjectIdentifier(UInt64.self): self = .uint64
    case ObjectIdentifier(UInt.self): self = .uint
    case ObjectIdentifier(Int8.self): self = .int8
    case ObjectIdentifier(Int16.self): self = .int16
    case ObjectIdentifier(Int32.self): self = .int32
    case ObjectIdentifier(Int64.self): self = .int64
    case ObjectIdentifier(Float.self): self = .float
    case ObjectIdentifier(Int128.self): self = .int128
    case ObjectIdentifier(UInt128.self): self = .uint128
    default: return nil
    }
  }
}

extension LeafStore {
  /// The leaf of a value of a scalar type, which must be the one named.
  ///
  /// - Returns: `nil` for an integer without an encoding.
  mutating func leaf<Value>(of value: Value, _ type: ScalarType) -> UInt32? {
    // The scalar type is the value's type, so the bits are already those of the result.
    func same<Same>(_: Same.Type) -> Same { unsafe unsafeBitCast(value, to: Same.self) }
    switch type {
    case .string: return string(same(String.self)).leaf
    case .boolean: return boolean(same(Bool.self))
    case .double: return real(same(Double.self))
    case .float: return real(same(Float.self))
    case .date: return date(same(Date.self))
    case .data: return data(same(Data.self))
    case .int: return integer(Int64(same(Int.self)))
    case .int8: return integer(Int64(same(Int8.self)))
    case .int16: return integer(Int64(same(Int16.self)))
    case .int32: return integer(Int64(same(Int32.self)))
    case .int64: return integer(same(Int64.self))
    case .int128: return wideInteger(same(Int128.self))
    case .uint: return integer(UInt64(same(UInt.self)))
    case .uint8: return integer(UInt64(same(UInt8.self)))
    case .uint16: return integer(UInt64(same(UInt16.self)))
    case .uint32: return integer(UInt64(same(UInt32.self)))
    case .uint64: return integer(same(UInt64.self))
    case .uint128: return Int128(exactly: same(UInt128.self)).map { wideInteger($0) }
    }
  }
}

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
}

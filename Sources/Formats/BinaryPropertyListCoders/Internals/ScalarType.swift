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

  init?(_ type: Any.Type) {
    if type == String.self {
      self = .string
    } else if type == Int.self {
      self = .int
    } else if type == Bool.self {
      self = .boolean
    } else if type == Double.self {
      self = .double
    } else if type == Data.self {
      self = .data
    } else if type == Date.self {
      self = .date
    } else if let number = Self(number: type) {
      self = number
    } else {
      return nil
    }
  }

  private init?(number type: Any.Type) {
    if type == UInt8.self {
      self = .uint8
    } else if type == UInt16.self {
      self = .uint16
    } else if type == UInt32.self {
      self = .uint32
    } else if type == UInt64.self {
      self = .uint64
    } else if type == UInt.self {
      self = .uint
    } else if type == Int8.self {
      self = .int8
    } else if type == Int16.self {
      self = .int16
    } else if type == Int32.self {
      self = .int32
    } else if type == Int64.self {
      self = .int64
    } else if type == Float.self {
      self = .float
    } else if type == Int128.self {
      self = .int128
    } else if type == UInt128.self {
      self = .uint128
    } else {
      return nil
    }
  }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

  /// The string that Foundation writes for a missing value.
  mutating func null() -> UInt32 { string("$null").leaf }

  mutating func boolean(_ value: Bool) -> UInt32 {
    leaf(bound: 1) { target, start in
      target.store(value ? 0x09 : 0x08, width: 1, at: start)
      return 1
    }.leaf
  }

  mutating func real(_ value: Double) -> UInt32 {
    scalar(0x23, value.bitPattern, width: 8)
  }

  mutating func real(_ value: Float) -> UInt32 {
    scalar(0x22, UInt64(value.bitPattern), width: 4)
  }

  private mutating func date(_ value: Date) -> UInt32 {
    scalar(0x33, value.timeIntervalSinceReferenceDate.bitPattern, width: 8)
  }

  private mutating func scalar(_ marker: UInt64, _ bits: UInt64, width: Int) -> UInt32 {
    leaf(bound: 9) { target, start in
      target.store(marker, width: 1, at: start)
      target.store(bits, width: width, at: start &+ 1)
      return 1 &+ width
    }.leaf
  }

  mutating func integer(_ value: Int64) -> UInt32 {
    leaf(bound: 9) { target, start in
      target.store(integer: UInt64(bitPattern: value), at: start)
    }.leaf
  }

  mutating func integer(_ value: UInt64) -> UInt32 {
    Int64(exactly: value).map { integer($0) } ?? wideInteger(Int128(value))
  }

  /// The leaf of an integer of any size.
  mutating func wideInteger(_ value: Int128) -> UInt32 {
    if let value = Int64(exactly: value) { return integer(value) }
    return leaf(bound: 17) { target, start in
      target.store(0x14, width: 1, at: start)
      target.store(UInt64(truncatingIfNeeded: value >> 64), width: 8, at: start + 1)
      target.store(UInt64(truncatingIfNeeded: value), width: 8, at: start + 9)
      return 17
    }.leaf
  }

  private mutating func data(_ value: Data) -> UInt32 {
    leaf(bound: value.count + 10) { target, start in
      let head = target.store(type: 0x40, count: value.count, at: start)
      target.copy(value.bytes, to: start + head)
      return head + value.count
    }.leaf
  }

  /// The text of a leaf that is a string.
  func text(of leaf: UInt32) -> String {
    let object = reading(leaf) { object in unsafe object.withUnsafeBytes { unsafe [UInt8]($0) } }
    guard let marker = object.first else { return "" }
    let isWide = marker >> 4 == 6
    var head = 1
    if marker & 0xf == 0xf { head = 2 + 1 << Int(object[1] & 0xf) }
    let content = object.dropFirst(head)
    guard isWide else { return String(decoding: content, as: UTF8.self) }
    let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
      UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }
}

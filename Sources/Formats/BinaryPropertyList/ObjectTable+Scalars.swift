extension ObjectTable {
  /// The value of a boolean object, or `nil` for another object.
  public func boolean(_ object: Int) -> Bool? {
    value(object, .boolean).map { $0 != 0 }
  }

  /// The value of an integer object that fits into 64 bits, or `nil` for another object.
  public func integer(_ object: Int) -> Int64? {
    value(object, .integer).map(Int64.init(bitPattern:))
  }

  /// The value of any integer object, or `nil` for another object.
  public func wideInteger(_ object: Int) -> Int128? {
    switch index.tape[object].kind {
    case .integer: integer(object).map { Int128($0) }
    case .wideInteger: bytes.reading { index.tape[object].wideValue(in: $0) }
    default: nil
    }
  }

  /// The value of a floating-point object of four bytes, or `nil` for another object.
  public func float(_ object: Int) -> Float? {
    value(object, .float).map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
  }

  /// The value of a floating-point object of eight bytes, or `nil` for another object.
  public func real(_ object: Int) -> Double? {
    value(object, .real).map(Double.init(bitPattern:))
  }

  /// The seconds since 2001-01-01T00:00:00Z of a date, or `nil` for another object.
  public func date(_ object: Int) -> Double? {
    value(object, .date).map(Double.init(bitPattern:))
  }

  /// The number in a UID, or `nil` for another object.
  public func uid(_ object: Int) -> UInt64? {
    value(object, .uid)
  }

  /// The place of a data object's bytes, or `nil` for another object.
  public func dataRange(_ object: Int) -> Range<Int>? {
    let entry = index.tape[object]
    guard entry.kind == .data else { return nil }
    return entry.contentRange
  }

  /// The bytes of a data object, or `nil` for another object.
  public func data(_ object: Int) -> [UInt8]? {
    dataRange(object).map { [UInt8](bytes[$0]) }
  }

  /// The place of a string's text, or `nil` for another object.
  public func stringRange(_ object: Int) -> StringRange? {
    index.tape[object].stringRange
  }

  /// The text of a string, or `nil` for another object.
  public func string(_ object: Int) -> String? {
    let entry = index.tape[object]
    return entry.isString ? bytes.reading { entry.string(in: $0) } : nil
  }

  private func value(_ object: Int, _ kind: TapeKind) -> UInt64? {
    let entry = index.tape[object]
    return entry.kind == kind ? entry.value : nil
  }
}

/// The place of a string's text in a property list's bytes.
public struct StringRange: Hashable, Sendable {
  /// The offset of the first byte of text.
  public let offset: Int
  /// How many units there are.
  public let unitCount: Int
  /// How the bytes are to be read.
  public let encoding: StringEncoding

  /// How many bytes there are.
  public var byteCount: Int { encoding == .utf16 ? 2 * unitCount : unitCount }

  /// Makes the string.
  ///
  /// - Parameter bytes: The bytes in which the range was found.
  /// - Throws: ``DecodingFailure`` for a lone surrogate, unless an option replaces it, and for
  ///   other bytes than those in which the range was found when the range lies outside them.
  public func string(
    in bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingFailure) -> String {
    guard offset <= bytes.byteCount, byteCount <= bytes.byteCount - offset else {
      throw DecodingFailure(.objectTruncated, at: offset)
    }
    switch encoding {
    case .narrow where offset + unitCount <= bytes.byteCount - 8:
      return bytes.isASCII(at: offset, count: unitCount)
        ? bytes.checkedASCIIString(at: offset, count: unitCount)
        : bytes.latin1String(at: offset, count: unitCount)
    case .ascii:
      return bytes.asciiString(at: offset, count: unitCount)
    case .narrow, .latin1:
      return bytes.latin1String(at: offset, count: unitCount)
    case .utf16:
      if !options.replacesLoneSurrogates,
        let lone = bytes.firstLoneSurrogate(at: offset, count: unitCount)
      {
        throw DecodingFailure(.loneSurrogate, at: lone)
      }
      return bytes.utf16String(at: offset, count: unitCount)
    }
  }
}

/// How the bytes of a string are to be read.
public enum StringEncoding: UInt8, Hashable, Sendable {
  /// A byte a unit, all below 0x80.
  case ascii
  /// A byte a unit, some of them 0x80 or more.
  ///
  /// The format means such strings to be ASCII; old versions of iTunes wrote them, and
  /// CoreFoundation reads them as Latin-1.
  case latin1
  /// Two bytes a unit, the higher first.
  case utf16
  /// A byte a unit, not checked yet: a lookup leaves the check to whoever makes the string, and so
  /// reads no byte of a text that nobody asks for.
  case narrow
}

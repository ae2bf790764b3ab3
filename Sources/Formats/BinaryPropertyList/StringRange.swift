/// Where the text of a string lies in a property list's bytes.
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
  /// - Parameter bytes: Those in which the range was found.
  /// - Throws: ``DecodingFailure`` for a lone surrogate, unless an option replaces it, and when
  ///   the bytes are others than those in which the range was found and do not hold it.
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

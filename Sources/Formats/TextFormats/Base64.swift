/// Base64 by RFC 4648, section 4, with padding.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func text(of bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the text of bytes.
  package static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe pairs.withUnsafeBufferPointer { pairs in
        text.append(addingCapacity: (bytes.count + 2) / 3 * 4) { target in
          unsafe target.withUnsafeMutableBufferPointer { target, written in
            written += unsafe write(bytes, pairs, to: UnsafeMutableRawBufferPointer(target))
          }
        }
      }
    }
  }

  /// - Parameters:
  ///   - pairs: 4096 of them.
  ///   - text: has room for four bytes for each three begun.
  /// - Returns: how many bytes were written.
  private static func write(
    _ bytes: UnsafeBufferPointer<UInt8>, _ pairs: UnsafeBufferPointer<UInt16>,
    to text: UnsafeMutableRawBufferPointer
  ) -> Int {
    let whole = bytes.count / 3
    for group in 0..<whole {
      let (first, second) = unsafe (Int(bytes[3 * group]), Int(bytes[3 * group + 1]))
      let bits = unsafe first << 16 | second << 8 | Int(bytes[3 * group + 2])
      let low = unsafe UInt32(pairs[bits & 4095])
      let four = unsafe low << 16 | UInt32(pairs[bits >> 12])
      unsafe text.storeBytes(
        of: four.littleEndian, toByteOffset: 4 * group, as: UInt32.self)
    }
    let rest = bytes.count - 3 * whole
    if rest == 0 { return 4 * whole }
    let bits = unsafe Int(bytes[3 * whole]) << 16 | (rest == 2 ? Int(bytes[3 * whole + 1]) << 8 : 0)
    let padding = UInt8(ascii: "=")
    unsafe text[4 * whole] = alphabet[bits >> 18]
    unsafe text[4 * whole + 1] = alphabet[bits >> 12 & 63]
    unsafe text[4 * whole + 2] = rest == 2 ? alphabet[bits >> 6 & 63] : padding
    unsafe text[4 * whole + 3] = padding
    return 4 * whole + 4
  }

  /// The two digits of 12 bits, the first in the low byte.
  private static let pairs: [UInt16] = (0..<4096).map { bits in
    UInt16(alphabet[bits & 63]) << 8 | UInt16(alphabet[bits >> 6])
  }

  /// The bytes of a text; `nil` if it is not canonical Base64, spaces and line ends included.
  package static func bytes(of text: some StringProtocol) -> [UInt8]? {
    bytes(of: Array(text.utf8)[...])
  }

  /// The bytes of a text in ASCII; `nil` as above.
  package static func bytes(of text: ArraySlice<UInt8>) -> [UInt8]? {
    unsafe text.withUnsafeBufferPointer { unsafe bytes(of: $0) }
  }

  /// The same for memory that stays as it is meanwhile.
  package static func bytes(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    let values = Self.values
    let plain = unsafe values.withUnsafeBufferPointer { values in
      unsafe appendGroups(of: text, values, to: &bytes)
    }
    var (bits, digits, padding) = (0, 0, 0)
    for position in plain..<text.count {
      let byte = unsafe text[position]
      let value = values[Int(byte)]
      guard value < wrong else {
        guard byte == UInt8(ascii: "=") else { return nil }
        padding += 1
        continue
      }
      guard padding == 0 else { return nil }
      bits = bits << 6 | Int(value) >> 2
      digits += 1
      if digits % 4 == 0 {
        bytes.append(UInt8(bits >> 16 & 0xff))
        bytes.append(UInt8(bits >> 8 & 0xff))
        bytes.append(UInt8(bits & 0xff))
        bits = 0
      }
    }
    switch (digits % 4, padding) {
    case (0, 0): break
    case (2, 2) where bits & 0xf == 0: bytes.append(UInt8(bits >> 4))
    case (3, 1) where bits & 0x3 == 0: bytes += [UInt8(bits >> 10), UInt8(bits >> 2 & 0xff)]
    default: return nil
    }
    return bytes
  }

  /// Appends the bytes of the pairs of groups of four digits that a text begins with.
  ///
  /// - Parameter values: of the digits at each of four places.
  /// - Returns: how many digits those groups have.
  private static func appendGroups(
    of text: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt32>,
    to bytes: inout [UInt8]
  ) -> Int {
    guard let source = unsafe UnsafeRawPointer(text.baseAddress) else { return 0 }
    var position = 0
    // What is stored is a word, of which six bytes count; two more may follow the groups.
    bytes.append(addingCapacity: text.count / 4 * 3 + 4) { target in
      unsafe target.withUnsafeMutableBufferPointer { target, written in
        let target = UnsafeMutableRawBufferPointer(target)
        while position + 8 <= text.count {
          let digits = unsafe UInt64(
            littleEndian: source.loadUnaligned(fromByteOffset: position, as: UInt64.self))
          let first = unsafe group(of: UInt32(truncatingIfNeeded: digits), values)
          let second = unsafe group(of: UInt32(truncatingIfNeeded: digits >> 32), values)
          if first | second >= wrong { break }
          unsafe target.storeBytes(
            of: (UInt64(second) << 24 | UInt64(first)).littleEndian, toByteOffset: written,
            as: UInt64.self)
          written += 6
          position += 8
        }
      }
    }
    return position
  }

  @inline(__always)
  private static func group(
    of digits: UInt32, _ values: UnsafeBufferPointer<UInt32>
  ) -> UInt32 {
    let digits = Int(digits)
    return unsafe values[digits & 0xff] | values[0x100 + (digits >> 8 & 0xff)]
      | values[0x200 + (digits >> 16 & 0xff)] | values[0x300 + (digits >> 24)]
  }

  /// In the place of the value of a byte that is no digit.
  private static let wrong: UInt32 = 1 << 24

  /// What each byte adds to a group as the first, second, third and fourth digit: to the three bytes that
  /// the group stands for, the first of them lowest.
  private static let values: [UInt32] = (0..<4).flatMap { place in
    var values = [UInt32](repeating: wrong, count: 256)
    for (value, digit) in alphabet.enumerated() {
      values[Int(digit)] = (UInt32(value) << (18 - 6 * place)).byteSwapped >> 8
    }
    return values
  }
}

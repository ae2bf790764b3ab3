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
    var bytes: [UInt8] = []
    let values = Self.digits
    let plain = unsafe text.withUnsafeBufferPointer { text in
      unsafe values.withUnsafeBufferPointer { values in
        unsafe appendGroups(of: text, values, to: &bytes)
      }
    }
    var (bits, digits, padding) = (0, 0, 0)
    for byte in text.dropFirst(plain) {
      let digit = Int(values[Int(byte)])
      guard digit < 64 else {
        guard byte == UInt8(ascii: "=") else { return nil }
        padding += 1
        continue
      }
      guard padding == 0 else { return nil }
      bits = bits << 6 | digit
      digits += 1
      if digits % 4 == 0 {
        bytes.append(UInt8(bits >> 16 & 0xff))
        bytes.append(UInt8(bits >> 8 & 0xff))
        bytes.append(UInt8(bits & 0xff))
        bits = 0
      }
    }
    switch (digits % 4, padding) {
    case (0, 0): return bytes
    case (2, 2) where bits & 0xf == 0: return bytes + [UInt8(bits >> 4)]
    case (3, 1) where bits & 0x3 == 0: return bytes + [UInt8(bits >> 10), UInt8(bits >> 2 & 0xff)]
    default: return nil
    }
  }

  /// Appends the bytes of the groups of four digits that a text begins with.
  ///
  /// - Parameter values: 256 of them.
  /// - Returns: how many digits those groups have.
  private static func appendGroups(
    of text: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>,
    to bytes: inout [UInt8]
  ) -> Int {
    var position = 0
    bytes.append(addingCapacity: text.count / 4 * 3) { target in
      unsafe target.withUnsafeMutableBufferPointer { target, written in
        while position + 4 <= text.count {
          let first = unsafe UInt32(values[Int(text[position])])
          let second = unsafe UInt32(values[Int(text[position + 1])])
          let third = unsafe UInt32(values[Int(text[position + 2])])
          let fourth = unsafe UInt32(values[Int(text[position + 3])])
          if (first | second | third | fourth) & 64 != 0 { break }
          let bits = first << 18 | second << 12 | third << 6 | fourth
          unsafe target[written] = UInt8(truncatingIfNeeded: bits >> 16)
          unsafe target[written + 1] = UInt8(truncatingIfNeeded: bits >> 8)
          unsafe target[written + 2] = UInt8(truncatingIfNeeded: bits)
          written += 3
          position += 4
        }
      }
    }
    return position
  }

  /// The value of each digit; 64 for other bytes.
  private static let digits: [UInt8] = {
    var digits = [UInt8](repeating: 64, count: 256)
    for (value, digit) in alphabet.enumerated() { digits[Int(digit)] = UInt8(value) }
    return digits
  }()
}

/// Base64 by RFC 4648, section 4, with padding.
public enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  public static func text(of bytes: ArraySlice<UInt8>) -> String {
    unsafe String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
      var (bits, waiting, written) = (0, 0, 0)
      for byte in bytes {
        bits = bits << 8 | Int(byte)
        waiting += 8
        while waiting >= 6 {
          waiting -= 6
          unsafe text[written] = alphabet[bits >> waiting & 63]
          written += 1
        }
        bits &= 63
      }
      if waiting > 0 {
        unsafe text[written] = alphabet[bits << (6 - waiting) & 63]
        written += 1
      }
      while written % 4 != 0 {
        unsafe text[written] = UInt8(ascii: "=")
        written += 1
      }
      return written
    }
  }

  /// The bytes of a text; `nil` where it is not canonical Base64, spaces and line ends included.
  public static func bytes(of text: some StringProtocol) -> [UInt8]? {
    bytes(of: Array(text.utf8)[...])
  }

  /// The bytes of a text in ASCII; `nil` as above.
  public static func bytes(of text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (bits, digits, padding) = (0, 0, 0)
    for byte in text {
      guard let digit = digit(byte) else {
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

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 0x41
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 0x61 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 0x30 + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

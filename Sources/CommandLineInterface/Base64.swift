/// Base64 by RFC 4648, section 4, with padding.
public enum Base64 {
  public static func text(of bytes: ArraySlice<UInt8>) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    var rest = bytes
    while !rest.isEmpty {
      let group = Array(rest.prefix(3))
      rest = rest.dropFirst(3)
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(
          place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; `nil` where it is not canonical Base64, spaces and line ends included.
  public static func bytes(of text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, digits, padding) = (0, 0, 0)
    for byte in text.utf8 {
      guard let digit = digit(byte) else {
        guard byte == UInt8(ascii: "=") else { return nil }
        padding += 1
        continue
      }
      guard padding == 0 else { return nil }
      bits = bits << 6 | digit
      digits += 1
      if digits % 4 == 0 {
        bytes += [UInt8(bits >> 16 & 0xff), UInt8(bits >> 8 & 0xff), UInt8(bits & 0xff)]
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

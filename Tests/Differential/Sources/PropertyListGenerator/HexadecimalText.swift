/// Two digits for each byte.
enum HexadecimalText {
  private static let digits = Array("0123456789abcdef".utf8)

  static func of(_ bytes: [UInt8]) -> String {
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xf)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// The digits of a number of so many bytes.
  static func of(_ number: UInt64, width: Int) -> String {
    of((0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) })
  }
}

/// Base64 by RFC 4648, section 4, with padding.
public enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  public static func text(of bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the text of bytes.
  public static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe alphabet.withUnsafeBufferPointer { alphabet in
        unsafe append(bytes, alphabet, to: &text)
      }
    }
  }

  private static func append(
    _ bytes: UnsafeBufferPointer<UInt8>, _ alphabet: UnsafeBufferPointer<UInt8>,
    to text: inout [UInt8]
  ) {
    let whole = bytes.count / 3 * 3
    // Pieces on the stack, so that the array grows seldom.
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: pieceCount) { piece in
      var written = 0
      for start in stride(from: 0, to: whole, by: 3) {
        let (first, second) = unsafe (Int(bytes[start]), Int(bytes[start + 1]))
        let bits = unsafe first << 16 | second << 8 | Int(bytes[start + 2])
        unsafe piece[written] = alphabet[bits >> 18]
        unsafe piece[written + 1] = alphabet[bits >> 12 & 63]
        unsafe piece[written + 2] = alphabet[bits >> 6 & 63]
        unsafe piece[written + 3] = alphabet[bits & 63]
        written += 4
        if written == pieceCount {
          unsafe text.append(contentsOf: UnsafeBufferPointer(piece))
          written = 0
        }
      }
      unsafe text.append(contentsOf: UnsafeBufferPointer(rebasing: piece[..<written]))
    }
    guard whole < bytes.count else { return }
    let hasTwo = bytes.count - whole == 2
    let bits = unsafe Int(bytes[whole]) << 8 | (hasTwo ? Int(bytes[whole + 1]) : 0)
    let padding = UInt8(ascii: "=")
    unsafe text.append(alphabet[bits >> 10])
    unsafe text.append(alphabet[bits >> 4 & 63])
    unsafe text.append(hasTwo ? alphabet[bits << 2 & 63] : padding)
    text.append(padding)
  }

  /// A multiple of 4.
  private static let pieceCount = 1024

  /// The bytes of a text; `nil` where it is not canonical Base64, spaces and line ends included.
  public static func bytes(of text: some StringProtocol) -> [UInt8]? {
    bytes(of: Array(text.utf8)[...])
  }

  /// The bytes of a text in ASCII; `nil` as above.
  public static func bytes(of text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    let values = Self.digits
    var (bits, digits, padding) = (0, 0, 0)
    for byte in text {
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

  /// The value of each digit; 64 for other bytes.
  private static let digits: [UInt8] = {
    var digits = [UInt8](repeating: 64, count: 256)
    for (value, digit) in alphabet.enumerated() { digits[Int(digit)] = UInt8(value) }
    return digits
  }()
}

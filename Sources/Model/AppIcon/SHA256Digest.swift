internal import CMD

/// The SHA-256 of some bytes, by FIPS 180-4.
public struct SHA256Digest: Hashable, Sendable {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// The corresponding C functions are SHA256Init and its kin of sha2(3).
  public init(of content: some Collection<UInt8>) {
    var state = SHA2_CTX()
    unsafe SHA256Init(&state)
    unsafe Array(content).withUnsafeBufferPointer { bytes in
      unsafe SHA256Update(&state, bytes.baseAddress, bytes.count)
    }
    let length = Int(SHA256_DIGEST_LENGTH)
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      unsafe SHA256Final(buffer.baseAddress, &state)
      count = length
    }
  }

  /// Reads what `hexadecimal` gives; `nil` for anything else.
  public init?(hexadecimal text: some StringProtocol) {
    let digits = Array(text.utf8)
    bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
    // The way back finds signs, capitals and an odd digit at the end.
    guard bytes.count == Int(SHA256_DIGEST_LENGTH), hexadecimal.utf8.elementsEqual(digits) else {
      return nil
    }
  }

  /// 64 digits in lower case.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

internal import CMD

/// The SHA-256 of some bytes, by FIPS 180-4.
public struct SHA256Digest: Hashable, Sendable {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// The corresponding C functions are SHA256Init and its kin of sha2(3).
  public init(of content: some Collection<UInt8>) {
    var state = SHA2_CTX()
    unsafe SHA256Init(&state)
    _ =
      content.withContiguousStorageIfAvailable { bytes in
        unsafe SHA256Update(&state, bytes.baseAddress, bytes.count)
      } ?? Self.add(Array(content), to: &state)
    let length = Int(SHA256_DIGEST_LENGTH)
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      unsafe SHA256Final(buffer.baseAddress, &state)
      count = length
    }
  }

  private static func add(_ content: [UInt8], to state: inout SHA2_CTX) {
    unsafe content.withUnsafeBufferPointer { bytes in
      unsafe SHA256Update(&state, bytes.baseAddress, bytes.count)
    }
  }

  /// Reads what `hexadecimal` gives; `nil` for anything else.
  public init?(hexadecimal text: some StringProtocol) {
    var bytes: [UInt8] = []
    var half: UInt8?
    for digit in text.utf8 {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let high = half {
        bytes.append(high << 4 | value)
        half = nil
      } else {
        half = value
      }
    }
    guard half == nil, bytes.count == Int(SHA256_DIGEST_LENGTH) else { return nil }
    self.bytes = bytes
  }

  /// 64 digits in lower case.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

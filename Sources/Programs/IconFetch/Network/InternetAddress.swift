internal import Glibc

/// An IPv4 or IPv6 address.
public enum InternetAddress: Hashable, Sendable {
  case v4(UInt32)
  case v6(UInt128)

  /// Reads four decimal numbers, or the text of RFC 4291, section 2.2; `nil` for all else.
  ///
  /// The corresponding C function is inet_pton(3).
  public init?(_ text: String) {
    var bytes: [UInt8] = Array(repeating: 0, count: 16)
    if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
      self = .v4(bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
      self = .v6(Self.number(bytes))
    } else {
      return nil
    }
  }

  /// The address in a socket address; `nil` for other families and for one cut short.
  ///
  /// - Parameter bytes: a `sockaddr_in` or `sockaddr_in6`. A scope is left out.
  init?(socketAddress bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
    switch unsafe CInt(bytes.loadUnaligned(as: sa_family_t.self)) {
    case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
      let address = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
      self = .v4(UInt32(bigEndian: address.sin_addr.s_addr))
    case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
      var address = unsafe bytes.loadUnaligned(as: sockaddr_in6.self)
      self = unsafe .v6(withUnsafeBytes(of: &address.sin6_addr) { unsafe Self.number($0) })
    default: return nil
    }
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> UInt128 {
    bytes.reduce(0) { $0 << 8 | UInt128($1) }
  }
}

extension InternetAddress: CustomStringConvertible {
  /// Four decimal numbers, or the text of RFC 5952.
  ///
  /// The corresponding C function is inet_ntop(3).
  public var description: String {
    let (family, bytes): (CInt, [UInt8]) =
      switch self {
      case .v4(let number): (AF_INET, Self.bytes(of: number))
      case .v6(let number): (AF_INET6, Self.bytes(of: number))
      }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let size = socklen_t(text.count)
    guard unsafe inet_ntop(family, bytes, &text, size) != nil else { return "an address" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    stride(from: number.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: number >> $0)
    }
  }
}

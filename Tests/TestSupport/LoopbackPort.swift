import Glibc

/// A TCP port of 127.0.0.1.
package struct LoopbackPort {
  package let number: UInt16

  package init(_ number: UInt16) { self.number = number }

  /// One that nobody listens on at the moment.
  package static func free() -> LoopbackPort {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    _ = call(descriptor, 0, bind)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return LoopbackPort(UInt16(bigEndian: address.sin_port))
  }

  /// Whether somebody listens.
  package var isOpen: Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    return Self.call(descriptor, number, connect) == 0
  }

  private static func call(
    _ descriptor: CInt, _ port: UInt16,
    _ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

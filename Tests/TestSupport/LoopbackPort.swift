import Glibc
import Synchronization

/// A TCP port of 127.0.0.1.
package struct LoopbackPort {
  package let number: UInt16

  package init(_ number: UInt16) { self.number = number }

  /// The next port to try: below those that the kernel gives to connections, which would take one
  /// between its being found and a server's listening there.
  private static let next = Mutex(UInt16(20000 + getpid() % 12000))

  /// One that nobody listens on, and that no other test of this process is given.
  package static func free() -> LoopbackPort {
    next.withLock { next in
      while true {
        next = next < 32000 ? next + 1 : 20000
        let descriptor = socket()
        defer { close(descriptor) }
        if call(descriptor, next, bind) == 0 { return LoopbackPort(next) }
      }
    }
  }

  /// Whether somebody listens.
  package var isOpen: Bool {
    let descriptor = Self.socket()
    defer { close(descriptor) }
    return Self.call(descriptor, number, connect) == 0
  }

  /// Programs that other tests start must not keep it.
  private static func socket() -> CInt {
    Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
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

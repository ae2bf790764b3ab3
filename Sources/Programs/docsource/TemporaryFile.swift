import Glibc
import LinuxSystem

/// A file without a name, gone when its descriptor is closed.
enum TemporaryFile {
  /// There is no room for it, or no /tmp.
  struct Failure: Error, CustomStringConvertible {
    let errno: Errno

    var description: String { "no temporary file in /tmp: \(errno)" }
  }

  /// The corresponding C function is mkstemp(3).
  static func open() throws(Failure) -> CInt {
    var template = Array("/tmp/docsource-XXXXXX\0".utf8)
    let descriptor = unsafe template.withUnsafeMutableBytes { bytes in
      guard let path = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return CInt(-1)
      }
      let descriptor = unsafe mkstemp(path)
      if descriptor >= 0 {
        unsafe unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      }
      return descriptor
    }
    guard descriptor >= 0 else { throw Failure(errno: .current) }
    return descriptor
  }
}

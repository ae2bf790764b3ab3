internal import LinuxSystem

/// Reads a value of unknown size whole, however often it grows meanwhile.
///
/// The call is a parameter so that the growing can be tested without a race.
enum WholeValue {
  /// Most values, ours among them, fit; one system call then does.
  static let firstTry = 1024
  /// No value or list is longer on Linux (`XATTR_SIZE_MAX`, `XATTR_LIST_MAX` of linux/limits.h).
  static let limit = 65536
  /// How often a value may outgrow a fresh buffer before that is an error: only a file system
  /// that disregards the limit could do it once.
  static let rounds = 8

  /// - Parameter call: fills the buffer and returns the count, or a negated errno; asked with an
  ///   empty buffer it returns the size.
  static func read(
    _ call: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(Errno) -> [UInt8] {
    var value: [UInt8] = []
    try unsafe withValue({ unsafe value = [UInt8]($0) }, call)
    return value
  }

  /// Calls `body` with the value, which `call` gives as for `read`.
  static func withValue(
    _ body: (UnsafeRawBufferPointer) -> Void, _ call: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(Errno) {
    let result = unsafe tryOnce(body, call: call)
    if result >= 0 { return }
    guard result == -Int(Errno.outOfRange.rawValue) else { throw Errno(rawValue: CInt(-result)) }
    unsafe try readLarge(call).withUnsafeBytes(body)
  }

  /// Calls `body` with the value where it has the usual size.
  ///
  /// - Returns: what `call` returned.
  @inline(__always)
  static func tryOnce(
    _ body: (UnsafeRawBufferPointer) -> Void, call: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Int {
    unsafe withUnsafeTemporaryAllocation(byteCount: firstTry, alignment: 16) { buffer in
      let result = unsafe call(buffer)
      if result >= 0 { unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<result])) }
      return result
    }
  }

  private static func readLarge(
    _ call: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(Errno) -> [UInt8] {
    var capacity = limit
    for _ in 0..<rounds {
      var result = 0
      let value = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        result = unsafe call(UnsafeMutableRawBufferPointer(buffer))
        count = max(result, 0)
      }
      if result >= 0 { return value }
      guard result == -Int(Errno.outOfRange.rawValue) else {
        throw Errno(rawValue: CInt(-result))
      }
      let size = unsafe call(UnsafeMutableRawBufferPointer(start: nil, count: 0))
      guard size >= 0 else { throw Errno(rawValue: CInt(-size)) }
      capacity = max(size, capacity) * 2
    }
    throw .outOfRange
  }
}

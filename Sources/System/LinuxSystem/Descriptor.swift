internal import Glibc

/// Reading and writing all of an open file, whatever interrupts.
package enum Descriptor {
  /// Writes all bytes. Retries EINTR and short writes.
  ///
  /// The corresponding C function is write(2).
  package static func write(_ bytes: [UInt8], to descriptor: CInt) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { rest in
        unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw .current
      }
    }
  }

  /// Reads to the end; `nil` where there is more than `limit` bytes.
  ///
  /// The corresponding C function is read(2).
  package static func read(_ descriptor: CInt, limit: Int) throws(Errno) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let block = try readBlock(descriptor)
      if block.isEmpty { return bytes }
      bytes += block
      guard bytes.count <= limit else { return nil }
    }
  }

  /// Reads what there is, 64 KiB at most; nothing at the end. Retries EINTR.
  ///
  /// The corresponding C function is read(2).
  package static func readBlock(_ descriptor: CInt) throws(Errno) -> [UInt8] {
    while true {
      var count = 0
      let block = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
        count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        filled = max(0, count)
      }
      if count >= 0 { return block }
      let errno = Errno.current
      guard errno.rawValue == EINTR else { throw errno }
    }
  }
}

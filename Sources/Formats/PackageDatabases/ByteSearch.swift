internal import CLinux
internal import Glibc

/// Searching in bytes of any length, as fast as memory is read.
package enum ByteSearch {
  /// Where others first begin at an index or after it; `nil` if nowhere.
  ///
  /// The corresponding C function is memmem(3).
  package static func first(
    _ wanted: [UInt8], in bytes: ArraySlice<UInt8>, from start: Int? = nil
  ) -> Int? {
    let start = start ?? bytes.startIndex
    guard bytes.startIndex...bytes.endIndex ~= start else { return nil }
    let found = unsafe bytes[start...].withUnsafeBytes { rest in
      unsafe wanted.withUnsafeBytes { wanted in
        guard let base = rest.baseAddress, let first = wanted.baseAddress else { return -1 }
        return unsafe clinux_memory_find(base, rest.count, first, wanted.count)
      }
    }
    return found < 0 ? nil : start + found
  }

  /// Whether one of the lines is a text; `false` for one with a line feed, and for an empty one.
  package static func hasLine(_ line: [UInt8], in bytes: ArraySlice<UInt8>) -> Bool {
    guard !line.isEmpty, !line.contains(0x0a) else { return false }
    var start = bytes.startIndex
    while let found = first(line, in: bytes, from: start) {
      let end = found + line.count
      let begins = found == bytes.startIndex || bytes[found - 1] == 0x0a
      if begins, end == bytes.endIndex || bytes[end] == 0x0a { return true }
      start = found + 1
    }
    return false
  }

  /// Hands over the lines one after the other, without their line feeds, while the function returns true;
  /// the bytes after the last line feed are a line, unless there are none.
  package static func forEachLine(
    in bytes: ArraySlice<UInt8>, _ body: (ArraySlice<UInt8>) -> Bool
  ) {
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let count = unsafe bytes[start...].withUnsafeBytes { rest -> Int in
        guard let base = rest.baseAddress, let found = unsafe memchr(base, 0x0a, rest.count) else {
          return rest.count
        }
        return unsafe UnsafeRawPointer(found) - base
      }
      guard body(bytes[start..<start + count]) else { return }
      start += count + 1
    }
  }
}

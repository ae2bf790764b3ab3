internal import Glibc

/// A path, or a part of one, as a key: the bytes of an array are hashed and compared one after the other,
/// these all at once.
package struct PathBytes: Hashable, Sendable {
  package let bytes: ArraySlice<UInt8>

  package init(_ path: [UInt8]) { bytes = path[...] }

  package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  package func hash(into hasher: inout Hasher) {
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  package static func == (one: PathBytes, other: PathBytes) -> Bool {
    unsafe one.bytes.withUnsafeBytes { one in
      unsafe other.bytes.withUnsafeBytes { unsafe one.hasSameBytes(as: $0) }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The corresponding C function is memcmp(3).
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let second = other.baseAddress else { return true }
    return unsafe memcmp(start, second, count) == 0
  }
}

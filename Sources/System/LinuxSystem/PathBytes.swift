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
    guard one.bytes.count == other.bytes.count else { return false }
    return unsafe one.bytes.withUnsafeBytes { one in
      unsafe other.bytes.withUnsafeBytes { other in
        guard let start = one.baseAddress, let second = other.baseAddress else { return true }
        return unsafe memcmp(start, second, one.count) == 0
      }
    }
  }
}

internal import Glibc

/// Names of files that are being written, each used once.
package enum TemporaryName {
  private static let prefix = ".tmp-"

  package static func make() -> String {
    prefix + String(getpid()) + "-" + String(UInt64.random(in: 0 ... .max), radix: 16)
  }

  /// Whether a name is one of these, and not merely like them: whoever cleans up removes the file.
  package static func matches(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.starts(with: prefix.utf8) else { return false }
    let parts = name.dropFirst(prefix.utf8.count)
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.count == 2
      && zip(parts, [10, 16]).allSatisfy { part, radix in
        1...16 ~= part.count
          && UInt64(String(decoding: part, as: UTF8.self), radix: radix) != nil
      }
  }
}

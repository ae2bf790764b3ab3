internal import Glibc

/// Names of files that are being written, each used once.
package enum TemporaryName {
  private static let prefix = ".tmp-"

  package static func make() -> String {
    prefix + String(getpid()) + "-" + String(UInt64.random(in: 0 ... .max), radix: 16)
  }

  package static func matches(_ name: ArraySlice<UInt8>) -> Bool { name.starts(with: prefix.utf8) }
}

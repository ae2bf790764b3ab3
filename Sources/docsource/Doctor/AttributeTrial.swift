import CFileStatus
import DocumentSource
import Glibc
import Xattr

/// Tries on a file without a name how much room the attribute has.
enum AttributeTrial {
  enum Result: Hashable {
    /// A value of so many bytes can be stored, and no larger one.
    case room(Int)
    case unsupported
    case full
    /// No such file can be made there, or it may not be written.
    case impossible
  }

  /// The longest value on Linux, `XATTR_SIZE_MAX` of linux/limits.h.
  private static let limit = 65536

  /// Nothing that has a name changes: a file is made with O_TMPFILE and is gone when it is closed.
  /// The other user attributes of `file` are put on it first, as some file systems have one place
  /// for all.
  static func run(in directory: FilePath, like file: ExtendedAttributes) -> Result {
    let descriptor = unsafe directory.withCString { unsafe cfilestatus_unnamed($0) }
    guard descriptor >= 0 else { return .impossible }
    defer { close(descriptor) }
    let trial = ExtendedAttributes(of: .descriptor(descriptor, path: directory))
    for name in (try? file.names()) ?? [] where name != Carrier.nativeName {
      guard name.bytes.starts(with: "user.".utf8), let value = try? file.value(of: name) else {
        continue
      }
      try? trial.setValue(value, of: name)
    }
    return run(on: trial)
  }

  /// A binary search: file systems do not tell their limits.
  private static func run(on trial: ExtendedAttributes) -> Result {
    switch set(1, on: trial) {
    case nil: break
    case .notSupported: return .unsupported
    case .noSpace, .quotaExceeded: return .full
    default: return .impossible
    }
    if set(limit, on: trial) == nil { return .room(limit) }
    var (fits, exceeds) = (1, limit)
    while exceeds - fits > 1 {
      let middle = (fits + exceeds) / 2
      if set(middle, on: trial) == nil { fits = middle } else { exceeds = middle }
    }
    return .room(fits)
  }

  /// The last value goes first: btrfs has room for fewer bytes where it makes an old value longer.
  private static func set(_ count: Int, on trial: ExtendedAttributes) -> Errno? {
    do throws(XattrError) {
      try trial.removeValue(of: Carrier.nativeName)
      try trial.setValue([UInt8](repeating: 0x61, count: count), of: Carrier.nativeName)
      return nil
    } catch {
      return error.errno
    }
  }
}

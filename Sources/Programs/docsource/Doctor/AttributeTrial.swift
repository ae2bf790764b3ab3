import CLinux
import DocumentSource
import Glibc
import LinuxSystem
import Xattr

/// Tries on a file without a name how much room the attribute has.
enum AttributeTrial {
  enum Result: Hashable {
    /// A value of so many bytes can be stored, and no larger one.
    case room(Int)
    case unsupported
    case full
    /// There is no room for another file; there may be for the attribute.
    case noFile
    /// No such file can be made there or written, or what it has room for tells nothing.
    case impossible
  }

  /// The longest value on Linux, `XATTR_SIZE_MAX` of linux/limits.h.
  private static let limit = 65536
  /// The shortest value with a source: a name of one letter.
  private static let least = 53

  /// Nothing that has a name changes: a file is made with O_TMPFILE and is gone when it is closed.
  /// The other attributes of `file` are put on it first, as some file systems have one place for all.
  static func run(in directory: FilePath, like file: ExtendedAttributes?) -> Result {
    let descriptor = unsafe directory.withCString { unsafe clinux_file_unnamed(AT_FDCWD, $0) }
    guard descriptor >= 0 else {
      let isFull = [.noSpace, .quotaExceeded].contains(Errno(rawValue: -descriptor))
      return isFull ? .noFile : .impossible
    }
    defer { close(descriptor) }
    let trial = ExtendedAttributes(of: .descriptor(descriptor, path: directory))
    guard let file else { return run(on: trial) }
    guard let copied = copyOthers(of: file, to: trial) else { return .impossible }
    // An access control list may have taken that away.
    fchmod(descriptor, 0o600)
    let result = run(on: trial)
    // On a full disk the trial shares the file's block where there is one, and may not write into
    // it as the file may.
    let isUnclear = result == .full && copied > 0 && run(in: directory, like: nil) == .full
    return isUnclear ? .impossible : result
  }

  /// - Returns: the bytes that it has of the file's now; `nil` where user attributes are missing.
  ///   Others, as lists of access control and labels, are not everybody's to set.
  private static func copyOthers(
    of file: ExtendedAttributes, to trial: ExtendedAttributes
  ) -> Int? {
    var total = 0
    // Where there is more than this, there is no one place for all.
    for name in (try? file.names()) ?? [] where name != Carrier.nativeName && total <= limit {
      do throws(XattrError) {
        guard let value = try file.value(of: name) else { continue }
        total += value.count
        try trial.setValue(value, of: name)
      } catch {
        if name.bytes.starts(with: "user.".utf8) { return nil }
      }
    }
    return total
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
    return fits < least ? .full : .room(fits)
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

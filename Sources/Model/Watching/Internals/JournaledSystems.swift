internal import CLinux
internal import Glibc

/// The file systems of which a journal reports anything.
///
/// The keys of files begin with a number that whoever makes a file system can choose. Of file systems with the same
/// number nothing is known, nor of what happened before one took the place of another.
final class JournaledSystems {
  private struct Known {
    let number: UInt64
    /// `nil` if several have the number.
    var device: UInt64?
  }

  private static let limit = 1024

  private var known: [Known] = []
  /// Those of the mounts before.
  private var former: [Known] = []
  private var hasChanged = false

  /// Says that mounts have changed: those that are included from now on are all.
  func mountsChanged() {
    former.removeAll { old in known.contains { $0.number == old.number } }
    former += known
    if former.count > Self.limit { (former, hasChanged) = ([], true) }
    known = []
  }

  /// Includes the file system of an open file, one of O_PATH included.
  ///
  /// - Returns: whether it is known now.
  @discardableResult
  func include(_ file: CInt) -> Bool {
    var (number, device): (UInt64, UInt64) = (0, 0)
    guard unsafe clinux_system_identity(file, &number, &device) == 0 else { return false }
    if let index = known.firstIndex(where: { $0.number == number }) {
      guard known[index].device != device else { return true }
      known[index].device = nil
      hasChanged = true
      return false
    }
    if former.contains(where: { $0.number == number && $0.device != device }) { hasChanged = true }
    known.append(Known(number: number, device: device))
    return true
  }

  /// Whether what is known of files must be forgotten; `false` when it is asked again.
  func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  /// The file system and the key of an open file, one of O_PATH included; `nil` if that may be another file's.
  func key(of file: CInt) -> (system: clinux_system, key: FileKey)? {
    var handle = clinux_handle()
    guard unsafe clinux_file_handle(file, &handle) == 0 else { return nil }
    return key(of: file, handle)
  }

  /// The same of a file whose handle is known.
  func key(of file: CInt, _ handle: clinux_handle) -> (system: clinux_system, key: FileKey)? {
    var system = clinux_system()
    guard unsafe clinux_system_of(file, &system) == 0, let key = FileKey(handle, on: system),
      known.contains(where: { $0.number == key.system && $0.device != nil })
    else { return nil }
    return (system, key)
  }
}

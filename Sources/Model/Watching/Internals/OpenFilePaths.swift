internal import CLinux
internal import FileTree
internal import Glibc
internal import LinuxSystem

/// Finds out where open files are.
///
/// The kernel tells by which name a file was opened, in the tree of mounts in which it was. That is
/// mostly the one that all users see: of each mount it is tried out. In the tree of a container the
/// same path is another file's.
final class OpenFilePaths {
  /// What the kernel writes behind a name that the file does not have any more, or never had.
  private static let deleted = Array(" (deleted)".utf8)
  private static let slash = UInt8(ascii: "/")
  /// Mounts come and go, and others get their numbers. In milliseconds.
  private static let age = 5000
  /// A directory with more entries is not searched through.
  private static let entryLimit = 10_000

  /// The directory of this process's open files: to begin there is faster.
  private let files = unsafe open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  /// Those whose files have here the paths that the kernel tells.
  private var mounts: Set<UInt64> = []
  private var end = 0

  deinit { if files >= 0 { close(files) } }

  /// The path that leads to a file; `nil` where there is none.
  ///
  /// It is tried with this process's rights: users may have more than we know, by their groups. All
  /// that is asked of what is there is which file it is.
  func path(of file: CInt, _ status: clinux_status) -> [UInt8]? {
    let told = told(of: file)
    guard told.first == Self.slash else { return nil }
    let mayBeGone = told.suffix(Self.deleted.count).elementsEqual(Self.deleted)
    if !mayBeGone, isTried(status.mount) { return told }
    if Self.leads(told, to: status) {
      mounts.insert(status.mount)
      return told
    }
    if mayBeGone { return Self.anotherName(of: status, besides: told) }
    // It may have been renamed just now.
    let again = self.told(of: file)
    return again != told && Self.leads(again, to: status) ? again : nil
  }

  /// Whether a path is what the kernel tells of a file.
  func isTold(_ path: [UInt8], of file: CInt) -> Bool {
    unsafe withTold(of: file) { unsafe path.elementsEqual($0) }
  }

  private func isTried(_ mount: UInt64) -> Bool {
    let now = Clock.milliseconds
    if now >= end {
      mounts.removeAll(keepingCapacity: true)
      end = now + Self.age
    }
    return mounts.contains(mount)
  }

  private func told(of file: CInt) -> [UInt8] { unsafe withTold(of: file) { unsafe Array($0) } }

  /// Calls `body` with the path that the kernel has for a file. The corresponding C function is
  /// readlink(2).
  private func withTold<Result>(of file: CInt, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
  {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else {
        return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
      }
      let count = unsafe withDigits(of: file) {
        unsafe readlinkat(files, $0, start, buffer.count)
      }
      return unsafe body(UnsafeRawBufferPointer(start: start, count: max(0, count)))
    }
  }

  /// Calls `body` with a number as a C string.
  private func withDigits<Result>(
    of number: CInt, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    let length = 12
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: length) { digits in
      var first = length - 1
      unsafe digits[first] = 0
      var rest = number
      repeat {
        first -= 1
        unsafe digits[first] = CChar(UInt8(ascii: "0")) + CChar(rest % 10)
        rest /= 10
      } while rest > 0
      guard let start = unsafe UnsafePointer(digits.baseAddress) else {
        preconditionFailure("a number has digits")
      }
      return unsafe body(start + first)
    }
  }

  private static func leads(_ path: [UInt8], to file: clinux_status) -> Bool {
    guard let path = FilePath(bytes: path) else { return false }
    let there = unsafe path.withCString { unsafe clinux_file_touch(AT_FDCWD, $0, 1) }
    guard there >= 0 else { return false }
    defer { close(there) }
    var status = clinux_status()
    return unsafe clinux_file_stat(there, &status) == 0 && status.inode == file.inode
      && status.device_major == file.device_major && status.device_minor == file.device_minor
  }

  /// A name that a file has got since it was opened, in the same directory: programs that write a
  /// file without a name give it one there, and editors keep what was there by another.
  private static func anotherName(of file: clinux_status, besides told: [UInt8]) -> [UInt8]? {
    guard let slash = told.lastIndex(of: slash),
      let directory = FilePath(bytes: slash == 0 ? [Self.slash] : Array(told[..<slash]))
    else { return nil }
    do throws(TreeFailure) {
      let listing = try OpenDirectory(AT_FDCWD, directory, path: directory, flags: 0)
      defer { listing.close() }
      for _ in 0..<entryLimit {
        guard let entry = try listing.next() else { return nil }
        guard entry.inode == file.inode else { continue }
        let path = Array(told[...slash]) + entry.name.bytes
        if leads(path, to: file) { return path }
      }
    } catch {
      return nil
    }
    return nil
  }
}

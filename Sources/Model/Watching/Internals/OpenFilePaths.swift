internal import CLinux
internal import FileTree
internal import Glibc
internal import LinuxSystem

/// Finds the paths of open files.
///
/// The kernel tells the path by which a file was opened, in the opener's tree of mounts. Mostly
/// that is the tree that all users see, which is tried out once for each mount. In the tree of a
/// container the same path may lead to another file.
final class OpenFilePaths {
  private static let slash = UInt8(ascii: "/")
  /// How long a mount is trusted, in milliseconds: its number may be given to another mount.
  private static let age = 5000
  /// A directory with more entries is searched no further.
  private static let entryLimit = 10_000

  /// The directory of this process's open files: looking names up from there is faster.
  private let files = unsafe open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  /// The mounts for which the kernel's paths were found to lead to the files here, too.
  private var mounts: Set<UInt64> = []
  /// The one of these that was asked for last.
  private var lastMount: UInt64?
  private var end = 0
  private let barrier: (_ path: [UInt8]) -> Bool

  /// - Parameter barrier: whether a path must not be followed, since nobody may answer there.
  init(barrier: @escaping (_ path: [UInt8]) -> Bool = { _ in false }) { self.barrier = barrier }

  deinit { if files >= 0 { close(files) } }

  /// Whether a path must not be followed.
  func isBarred(_ path: [UInt8]) -> Bool { barrier(path) }

  /// The path that leads to an open file; `nil` if none is found.
  ///
  /// Paths are tried with this process's rights, since users may have more rights than is known
  /// here, by their groups. All that is asked of the file at a path is which file it is.
  func path(of file: CInt, _ status: clinux_status) -> [UInt8]? {
    let reported = reportedPath(of: file)
    guard reported.first == Self.slash else { return nil }
    let mayBeGone = reported[...].withoutDeletion.count < reported.count
    if !mayBeGone, isTried(status.mount) { return reported }
    if leads(reported, to: status) {
      mounts.insert(status.mount)
      return reported
    }
    if mayBeGone { return anotherName(of: status, besides: reported) }
    // The file may have been renamed just now.
    let again = reportedPath(of: file)
    return again != reported && leads(again, to: status) ? again : nil
  }

  /// The last path of a deleted file; `nil` unless that is in a directory of the file's file system.
  func lastPath(of file: CInt, _ status: clinux_status) -> [UInt8]? {
    let reported = reportedPath(of: file)
    let path = Array(reported[...].withoutDeletion)
    guard path.count < reported.count, path.first == Self.slash, !barrier(path),
      let directory = Self.directory(of: path), let place = self.status(at: directory.bytes)
    else { return nil }
    return place.device_major == status.device_major && place.device_minor == status.device_minor
      ? path : nil
  }

  /// Whether a path is the one that the kernel tells for an open file.
  func isReported(_ path: [UInt8], of file: CInt) -> Bool {
    unsafe withReportedPath(of: file) { unsafe path.elementsEqual($0) }
  }

  private func isTried(_ mount: UInt64) -> Bool {
    let now = Clock.milliseconds
    if now >= end {
      mounts.removeAll(keepingCapacity: true)
      lastMount = nil
      end = now + Self.age
    }
    if mount == lastMount { return true }
    guard mounts.contains(mount) else { return false }
    lastMount = mount
    return true
  }

  /// The path that the kernel tells for an open file, in the tree of mounts in which it was opened.
  func reportedPath(of file: CInt) -> [UInt8] {
    unsafe withReportedPath(of: file) { unsafe Array($0) }
  }

  /// Calls `body` with the path that the kernel tells for a file.
  ///
  /// The corresponding C function is readlinkat(2).
  private func withReportedPath<Result>(
    of file: CInt, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    // More would not be on the stack.
    let short = 1000
    let result: Result? = unsafe withReportedPath(of: file, room: short) { path in
      path.count < short ? unsafe body(path) : nil
    }
    return unsafe result ?? withReportedPath(of: file, room: Int(PATH_MAX), body)
  }

  private func withReportedPath<Result>(
    of file: CInt, room: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: room) { buffer in
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

  private func leads(_ path: [UInt8], to file: clinux_status) -> Bool {
    status(at: path).map(FileIdentity.init) == FileIdentity(file)
  }

  /// What is at a path; `nil` if nothing is, or if the path must not be followed.
  private func status(at path: some Collection<UInt8>) -> clinux_status? {
    let path = Array(path)
    guard !barrier(path), let path = FilePath(bytes: path) else { return nil }
    return Self.status(at: path)
  }

  /// What is at a path; `nil` if nothing is.
  static func status(at path: FilePath) -> clinux_status? {
    let there = unsafe path.withCString { unsafe clinux_file_touch(AT_FDCWD, $0, 1) }
    guard there >= 0 else { return nil }
    defer { close(there) }
    var status = clinux_status()
    return unsafe clinux_file_stat(there, &status) == 0 ? status : nil
  }

  /// The directory of an absolute path.
  private static func directory(of path: [UInt8]) -> FilePath? {
    guard let slash = path.lastIndex(of: Self.slash) else { return nil }
    return FilePath(bytes: slash == 0 ? [Self.slash] : Array(path[..<slash]))
  }

  /// Another name of the file in the directory in which it was opened: programs that write a file
  /// without a name link it there, and editors rename the old file to keep it.
  private func anotherName(of file: clinux_status, besides reported: [UInt8]) -> [UInt8]? {
    path(ofInode: file.inode, besides: reported) { leads($0, to: file) }
  }

  /// Whether a file that was at a path before has another name in the same directory that is not that
  /// of a backup, as `letter.txt~` and `letter.txt.bak`.
  ///
  /// - Parameter isSame: whether the file at a path is that file, as another may have its inode.
  func isElsewhere(
    _ inode: UInt64, besides path: [UInt8], where isSame: (FilePath) -> Bool
  ) -> Bool {
    self.path(ofInode: inode, besides: path) { other in
      !other.starts(with: path) && FilePath(bytes: other).map(isSame) ?? false
    } != nil
  }

  /// A path of a file in the directory of another path, if `isWanted` accepts it.
  private func path(
    ofInode inode: UInt64, besides reported: [UInt8], where isWanted: ([UInt8]) -> Bool
  ) -> [UInt8]? {
    guard !barrier(reported), let directory = Self.directory(of: reported) else { return nil }
    do throws(TreeFailure) {
      let listing = try OpenDirectory(AT_FDCWD, directory, path: directory, flags: 0)
      defer { listing.close() }
      for _ in 0..<Self.entryLimit {
        guard let entry = try listing.next() else { return nil }
        guard entry.inode == inode else { continue }
        let path = Array(directory.appending(entry.name).bytes)
        if isWanted(path) { return path }
      }
    } catch {
      return nil
    }
    return nil
  }
}

extension FileIdentity {
  init(_ status: clinux_status) {
    self.init(
      device: UInt64(status.device_major) << 32 | UInt64(status.device_minor), inode: status.inode)
  }
}

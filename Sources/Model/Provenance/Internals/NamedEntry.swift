internal import CLinux
internal import Glibc
internal import LinuxSystem

/// A name of a file in its directory, which is held open.
final class NamedEntry {
  let directory: CInt
  let name: FilePath

  /// As many links as the kernel follows.
  private static let linkLimit = 40

  private init(_ name: FilePath, in directory: CInt) throws(Errno) {
    guard directory >= 0 else { throw Errno(rawValue: -directory) }
    self.name = name
    self.directory = directory
  }

  deinit { close(directory) }

  /// Finds the name of a file.
  ///
  /// Goes by the directory and the name that the file was looked up by, reading links in turn: neither
  /// the length of the absolute path nor the rights to what is above the directory matter then. What
  /// has no name there, as `.` has none, is found by the path that the kernel tells.
  ///
  /// - Returns: `nil` if the file has no name: it is the root, a pipe, or was removed.
  /// - Throws: the reason why the name cannot be determined, as if the file is being moved.
  static func find(_ file: HeldFile) throws(Errno) -> NamedEntry? {
    let found: NamedEntry? =
      switch file.reference {
      case .path(let path, _): try? follow(path, from: AT_FDCWD, to: file)
      case .entry(let directory, let name, _, _): try? follow(name, from: directory, to: file)
      case .descriptor, .held: nil
      }
    if let found { return found }
    return try ask(file)
  }

  /// - Returns: `nil` if the path does not end with a name of the file.
  private static func follow(
    _ path: FilePath, from start: CInt, to file: HeldFile
  ) throws(Errno) -> NamedEntry? {
    var entry = try step(path, from: start)
    for _ in 0..<linkLimit {
      if entry.isName(of: file) { return entry }
      entry = try step(entry.name.linkTarget(in: entry.directory), from: entry.directory)
    }
    return nil
  }

  /// Opens the directory of a path's last component.
  private static func step(_ path: FilePath, from start: CInt) throws(Errno) -> NamedEntry {
    let last = path.lastComponent
    let lead = path.bytes[..<last.startIndex]
    guard let name = FilePath(bytes: last) else { throw .invalidArgument }
    // With a slash at its end it is the path of a directory.
    return try NamedEntry(name, in: touch(FilePath(bytes: lead) ?? name, from: start))
  }

  /// - Parameter path: that of a directory; the empty one is `start`.
  private static func touch(_ path: FilePath, from start: CInt) -> CInt {
    let path = path.bytes.isEmpty ? FilePath(".") : path
    return unsafe path.withCString { unsafe clinux_file_touch(start, $0, 0) }
  }

  private static func ask(_ file: HeldFile) throws(Errno) -> NamedEntry? {
    let path = try FilePath("/proc/self/fd/\(file.descriptor)").linkTarget(in: AT_FDCWD)
    let isRoot = path.bytes.count == 1
    guard path.bytes.first == UInt8(ascii: "/"), !isRoot, !file.isRemoved else { return nil }
    let entry: NamedEntry
    if file.status.st_mode & S_IFMT == S_IFDIR, let name = FilePath(bytes: path.lastComponent) {
      // Upwards from the directory itself, no right to those above its parent is needed.
      entry = try NamedEntry(name, in: touch(FilePath(".."), from: file.descriptor))
    } else {
      entry = try step(path, from: AT_FDCWD)
    }
    guard entry.isName(of: file) else { throw .noSuchFile }
    return entry
  }

  private func isName(of file: HeldFile) -> Bool {
    var found = stat()
    let isFound = unsafe name.withCString {
      unsafe fstatat(directory, $0, &found, AT_SYMLINK_NOFOLLOW) == 0
    }
    let isName = ![".", "..", "/"].contains { name.bytes.elementsEqual($0.utf8) }
    return isName && isFound && found.isSameFile(as: file.status)
  }
}

extension HeldFile {
  /// Whether it was opened by somebody who may have removed it since.
  fileprivate var isRemoved: Bool {
    if case .descriptor = reference { status.st_nlink == 0 } else { false }
  }
}

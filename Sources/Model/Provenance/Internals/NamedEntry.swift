internal import CLinux
internal import FileTree
internal import Glibc
internal import LinuxSystem

/// A name of a file in its directory, which is held open.
final class NamedEntry {
  let name: FilePath
  private var place: Place

  /// How the directory is held open.
  private enum Place {
    case owned(DirectoryHandle)
    /// By whoever asks about the file.
    case borrowed(CInt)
  }

  var directory: CInt {
    switch place {
    case .owned(let place): place.descriptor
    case .borrowed(let descriptor): descriptor
    }
  }

  /// - Parameter hold: opens the directory once more; only called if somebody remembers directories.
  /// - Returns: `false` where the directory cannot be held open.
  func keepDirectory(_ hold: (CInt) -> DirectoryHandle?) -> Bool {
    guard case .borrowed(let descriptor) = place else { return true }
    guard let handle = hold(descriptor) else { return false }
    place = .owned(handle)
    return true
  }

  /// As many links as the kernel follows.
  private static let linkLimit = 40

  private init(_ name: FilePath, in place: Place) {
    self.name = name
    self.place = place
  }

  /// Finds the name of a file.
  ///
  /// Goes by the directory and the name that the file was looked up by, reading links in turn: neither
  /// the length of the absolute path nor the rights to what is above the directory matter then. What
  /// has no name there, as `.` has none, is found by the path that the kernel tells.
  ///
  /// - Parameter memory: has the directory of the file before. The directory of an entry stays open
  ///   then for as long as this is used.
  /// - Returns: `nil` if the file has no name: it is the root, a pipe, or was removed.
  /// - Throws: the reason why the name cannot be determined, as if the file is being moved.
  static func find(_ file: HeldFile, with memory: DirectoryMemory? = nil) throws(Errno)
    -> NamedEntry?
  {
    if let memory, let entry = remembered(file, memory) { return entry }
    let found: NamedEntry? =
      switch file.reference {
      case .path(let path, _): try? follow(path, from: AT_FDCWD, to: file)
      case .entry(let directory, let name, _, _): try? follow(name, from: directory, to: file)
      case .descriptor, .held: nil
      }
    if let found { return found }
    return try ask(file)
  }

  /// The name in a directory that is open already; `nil` for a link that was followed.
  private static func remembered(_ file: HeldFile, _ memory: DirectoryMemory) -> NamedEntry? {
    switch file.reference {
    case .entry(let directory, let name, _, .noFollow):
      // The file was opened by this name, and no link.
      let entry = NamedEntry(name, in: .borrowed(directory))
      return entry.isWhole ? entry : nil
    case .path(let path, _):
      let last = path.lastComponent
      guard let name = FilePath(bytes: last),
        let lead = FilePath(bytes: path.bytes[..<last.startIndex]),
        let place = try? memory.place(
          at: lead,
          or: { () throws(Errno) in
            try touch(lead, from: AT_FDCWD)
          })
      else { return nil }
      let entry = NamedEntry(name, in: .owned(place))
      return entry.isName(of: file) ? entry : nil
    case .entry, .descriptor, .held: return nil
    }
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
    guard let name = FilePath(bytes: last),
      let lead = FilePath(bytes: path.bytes[..<last.startIndex])
    else { throw .invalidArgument }
    return NamedEntry(name, in: .owned(try touch(lead, from: start)))
  }

  /// - Parameter path: that of a directory; the empty one is `start`.
  private static func touch(_ path: FilePath, from start: CInt) throws(Errno) -> DirectoryHandle {
    let path = path.bytes.isEmpty ? FilePath(".") : path
    return try DirectoryHandle(unsafe path.withCString { unsafe clinux_file_touch(start, $0, 0) })
  }

  private static func ask(_ file: HeldFile) throws(Errno) -> NamedEntry? {
    let path = try FilePath("/proc/self/fd/\(file.descriptor)").linkTarget(in: AT_FDCWD)
    let isRoot = path.bytes.count == 1
    guard path.bytes.first == UInt8(ascii: "/"), !isRoot, !file.isRemoved else { return nil }
    let entry: NamedEntry
    if file.status.st_mode & S_IFMT == S_IFDIR, let name = FilePath(bytes: path.lastComponent) {
      // Upwards from the directory itself, no right to those above its parent is needed.
      entry = NamedEntry(name, in: .owned(try touch(FilePath(".."), from: file.descriptor)))
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
    return isWhole && isFound && found.isSameFile(as: file.status)
  }

  private var isWhole: Bool {
    // A longer name is none of them.
    name.bytes.count > 2 || ![".", "..", "/"].contains { name.bytes.elementsEqual($0.utf8) }
  }
}

extension HeldFile {
  /// Whether it was opened by somebody who may have removed it since.
  fileprivate var isRemoved: Bool {
    if case .descriptor = reference { status.st_nlink == 0 } else { false }
  }
}

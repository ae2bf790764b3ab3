internal import CLinux
package import Glibc

/// A file that is replaced by its path: readers see the old content, or the new.
///
/// Where somebody else may put a link in the file's place, as in /tmp, the kernel alone decides
/// whether this process may follow it (fs.protected_symlinks), and says so by opening the file.
package struct ReplacedFile {
  package let path: FilePath

  package init(path: FilePath) { self.path = path }

  /// The directory that the path stands in; the working directory for a bare name.
  package var directory: FilePath {
    let directory = path.bytes[..<path.lastComponent.startIndex]
    return FilePath(bytes: directory.isEmpty ? [UInt8(ascii: ".")] : directory) ?? path
  }

  /// Makes the directories that the file needs, for the user alone, as the XDG Base Directory
  /// Specification has it.
  package func makeDirectories() throws(Errno) { try directory.makeDirectories() }

  /// Replaces the file, or makes it. Where the path is a link, as those who keep their settings
  /// elsewhere have it, the file it leads to is replaced, or made.
  ///
  /// The corresponding C functions are openat2(2) with `RESOLVE_NO_MAGICLINKS`, and renameat(2).
  ///
  /// - Parameter mode: of a new file; one that is there keeps its own, and its owner.
  package func replace(with bytes: [UInt8], mode: UInt32 = 0o644) throws(Errno) {
    let entry = try entry()
    let status: stat
    do throws(Errno) {
      status = try entry.status()
    } catch .noSuchFile {
      return try entry.put(bytes, mode: mode)
    }
    guard status.st_mode & S_IFMT == S_IFLNK else {
      // Nobody reads there what the old file did not let them.
      return try entry.put(bytes, mode: 0o600) { Self.keepRights(of: status, on: $0) }
    }
    let target = try entry.open(O_NONBLOCK | O_NOCTTY, mode: mode)
    defer { close(target) }
    try OpenTarget(target).put(bytes)
  }

  /// The name in its directory.
  ///
  /// - Throws: EISDIR where the path ends with a slash; the reason why the directory is not reached.
  package func entry() throws(Errno) -> DirectoryEntry { try DirectoryEntry(self) }

  /// Gives a new file the owner and the mode of the one it replaces.
  ///
  /// The corresponding C functions are fchown(2) and fchmod(2).
  fileprivate static func keepRights(of former: stat, on file: CInt) {
    let isOwned = (try? keepOwner(of: former, on: file)) != nil
    // The bits of a group are not for another one.
    fchmod(file, former.st_mode & (isOwned ? 0o777 : 0o700))
  }

  /// The corresponding C function is fchown(2).
  package static func keepOwner(of former: stat, on file: CInt) throws(Errno) {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw .current }
    guard former.st_uid != status.st_uid || former.st_gid != status.st_gid else { return }
    guard fchown(file, former.st_uid, former.st_gid) == 0 else { throw .current }
  }
}

/// A name in a directory that is held open: whatever is put in the place of the directory meanwhile,
/// all that is done concerns this one.
package final class DirectoryEntry {
  /// Where the name was found.
  private let path: FilePath
  private let directory: CInt
  private let name: FilePath

  fileprivate init(_ file: ReplacedFile) throws(Errno) {
    path = file.path
    guard path.bytes.last != UInt8(ascii: "/") else { throw .isDirectory }
    guard let name = FilePath(bytes: path.lastComponent) else { throw .invalidArgument }
    self.name = name
    directory = unsafe file.directory.withCString { unsafe clinux_directory_reach($0) }
    guard directory >= 0 else { throw Errno(rawValue: -directory) }
  }

  deinit { if directory >= 0 { close(directory) } }

  /// The status of what has the name, of a link itself.
  ///
  /// The corresponding C function is fstatat(2).
  package func status() throws(Errno) -> stat {
    var status = stat()
    let result = unsafe name.withCString {
      unsafe fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    guard result == 0 else { throw .current }
    return status
  }

  /// Replaces what has the name, a link itself, or makes a file there.
  ///
  /// - Parameters:
  ///   - mode: of the file.
  ///   - carry: gives the file what else of an old one is to stay.
  package func put(
    _ bytes: [UInt8], mode: UInt32,
    carrying carry: (_ file: CInt) throws(Errno) -> Void = { _ in }
  ) throws(Errno) {
    try FileReplacement(of: name, in: directory).put(bytes, mode: mode, completing: carry)
  }

  /// Opens what the name leads to, for writing, as a shell's `>` does but for emptying the file: a
  /// file that is not there is made.
  ///
  /// Links to open files below /proc are followed only where the path is one of /dev itself, where
  /// nobody else can put a link: `/dev/stdout`.
  ///
  /// The corresponding C function is openat2(2).
  package func open(_ flags: CInt = 0, mode: UInt32) throws(Errno) -> CInt {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | flags
    let isDevice = [FilePath("/dev/"), FilePath("/dev/fd/")]
      .contains(ReplacedFile(path: path).directory)
    let descriptor =
      isDevice
      ? unsafe path.withCString { path in
        let descriptor = unsafe Glibc.open(path, flags, mode)
        return descriptor < 0 ? -errno : descriptor
      }
      : unsafe name.withCString { unsafe clinux_file_open(directory, $0, flags, mode) }
    guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
    return descriptor
  }
}

/// The file that a link led to.
private struct OpenTarget {
  private let descriptor: CInt

  init(_ descriptor: CInt) { self.descriptor = descriptor }

  /// Replaces the file at its own name, which must still be the file's.
  ///
  /// The path that the kernel tells has no links, and none is followed on the way back.
  func put(_ bytes: [UInt8]) throws(Errno) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .current }
    guard status.st_mode & S_IFMT == S_IFREG,
      let path = FilePath("/proc/self/fd/\(descriptor)").linkTarget,
      let name = FilePath(bytes: path.lastComponent)
    else { throw .invalidArgument }
    let directory = unsafe ReplacedFile(path: path).directory.withCString {
      unsafe clinux_directory_locate(AT_FDCWD, $0, .anywhere)
    }
    guard directory >= 0 else { throw Errno(rawValue: -directory) }
    defer { close(directory) }
    let version = FileVersion(status)
    guard FileVersion(of: name, in: directory) == version else { throw .noSuchFile }
    try FileReplacement(of: name, in: directory).put(bytes) {
      ReplacedFile.keepRights(of: status, on: $0)
    }
  }
}

internal import CLinux
package import Glibc

/// New content for a name in a directory, put there in one step: whoever opens the name gets the
/// former content or all of the new.
///
/// The content is written under another name, or none, before. Only a process that is killed
/// meanwhile leaves that name behind; ``TemporaryName`` knows it.
package struct FileReplacement {
  /// What the name must stand for when the content is put there.
  package enum Expectation {
    case anything
    case nothing
    case version(FileVersion)
  }

  private let directory: CInt
  private let name: FilePath

  /// - Parameters:
  ///   - name: relative to the directory, or absolute.
  ///   - directory: an open one, or AT_FDCWD.
  package init(of name: FilePath, in directory: CInt) {
    self.name = name
    self.directory = directory
  }

  /// Puts the content there.
  ///
  /// Where something or nothing particular is expected, the file gets a name only when it is complete,
  /// if the file system has files without names, and signals that end the process wait while it
  /// has its temporary name.
  ///
  /// The corresponding C functions are open(2), with O_TMPFILE where it can be, fsync(2), linkat(2)
  /// and renameat2(2).
  ///
  /// - Parameters:
  ///   - mode: the permissions of the new file, less those of the umask.
  ///   - isDurable: whether the content is on the disk before the name stands for it.
  ///   - completing: gives the file what else it is to have. It gets the file, open for writing, and
  ///     the path it has for the moment.
  /// - Throws: EEXIST where something else than expected is there by now.
  package func put(
    _ bytes: [UInt8], expecting expectation: Expectation = .anything, mode: UInt32 = 0o600,
    isDurable: Bool = false,
    completing: (_ file: CInt, _ path: FilePath) throws(Errno) -> Void = { _, _ in }
  ) throws(Errno) {
    func fill(_ file: CInt, _ path: FilePath) throws(Errno) {
      try Descriptor.write(bytes, to: file)
      try completing(file, path)
      if isDurable, fsync(file) != 0 { throw .current }
    }
    if case .anything = expectation { return try putNamed(expectation, mode, fill) }
    let unnamed = unsafe clinux_file_unnamed(directory, ".")
    if unnamed >= 0 {
      defer { close(unnamed) }
      try fill(unnamed, name)
      if try link(unnamed, expectation) { return }
    }
    try HeldSignals.during { () throws(Errno) in try putNamed(expectation, mode, fill) }
  }

  /// - Returns: `false` where a file without a name cannot be given one.
  private func link(_ file: CInt, _ expectation: Expectation) throws(Errno) -> Bool {
    guard case .version = expectation else {
      let result = unsafe name.withCString { unsafe clinux_file_link(file, directory, $0) }
      if result == -EEXIST { throw .fileExists }
      return result == 0
    }
    let temporary = TemporaryName.make(beside: name)
    var result: CInt = 0
    try HeldSignals.during { () throws(Errno) in
      result = unsafe temporary.withCString { unsafe clinux_file_link(file, directory, $0) }
      guard result == 0 else { return }
      do throws(Errno) {
        try move(temporary, expectation)
      } catch {
        remove(temporary)
        throw error
      }
    }
    return result == 0
  }

  private func putNamed(
    _ expectation: Expectation, _ mode: UInt32,
    _ fill: (CInt, FilePath) throws(Errno) -> Void
  ) throws(Errno) {
    let temporary = TemporaryName.make(beside: name)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = unsafe temporary.withCString { unsafe openat(directory, $0, flags, mode) }
    guard file >= 0 else { throw .current }
    do throws(Errno) {
      // Closed by the time others see it, as network file systems need it.
      try { () throws(Errno) in
        defer { close(file) }
        try fill(file, temporary)
      }()
      try move(temporary, expectation)
    } catch {
      remove(temporary)
      throw error
    }
  }

  private func move(_ temporary: FilePath, _ expectation: Expectation) throws(Errno) {
    if case .version(let version) = expectation {
      guard FileVersion(of: name, in: directory) == version else { throw .fileExists }
    }
    let result = unsafe temporary.withCString { temporary -> CInt in
      unsafe name.withCString { name in
        if case .nothing = expectation {
          return unsafe clinux_file_put(directory, temporary, name)
        }
        return unsafe renameat(directory, temporary, directory, name) == 0 ? 0 : -errno
      }
    }
    guard result == 0 else { throw Errno(rawValue: -result) }
  }

  private func remove(_ temporary: FilePath) {
    _ = unsafe temporary.withCString { unsafe unlinkat(directory, $0, 0) }
  }
}

/// Names of files that are being written, each used once.
package enum TemporaryName {
  private static let prefix = ".docsource-"

  /// A name in the directory of another.
  fileprivate static func make(beside name: FilePath) -> FilePath {
    let unique = String(getpid()) + "-" + String(UInt64.random(in: 0 ... .max), radix: 16)
    let directory = name.bytes.dropLast(name.lastComponent.count)
    return FilePath(bytes: directory + (prefix + unique).utf8) ?? FilePath(prefix + unique)
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

/// Which file a name stands for, and whether that is still the same with the same content.
package struct FileVersion: Hashable, Sendable {
  private let device: dev_t
  private let inode: ino_t
  private let size: off_t
  private let modified: [Int]
  private let changed: [Int]

  package init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }

  /// The version of an entry of a directory, of a link itself; `nil` where there is none.
  ///
  /// The corresponding C function is fstatat(2).
  package init?(of name: FilePath, in directory: CInt) {
    var status = stat()
    let found = unsafe name.withCString {
      unsafe fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    guard found == 0 else { return nil }
    self.init(status)
  }
}

/// The signals by which users end programs, held back from this thread for a moment.
private enum HeldSignals {
  /// Does what would otherwise leave something behind; a signal that came takes effect after it.
  ///
  /// The corresponding C function is pthread_sigmask(3).
  static func during(_ body: () throws(Errno) -> Void) throws(Errno) {
    var (held, former) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&held)
    for number in [SIGHUP, SIGINT, SIGTERM] { unsafe sigaddset(&held, number) }
    let result = unsafe pthread_sigmask(SIG_BLOCK, &held, &former)
    defer { if result == 0 { unsafe pthread_sigmask(SIG_SETMASK, &former, nil) } }
    try body()
  }
}

/// A file of the user's that is put there at once: readers see the old content, or the new.
package struct ReplacedFile {
  package let path: FilePath

  package init(path: FilePath) { self.path = path }

  /// What the path is below; itself for a bare name.
  private static func parent(_ path: FilePath) -> FilePath {
    let directory = path.bytes[..<path.lastComponent.startIndex]
    return FilePath(bytes: directory.isEmpty ? [UInt8(ascii: ".")] : directory) ?? path
  }

  package var directory: FilePath { Self.parent(path) }

  /// Makes the directories that the file needs, for the user alone, as the XDG Base Directory
  /// Specification has it.
  package func makeDirectories() throws(Errno) { try directory.makeDirectories() }

  /// Where links lead, even if nothing is there yet; a path that is no link itself.
  private static func target(of path: FilePath) -> FilePath {
    var target = path
    // As many as the kernel follows.
    for _ in 0..<40 {
      guard let link = target.linkTarget else { break }
      let isAbsolute = link.bytes.first == UInt8(ascii: "/")
      target = isAbsolute ? link : parent(target).appending(link)
    }
    return target
  }

  /// Writes the content to a new file and renames it. Where the path is a link, as those who keep
  /// their settings elsewhere have it, the file it leads to is replaced, or made.
  ///
  /// The corresponding C function is rename(2).
  ///
  /// - Parameters:
  ///   - mode: of a new file; one that is there keeps its own.
  ///   - carry: gives the new file what else of an old one is to stay.
  package func replace(
    with bytes: [UInt8], mode: UInt32 = 0o644,
    carrying carry: (_ file: CInt, _ path: FilePath) throws(Errno) -> Void = { _, _ in }
  ) throws(Errno) {
    var status = stat()
    let isThere = unsafe path.withCString { unsafe stat($0, &status) } == 0
    // Nobody reads there what the old file did not let them.
    try FileReplacement(of: Self.target(of: path), in: AT_FDCWD).put(
      bytes, mode: isThere ? 0o600 : mode
    ) { (file, temporary) throws(Errno) in
      guard isThere else { return }
      try carry(file, temporary)
      fchmod(file, status.st_mode & 0o777)
    }
  }
}

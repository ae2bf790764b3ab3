internal import CLinux
package import Glibc
internal import Synchronization

/// New content for a name in a directory, put there in one step: whoever opens the name gets the
/// former content or all of the new, even after the power was cut.
///
/// The content is written under another name, or none, before. A process that is killed meanwhile
/// leaves that name; the first replacement in a directory removes such files of a day ago. A
/// link that has the name is itself replaced, not the file it leads to.
///
/// What has to be a certain version is looked at again once it is out of the way, where no other
/// program puts a file: it gets its name back where it is another. Until then it is called
/// `.docsource-PID-HEX-kept`, which nobody removes, since it may be what nobody has read.
package struct FileReplacement {
  /// What the name must stand for when the content is put there.
  package enum Expectation {
    case anything
    case nothing
    case version(FileVersion)
  }

  /// When the disk has what is put there.
  package enum Durability {
    /// Before the call returns: the name stands for all of the content even after a power cut.
    case immediate
    /// With the next `synchronize`, for many new files: after a power cut before it, the name can
    /// stand for a part of the content.
    case later
  }

  private let directory: CInt
  private let name: FilePath

  /// - Parameters:
  ///   - name: of an entry of the directory.
  ///   - directory: an open one.
  package init(of name: FilePath, in directory: CInt) {
    self.name = name
    self.directory = directory
  }

  /// Puts the content there.
  ///
  /// The file gets a name only when it is complete, if the file system has files without names, and
  /// signals that end the process wait while it has its temporary name.
  ///
  /// The corresponding C functions are open(2), with O_TMPFILE where it can be, fsync(2) of the file
  /// before it has its name and of the directory after, linkat(2) and renameat2(2).
  ///
  /// - Parameters:
  ///   - mode: the permissions of the new file, less those of the umask.
  ///   - completing: gives the file, which is open for writing, what else it is to have.
  /// - Throws: EEXIST where something else than expected is there by now.
  package func put(
    _ bytes: [UInt8], expecting expectation: Expectation = .anything, mode: UInt32 = 0o600,
    durability: Durability = .immediate,
    completing: (_ file: CInt) throws(Errno) -> Void = { _ in }
  ) throws(Errno) {
    func fill(_ file: CInt) throws(Errno) {
      try Descriptor.write(bytes, to: file)
      try completing(file)
      if durability == .immediate { try Descriptor.sync(file) }
    }
    try put(expecting: expectation, mode, fill)
    if durability == .immediate { try Self.finish(in: directory) }
  }

  /// Waits until the disk has all that was put in a directory, and removes what killed processes have
  /// left there.
  ///
  /// The corresponding C functions are syncfs(2) and fsync(2) of the directory.
  package static func synchronize(_ directory: CInt) throws(Errno) {
    let result = clinux_file_system_sync(directory)
    guard result == 0 else { throw Errno(rawValue: -result) }
    try finish(in: directory)
  }

  /// Finds out whether `put` could write there, and changes nothing: asks the kernel whether the
  /// directory may be written, and writes the content to a file without a name, if the file system
  /// has such files.
  ///
  /// The corresponding C functions are faccessat(2), and open(2) with O_TMPFILE.
  package func preflight(_ bytes: [UInt8]) throws(Errno) {
    guard unsafe faccessat(directory, ".", W_OK | X_OK, AT_EACCESS) == 0 else { throw .current }
    let file = unsafe clinux_file_unnamed(directory, ".", 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    try Descriptor.write(bytes, to: file)
  }

  private func put(
    expecting expectation: Expectation, _ mode: UInt32,
    _ fill: (CInt) throws(Errno) -> Void
  ) throws(Errno) {
    // It would lead elsewhere.
    guard !name.bytes.contains(UInt8(ascii: "/")) else { throw .invalidArgument }
    let unnamed = unsafe clinux_file_unnamed(directory, ".", mode)
    if unnamed >= 0 {
      defer { close(unnamed) }
      try fill(unnamed)
      if try link(unnamed, expectation) { return }
    }
    try HeldSignals.during { () throws(Errno) in try putNamed(expectation, mode, fill) }
  }

  /// - Returns: `false` where a file without a name cannot be given one.
  private func link(_ file: CInt, _ expectation: Expectation) throws(Errno) -> Bool {
    if case .nothing = expectation {
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
    _ fill: (CInt) throws(Errno) -> Void
  ) throws(Errno) {
    let temporary = TemporaryName.make(beside: name)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let file = unsafe temporary.withCString { unsafe openat(directory, $0, flags, mode) }
    guard file >= 0 else { throw .current }
    do throws(Errno) {
      // Closed by the time others see it, as network file systems need it.
      try { () throws(Errno) in
        defer { close(file) }
        try fill(file)
      }()
      try move(temporary, expectation)
    } catch {
      remove(temporary)
      throw error
    }
  }

  private func move(_ temporary: FilePath, _ expectation: Expectation) throws(Errno) {
    switch expectation {
    case .anything: try rename(temporary, name, .replace)
    case .nothing: try rename(temporary, name, .refuse)
    case .version(let version): try exchange(temporary, for: version)
    }
  }

  /// Puts a file in the place of a version; of another, nothing is lost.
  private func exchange(_ temporary: FilePath, for version: FileVersion) throws(Errno) {
    guard FileVersion(of: name, in: directory) == version else { throw .fileExists }
    let kept = TemporaryName.make(beside: name, isKept: true)
    try rename(temporary, kept, .refuse)
    guard let new = FileVersion(of: kept, in: directory) else { throw .noSuchFile }
    do throws(Errno) {
      try rename(kept, name, .exchange)
    } catch .invalidArgument {
      // A file system that cannot exchange names.
      return try rename(kept, name, .replace)
    } catch {
      remove(kept)
      throw error
    }
    var (given, wanted) = (new, version)
    while let found = FileVersion(of: kept, in: directory), !found.isFile(of: wanted) {
      // What was found was put there meanwhile and goes back, until what comes out is what went in.
      do throws(Errno) {
        try rename(kept, name, .exchange)
      } catch {
        try rename(kept, name, .refuse)
        throw .fileExists
      }
      (given, wanted) = (found, given)
    }
    remove(kept)
    if given != new { throw .fileExists }
  }

  /// What became of a file that was to be removed.
  package enum Removal: Equatable {
    case done
    /// It stays, since it is another version.
    case changed
    /// It is another version, and still another one has the name by now; it stays under this name.
    case kept(FilePath)
  }

  /// Removes a version of what has the name.
  ///
  /// The corresponding C functions are renameat2(2) and unlinkat(2).
  ///
  /// - Parameter mayMove: whether the file system can give it another name.
  package func remove(
    _ version: FileVersion, mayMove: Bool = true
  ) throws(Errno) -> Removal {
    guard FileVersion(of: name, in: directory) == version else { return .changed }
    guard mayMove else {
      try unlink(name)
      return .done
    }
    let kept = TemporaryName.make(beside: name, isKept: true)
    var removal = Removal.changed
    try HeldSignals.during { () throws(Errno) in
      try rename(name, kept, .refuse)
      if FileVersion(of: kept, in: directory)?.isFile(of: version) == true {
        do throws(Errno) {
          try unlink(kept)
          removal = .done
        } catch {
          try? rename(kept, name, .refuse)
          throw error
        }
      } else {
        do throws(Errno) {
          try rename(kept, name, .refuse)
        } catch .fileExists {
          removal = .kept(kept)
        }
      }
    }
    return removal
  }

  /// What becomes of a file that has the new name.
  private enum Renaming { case replace, refuse, exchange }

  private func rename(_ from: FilePath, _ to: FilePath, _ way: Renaming) throws(Errno) {
    let result = unsafe from.withCString { from -> CInt in
      unsafe to.withCString { to in
        switch way {
        case .replace: unsafe renameat(directory, from, directory, to) == 0 ? 0 : -errno
        case .refuse: unsafe clinux_file_put(directory, from, to)
        case .exchange: unsafe clinux_file_exchange(directory, from, to)
        }
      }
    }
    guard result == 0 else { throw Errno(rawValue: -result) }
  }

  /// Has the disk know the name, and removes what killed processes have left.
  private static func finish(in directory: CInt) throws(Errno) {
    let listed = unsafe clinux_directory_open(directory, ".", 0)
    // One that may be written but not listed cannot be synced either.
    guard listed >= 0 else { return }
    defer { close(listed) }
    try Descriptor.sync(listed)
    Leftovers.remove(in: listed)
  }

  private func remove(_ temporary: FilePath) { try? unlink(temporary) }

  private func unlink(_ name: FilePath) throws(Errno) {
    let result = unsafe name.withCString { unsafe unlinkat(directory, $0, 0) }
    guard result == 0 else { throw .current }
  }
}

/// Names of files that are being written, each used once.
package enum TemporaryName {
  private static let prefix = ".docsource-"
  /// The upper half of the number in each name of this process, since process numbers are used again.
  private static let process = UInt64(UInt32.random(in: 0 ... .max)) << 32
  /// Of the names so far.
  private static let count = Atomic(0)

  /// A name in the directory of another.
  ///
  /// - Parameter isKept: whether nobody is to take it for a leftover.
  static func make(beside name: FilePath, isKept: Bool = false) -> FilePath {
    // The seed of hashing is random, so that nobody can foretell the next name.
    let hash = count.add(1, ordering: .relaxed).newValue.hashValue
    let number = process | UInt64(UInt32(truncatingIfNeeded: hash))
    // Bytes, since strings that are put together take as long as the removal of a file.
    var bytes = Array(name.bytes.dropLast(name.lastComponent.count))
    bytes += prefix.utf8
    bytes += String(getpid()).utf8
    bytes.append(UInt8(ascii: "-"))
    let digits = digits
    for shift in stride(from: 60, through: 0, by: -4) {
      bytes.append(digits[Int(number >> UInt64(shift) & 0xf)])
    }
    if isKept { bytes += "-kept".utf8 }
    return FilePath(terminated: (bytes + [0])[...])
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// Whether a name is one of these, and not merely like them: whoever cleans up removes the file.
  package static func matches(_ name: ArraySlice<UInt8>) -> Bool {
    parts(name).map { $0.count == 2 && isUnique($0) } ?? false
  }

  /// Whether a name is one that nobody takes for a leftover.
  package static func isKept(_ name: ArraySlice<UInt8>) -> Bool {
    parts(name).map { $0.count == 3 && isUnique($0) && $0[2].elementsEqual("kept".utf8) } ?? false
  }

  /// Whether this process has made a name: another thread of it that meets the file leaves it alone.
  package static func isOfThisProcess(_ name: ArraySlice<UInt8>) -> Bool {
    guard let parts = parts(name), parts.count >= 2, isUnique(parts),
      let number = UInt64(String(decoding: parts[1], as: UTF8.self), radix: 16)
    else { return false }
    return parts[0].elementsEqual(String(getpid()).utf8) && number >> 32 == process >> 32
  }

  private static func parts(_ name: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    guard name.starts(with: prefix.utf8) else { return nil }
    return name.dropFirst(prefix.utf8.count)
      .split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
  }

  private static func isUnique(_ parts: [ArraySlice<UInt8>]) -> Bool {
    zip(parts, [10, 16]).allSatisfy { part, radix in
      1...16 ~= part.count && part.first != UInt8(ascii: "+")
        && UInt64(String(decoding: part, as: UTF8.self), radix: radix) != nil
    }
  }
}

/// Files that killed processes have left under their temporary names.
private enum Leftovers {
  /// The directories that this process has looked through.
  private static let visited = Mutex<Set<[UInt64]>>([])
  /// A day in seconds: nothing that is being written is as old.
  private static let age = 86_400
  /// Larger directories are not looked through to their end.
  private static let limit = 20_000

  /// Removes this user's, once for each directory.
  ///
  /// The corresponding C functions are readdir(3) and unlinkat(2).
  static func remove(in directory: CInt) {
    var status = stat()
    guard unsafe fstat(directory, &status) == 0 else { return }
    let identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
    guard visited.withLock({ $0.insert(identity).inserted }) else { return }
    guard let copy = try? Descriptor.copy(directory) else { return }
    guard let listing = unsafe fdopendir(copy) else {
      close(copy)
      return
    }
    defer { unsafe closedir(listing) }
    for _ in 0..<limit {
      guard let entry = unsafe readdir(listing) else { return }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe FilePath(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if TemporaryName.matches(name.bytes[...]) { remove(name, in: directory) }
    }
  }

  private static func remove(_ name: FilePath, in directory: CInt) {
    unsafe name.withCString { name in
      var status = stat()
      guard unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
        status.st_mtim.tv_sec < time(nil) - age
      else { return }
      unsafe unlinkat(directory, name, 0)
    }
  }
}

/// Which file a name stands for, and whether that is still the same with the same content.
package struct FileVersion: Hashable, Sendable {
  private let device: dev_t
  private let inode: ino_t
  private let size: off_t
  private let modified: Time
  private let changed: Time

  private struct Time: Hashable {
    let seconds: Int
    let nanoseconds: Int

    init(_ time: timespec) { (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec) }
  }

  package init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    modified = Time(status.st_mtim)
    changed = Time(status.st_ctim)
  }

  /// Whether both are of one file with one content: another name changes the time of its status.
  fileprivate func isFile(of other: FileVersion) -> Bool {
    device == other.device && inode == other.inode && size == other.size
      && modified == other.modified
  }

  /// Whether it is one of the file that has a status.
  package func isOf(_ status: stat) -> Bool { device == status.st_dev && inode == status.st_ino }

  /// The version of an entry of a directory, of a link itself; `nil` if there is none.
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
  /// Does what must not be left half done; a signal that came takes effect after it.
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

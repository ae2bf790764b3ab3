internal import CLinux
package import Glibc

/// A file that is looked up once and held open, so that all operations concern the same file even if
/// its path changes.
///
/// Holding the file needs no permissions, waits for no FIFO and wakes no device (O_PATH of open(2)).
/// Without /proc, as in some chroots, the file is opened for reading instead.
public final class HeldFile: Sendable {
  /// By what it was looked up.
  package let reference: FileReference
  package let status: stat
  package let descriptor: CInt
  /// /proc/self/fd, if the file is one of many that are held one after the other.
  package let names: DescriptorNames?

  private static let hasDescriptorPaths = unsafe access("/proc/self/fd", F_OK) == 0

  /// The corresponding C functions are openat(2) and fstat(2).
  package init(_ reference: FileReference, by names: DescriptorNames? = nil) throws(Errno) {
    self.reference = reference
    let descriptor = try Self.open(reference)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let errno = Errno.current
      close(descriptor)
      throw errno
    }
    self.status = status
    self.descriptor = descriptor
    self.names = names
  }

  /// Whether calls reach the file by the name that its descriptor has in /proc, rather than by the
  /// descriptor.
  package var hasPath: Bool { Self.hasDescriptorPaths }

  private var path: FilePath? {
    Self.hasDescriptorPaths ? FilePath("/proc/self/fd/\(descriptor)") : nil
  }

  deinit { close(descriptor) }

  private static func open(_ reference: FileReference) throws(Errno) -> CInt {
    switch reference {
    case .path(let path, let links): return try open(path, in: AT_FDCWD, links)
    case .entry(let directory, let name, _, let links): return try open(name, in: directory, links)
    case .descriptor(let descriptor, _): return try Descriptor.copy(descriptor)
    case .held(let file): return try Descriptor.copy(file.descriptor)
    }
  }

  private static func open(
    _ path: FilePath, in directory: CInt, _ links: Links
  ) throws(Errno) -> CInt {
    guard hasDescriptorPaths else {
      return try Descriptor.open(path, in: directory, followsLink: links == .follow)
    }
    let descriptor = unsafe path.withCString {
      unsafe clinux_file_touch(directory, $0, links == .noFollow ? 1 : 0)
    }
    guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
    return descriptor
  }

  /// Waits until the file's attributes are on the disk.
  ///
  /// The corresponding C function is fsync(2).
  package func synchronize() throws(Errno) {
    let file = try opened()
    defer { close(file) }
    guard fsync(file) == 0 else { throw .current }
  }

  /// Waits until the attributes of several files are on the disk: of many in one call for each file system,
  /// which also waits for what other programs have written there.
  ///
  /// The corresponding C functions are fsync(2) and syncfs(2).
  ///
  /// - Returns: why it is not known of a file that its attributes are on the disk, for each; `nil` if they are.
  package static func synchronize(_ files: [HeldFile]) -> [Errno?] {
    var outcomes: [UInt64: CInt] = [:]
    if files.count > fewFiles {
      for file in files where outcomes[UInt64(file.status.st_dev)] == nil {
        guard let opened = try? file.opened() else { continue }
        defer { close(opened) }
        outcomes[UInt64(file.status.st_dev)] = clinux_file_system_sync(opened)
      }
    }
    return files.map { file in
      if outcomes[UInt64(file.status.st_dev)] == 0 { return nil }
      do throws(Errno) {
        try file.synchronize()
        return nil
      } catch {
        return error
      }
    }
  }

  /// As many files as are synchronized one by one.
  private static let fewFiles = 4

  /// A descriptor for reading, which the caller closes.
  ///
  /// The corresponding C function is open(2).
  package func opened() throws(Errno) -> CInt {
    if let path { try Descriptor.open(path) } else { try Descriptor.copy(descriptor) }
  }

  /// A descriptor for reading that does not change the time of the last access, where this process may
  /// have that: it is the file's owner, or root. The caller closes it.
  ///
  /// The corresponding C function is open(2) with O_NOATIME.
  package func openedToLook() throws(Errno) -> CInt {
    guard let path else { return try Descriptor.copy(descriptor) }
    do throws(Errno) {
      return try Descriptor.open(path, keepsAccessTime: true)
    } catch {
      guard error == .notPermitted else { throw error }
      return try Descriptor.open(path)
    }
  }

  /// Its content; `nil` if it cannot be read, is no regular file, or has more than `limit` bytes.
  package func content(limit: Int) -> [UInt8]? {
    guard let file = try? opened() else { return nil }
    defer { close(file) }
    return Descriptor.content(of: file, limit: limit)
  }
}

/// The directory in which /proc has the names of this process's descriptors, held open: a call on one of
/// them then looks up one name instead of four.
///
/// A child that fork(2) has made must not use it, since it would meet the files of its parent.
package final class DescriptorNames: Sendable {
  package let directory: CInt

  /// The corresponding C function is open(2).
  ///
  /// - Returns: `nil` if there is no /proc.
  package init?() {
    directory = unsafe open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory < 0 { return nil }
  }

  deinit { if directory >= 0 { close(directory) } }
}

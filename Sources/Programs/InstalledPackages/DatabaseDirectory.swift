internal import CLinux
internal import Glibc
internal import LinuxSystem

/// A directory of a package database, held open.
///
/// It and its files must belong to a user who is trusted, and nobody else may write to them; no link in it
/// is followed. What is otherwise does not count, and is not read.
final class DatabaseDirectory {
  /// The most files of a package manager's directory: ten for each of 20,000 packages.
  private static let limit = 200_000

  let path: FilePath
  private let descriptor: CInt
  private let owners: Set<uid_t>

  /// How a directory is reached.
  enum Way {
    /// Over links of the system.
    case anyhow
    case withoutLinks
  }

  /// Opens a directory; `nil` if there is none that counts.
  convenience init?(_ path: FilePath, of owners: Set<uid_t>, way: Way = .anyhow) {
    self.init(path, Self.open(path, way), owners)
  }

  private static func open(_ path: FilePath, _ way: Way) -> CInt {
    func open(_ flags: CInt) -> CInt {
      unsafe path.withCString { unsafe clinux_directory_open(AT_FDCWD, $0, flags) }
    }
    guard way == .withoutLinks else { return open(0) }
    let place = unsafe path.withCString {
      unsafe clinux_directory_locate(AT_FDCWD, $0, clinux_bounds.anywhere)
    }
    // Before Linux 5.6, and where a filter does not know the call.
    if place == -ENOSYS || place == -EPERM { return open(O_NOFOLLOW) }
    guard place >= 0 else { return place }
    defer { close(place) }
    return unsafe clinux_directory_open(place, ".", 0)
  }

  private init?(_ path: FilePath, _ descriptor: CInt, _ owners: Set<uid_t>) {
    guard descriptor >= 0 else { return nil }
    self.path = path
    self.descriptor = descriptor
    self.owners = owners
    var status = stat()
    // `deinit` closes the descriptor of what does not count.
    guard unsafe fstat(descriptor, &status) == 0, Self.counts(status, owners, S_IFDIR) else {
      return nil
    }
  }

  deinit { close(descriptor) }

  private static func counts(_ status: stat, _ owners: Set<uid_t>, _ type: mode_t) -> Bool {
    status.st_mode & S_IFMT == type && owners.contains(status.st_uid)
      && status.st_mode & S_IWOTH == 0
  }

  /// A directory in this one; `nil` if there is none that counts.
  func directory(_ name: [UInt8]) -> DatabaseDirectory? {
    guard let name = FilePath(bytes: name), !name.bytes.contains(UInt8(ascii: "/")) else {
      return nil
    }
    let opened = unsafe name.withCString {
      unsafe clinux_directory_open(descriptor, $0, O_NOFOLLOW)
    }
    return DatabaseDirectory(path.appending(name), opened, owners)
  }

  /// The names of the entries that end in a certain way, in the order of their bytes.
  func names(endingIn suffix: [UInt8] = []) -> [[UInt8]] {
    let copy = unsafe clinux_directory_open(descriptor, ".", 0)
    guard copy >= 0 else { return [] }
    guard let listing = unsafe fdopendir(copy) else {
      close(copy)
      return []
    }
    defer { unsafe closedir(listing) }
    var names: [[UInt8]] = []
    while names.count < Self.limit, let entry = unsafe readdir(listing) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
        guard let base = field.baseAddress else { return [UInt8]() }
        return unsafe Array(
          field.prefix(strnlen(base.assumingMemoryBound(to: CChar.self), field.count)))
      }
      if name == [0x2e] || name == [0x2e, 0x2e] { continue }
      if name.count > suffix.count, name.suffix(suffix.count).elementsEqual(suffix) {
        names.append(name)
      }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Calls a function with the content of a file, which counts.
  ///
  /// - Parameter buffer: is used for all files, and grows to the largest.
  /// - Returns: `nil` if there is no such file.
  /// - Throws: `DatabaseFlaw` for a file that is larger than the limit, or cannot be read.
  func withContent<Result>(
    of name: [UInt8], limit: Int, _ buffer: inout [UInt8],
    _ body: (ArraySlice<UInt8>) -> Result
  ) throws(DatabaseFlaw) -> Result? {
    guard let name = FilePath(bytes: name), let (file, size) = open(name) else { return nil }
    defer { close(file) }
    func flaw(_ reason: String) -> DatabaseFlaw {
      DatabaseFlaw(path: Array(path.appending(name).bytes), reason: reason)
    }
    guard size <= limit else { throw flaw("larger than \(limit >> 20) MiB") }
    if buffer.count <= size { buffer = [UInt8](repeating: 0, count: max(2 * size, 1 << 16)) }
    var filled = 0
    do throws(Errno) {
      while filled < buffer.count {
        let count = try Descriptor.retrying {
          unsafe buffer.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe read(file, base + filled, buffer.count - filled)
          }
        }
        if count == 0 { break }
        filled += count
      }
    } catch {
      throw flaw("cannot read: \(error)".lowercased())
    }
    return body(buffer[..<filled])
  }

  /// Opens a file, which the caller closes; `nil` if there is none that counts.
  private func open(_ name: FilePath) -> (file: CInt, size: Int)? {
    var status = stat()
    guard !name.bytes.contains(UInt8(ascii: "/")),
      let file = try? Descriptor.open(
        name, in: descriptor, followsLink: false, keepsAccessTime: geteuid() == 0)
    else { return nil }
    guard unsafe fstat(file, &status) == 0, Self.counts(status, owners, S_IFREG) else {
      close(file)
      return nil
    }
    return (file, Int(status.st_size))
  }

  /// A descriptor of a file, which the caller closes; `nil` if there is none that counts.
  func opened(_ name: String) -> CInt? { open(FilePath(name))?.file }

  /// Whether there is a file that counts.
  func has(_ name: String) -> Bool {
    guard let file = opened(name) else { return false }
    close(file)
    return true
  }

  /// When a file was last changed, in seconds since 1970-01-01T00:00:00Z; `nil` if there is none.
  ///
  /// The corresponding C function is fstatat(2).
  func modified(_ name: [UInt8]) -> Double? {
    guard let name = FilePath(bytes: name) else { return nil }
    var status = stat()
    let result = unsafe name.withCString {
      unsafe fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    return result == 0 ? Double(status.st_mtim.tv_sec) : nil
  }

  /// The content of a file, which counts; `nil` if there is no such file.
  func content(of name: String, limit: Int) throws(DatabaseFlaw) -> [UInt8]? {
    var buffer: [UInt8] = []
    return try withContent(of: Array(name.utf8), limit: limit, &buffer) { Array($0) }
  }
}

/// Why a database cannot be read.
package struct DatabaseFlaw: Error, Hashable {
  /// The path of the database or its file.
  package let path: [UInt8]
  package let reason: String

  package init(path: [UInt8], reason: String) {
    self.path = path
    self.reason = reason
  }
}

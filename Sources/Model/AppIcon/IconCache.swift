internal import Glibc
package import LinuxSystem

/// The user's cache of fetched answers and finished icons, below `$XDG_CACHE_HOME/docsource/v1`.
///
/// Several processes and threads may use it at the same time: an entry is one file, replaced in one
/// step; a damaged one counts as missing and is removed. A cache to which other users may write is
/// refused.
package final class IconCache: Sendable {
  /// Whether missing directories are made.
  package enum Access: Sendable {
    case reading
    case writing
  }

  /// The limits to which `prune` reduces the cache.
  package static let byteLimit: Int64 = 32 << 20
  package static let entryLimit = 2000

  package let path: FilePath
  let root: PrivateDirectory

  private static let tag = """
    Signature: 8a477f597d28d172789f06886806bc55
    # This directory holds a cache of docsource; see https://bford.info/cachedir/

    """
  private static let lockStripes: UInt8 = 64

  /// Opens the cache of a user.
  ///
  /// - Parameter home: the directory for all caches, see `BaseDirectories.cacheHome`.
  /// - Returns: `nil` if there is no cache and `access` is `reading`.
  /// - Throws: `IconCacheError` where it cannot be opened or made, or is not ours alone.
  package static func open(
    in home: FilePath?, for access: Access = .reading
  ) throws(IconCacheError) -> IconCache? {
    guard let home else { throw IconCacheError(nil, .noPlace) }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var parent = unsafe home.withCString { unsafe Glibc.open($0, flags) }
    if parent < 0, errno == ENOENT {
      guard access == .writing else { return nil }
      // XDG Base Directory Specification: missing directories are made, for the user alone.
      try Result { () throws(Errno) in try home.makeDirectories() }
        .mapError { IconCacheError(home, .errno($0)) }.get()
      parent = unsafe home.withCString { unsafe Glibc.open($0, flags) }
    }
    guard parent >= 0 else { throw IconCacheError(home, .errno(.current)) }
    defer { close(parent) }
    let ours = home.appending(FilePath("docsource"))
    guard let top = try PrivateDirectory.open("docsource", in: parent, path: ours, access),
      let root = try top.directory("v1", access)
    else { return nil }
    let cache = IconCache(root)
    if access == .writing { try cache.writeTag() }
    return cache
  }

  private init(_ root: PrivateDirectory) {
    self.root = root
    path = root.path
  }

  /// By the Cache Directory Tagging Specification, so that backups leave the cache out.
  private func writeTag() throws(IconCacheError) {
    let name = "CACHEDIR.TAG"
    if let (file, _) = root.file(name) {
      close(file)
    } else {
      try root.replace(name, with: Array(Self.tag.utf8))
    }
  }

  /// Takes the right to fetch a URL. The new holder must look again whether another has fetched it.
  ///
  /// - Parameter patience: how long to wait while another has it.
  /// - Throws: `IconCacheError`, `busy` where the patience is over.
  package func lock(
    _ url: ResolvedURL, patience: Duration = .seconds(30)
  ) throws(IconCacheError) -> CacheLock {
    let path = path.appending(FilePath("locks"))
    guard let locks = try root.directory("locks", .writing) else {
      throw IconCacheError(path, .errno(.noSuchFile))
    }
    let stripe = (SHA256Digest(of: url.text.utf8).bytes.first ?? 0) % Self.lockStripes
    return try CacheLock(String(stripe), in: locks, patience: patience)
  }

  /// The directory and the name of a URL's entry; `nil` if the directory is missing.
  func place(
    of url: ResolvedURL, _ access: Access
  ) throws(IconCacheError) -> (PrivateDirectory, name: String)? {
    let name = SHA256Digest(of: url.text.utf8).hexadecimal
    guard let responses = try root.directory("http", access),
      let directory = try responses.directory(String(name.prefix(2)), access)
    else { return nil }
    return (directory, name)
  }

  /// The directory of finished icons; `nil` if it is missing.
  func icons(_ access: Access) throws(IconCacheError) -> PrivateDirectory? {
    try root.directory("icons", access)
  }

  /// The last chunk of every PNG, which is missing where a file was cut short.
  private static let end: [UInt8] = [
    0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
  ]

  /// The path of a finished icon; `nil` if there is none. One that is cut short is removed;
  /// another counts as used.
  ///
  /// - Throws: `IconCacheError` where a directory of the cache is not ours alone.
  package func icon(_ key: RenderingKey) throws(IconCacheError) -> FilePath? {
    let name = Self.name(key)
    guard let directory = try icons(.reading), let (file, status) = directory.file(name) else {
      return nil
    }
    defer { close(file) }
    var tail = [UInt8](repeating: 0, count: Self.end.count)
    let offset = status.st_size - off_t(tail.count)
    let count = unsafe tail.withUnsafeMutableBytes { tail in
      unsafe pread(file, tail.baseAddress, tail.count, max(0, offset))
    }
    guard count == tail.count, tail == Self.end else {
      directory.remove(name)
      return nil
    }
    directory.touch(file, status)
    return directory.path.appending(FilePath(name))
  }

  /// Keeps a finished icon and returns its path.
  package func store(_ png: [UInt8], as key: RenderingKey) throws(IconCacheError) -> FilePath {
    let name = Self.name(key)
    guard let directory = try icons(.writing) else {
      throw IconCacheError(path, .errno(.noSuchFile))
    }
    try directory.replace(name, with: png)
    return directory.path.appending(FilePath(name))
  }

  private static func name(_ key: RenderingKey) -> String { key.digest.hexadecimal + ".png" }
}

/// The right to fetch a URL, which one process, and one thread in it, has at a time.
///
/// The right ends with this value, or with the process, however the process ends. URLs share a limited
/// number of locks, so a thread must not hold two.
package struct CacheLock: ~Copyable, Sendable {
  private let descriptor: CInt

  /// Takes the lock, waiting while another process or thread holds it.
  ///
  /// The corresponding C function is flock(2), which knows no time out.
  init(
    _ name: String, in directory: PrivateDirectory, patience: Duration
  ) throws(IconCacheError) {
    let path = directory.path.appending(FilePath(name))
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC
    let descriptor = unsafe openat(directory.descriptor, name, flags, 0o600)
    guard descriptor >= 0 else { throw IconCacheError(path, .errno(.current)) }
    let end = Clock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let errno = Errno.current
      let isHeld = errno.rawValue == EWOULDBLOCK || errno.rawValue == EINTR
      guard isHeld, Clock.now < end else {
        close(descriptor)
        throw IconCacheError(path, isHeld ? .busy : .errno(errno))
      }
      usleep(5000)
    }
    self.descriptor = descriptor
  }

  /// Gives the right up. Without this, it may end any time after the value's last use.
  package consuming func release() {}

  deinit { close(descriptor) }
}

/// Why the cache cannot be used.
package struct IconCacheError: Error, Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    case noPlace
    case errno(Errno)
    case notDirectory
    case notOurs
    case notPrivate
    case tooLarge
    case busy
  }

  /// The file or directory concerned; `nil` for `noPlace`.
  package let path: FilePath?
  package let cause: Cause

  init(_ path: FilePath?, _ cause: Cause) {
    self.path = path
    self.cause = cause
  }

  /// In words that follow the path.
  package var reason: String {
    switch cause {
    case .noPlace: BaseDirectories.Home.cache.absence
    case .errno(let errno): errno.description.lowercased()
    case .notDirectory: "not a directory, or a symbolic link"
    case .notOurs: "the directory belongs to another user"
    case .notPrivate: "other users may write to the directory"
    case .tooLarge: "the content is longer than \(CacheEntry.bodyLimit >> 20) MiB"
    case .busy: "another process is taking too long to fetch the icon"
    }
  }
}

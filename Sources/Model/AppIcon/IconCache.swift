internal import Applications
internal import Glibc
public import LinuxSystem

/// The user's cache of fetched answers and finished icons, below `$XDG_CACHE_HOME/docsource/v1`.
///
/// Several processes and threads may use it at once: an entry is one file, put there at once, and
/// one that is damaged counts as missing and is removed. A cache that is not ours alone is refused.
public final class IconCache: Sendable {
  /// Whether what is missing is made.
  public enum Access: Sendable {
    case reading
    case writing
  }

  /// The limits to which `prune` brings the cache.
  public static let byteLimit: Int64 = 32 << 20
  public static let entryLimit = 2000

  public let path: FilePath
  let root: PrivateDirectory

  private static let tag = """
    Signature: 8a477f597d28d172789f06886806bc55
    # This directory holds a cache of docsource; see https://bford.info/cachedir/

    """
  private static let lockStripes: UInt8 = 64

  /// Opens the cache of a user.
  ///
  /// - Parameter home: the directory for all caches, see `BaseDirectories.cacheHome`.
  /// - Returns: `nil` where there is none and it is only to be read.
  /// - Throws: `IconCacheError` where it cannot be opened or made, or is not ours alone.
  public static func open(
    in home: FilePath?, for access: Access = .reading
  ) throws(IconCacheError) -> IconCache? {
    guard let home else { throw IconCacheError(FilePath(""), .noPlace) }
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var parent = unsafe home.withCString { unsafe Glibc.open($0, flags) }
    if parent < 0, errno == ENOENT {
      guard access == .writing else { return nil }
      // XDG Base Directory Specification: what is missing is made, for the user alone.
      do throws(Errno) {
        try home.makeDirectories()
      } catch {
        throw IconCacheError(home, .errno(error))
      }
      parent = unsafe home.withCString { unsafe Glibc.open($0, flags) }
    }
    guard parent >= 0 else { throw IconCacheError(home, .errno(.current)) }
    defer { close(parent) }
    let access: PrivateDirectory.Access = access == .writing ? .writing : .reading
    let ours = home.appending(FilePath("docsource"))
    guard
      let top = try PrivateDirectory.open("docsource", in: parent, path: ours, access),
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

  /// Takes the right to fetch a URL. Whoever gets it looks again whether another has fetched it.
  ///
  /// - Parameter patience: how long to wait while another has it.
  /// - Throws: `IconCacheError`, `busy` where the patience is over.
  public func lock(
    _ url: ResolvedURL, patience: Duration = .seconds(30)
  ) throws(IconCacheError) -> CacheLock {
    let path = path.appending(FilePath("locks"))
    guard let locks = try root.directory("locks", .writing) else {
      throw IconCacheError(path, .errno(.noSuchFile))
    }
    let stripe = (SHA256Digest(of: url.text.utf8).bytes.first ?? 0) % Self.lockStripes
    return try CacheLock(String(stripe), in: locks, patience: patience)
  }

  /// The directory and the name of a URL's entry; `nil` where the directory is missing.
  func place(
    of url: ResolvedURL, _ access: PrivateDirectory.Access
  ) throws(IconCacheError) -> (PrivateDirectory, name: String)? {
    let name = SHA256Digest(of: url.text.utf8).hexadecimal
    guard let responses = try root.directory("http", access),
      let directory = try responses.directory(String(name.prefix(2)), access)
    else { return nil }
    return (directory, name)
  }

  /// The directory of finished icons; `nil` where it is missing.
  func icons(_ access: PrivateDirectory.Access) throws(IconCacheError) -> PrivateDirectory? {
    try root.directory("icons", access)
  }
}

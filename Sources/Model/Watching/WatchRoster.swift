internal import FileTree
internal import Glibc
package import LinuxSystem

/// Whose directories are watched.
package enum WatchRoster {
  /// What to watch.
  package enum Choice {
    /// The directories of the users who have switched it on.
    case users
    /// These directories, for their owners.
    case directories([FilePath], WatchSettings)
  }

  /// Why something is not watched, in words that follow the path.
  package struct Flaw: Hashable {
    package let path: FilePath
    package let reason: String
  }

  /// The directories of this process's own user that are watched once that is switched on.
  package static func ownDirectories(_ settings: WatchSettings) -> [[UInt8]] {
    guard let account = UserAccount.current() else { return [] }
    var seen: Set<[UInt8]> = []
    return account.directories(settings).compactMap { _, path in
      guard TreeEntry.Kind(of: path, links: .follow) == .directory, mayBeWatched(path, account)
      else { return nil }
      return WatchedDirectory.realPath(path)
    }
    .filter { seen.insert($0).inserted }
  }

  /// The directories that this process's own user has named and that are not there.
  package static func missingDirectories(_ settings: WatchSettings) -> [FilePath] {
    guard let account = UserAccount.current() else { return [] }
    return account.directories(settings).filter { $0.name == nil }.map(\.path)
      .filter { TreeEntry.Kind(of: $0, links: .follow) != .directory }
  }

  /// Whether this process's own user may have a directory watched: it is the home directory, below
  /// that, or the user's own.
  package static func mayBeWatched(_ path: FilePath) -> Bool {
    UserAccount.current().map { mayBeWatched(path, $0) } ?? false
  }

  private static func mayBeWatched(_ path: FilePath, _ account: UserAccount) -> Bool {
    guard let real = WatchedDirectory.realPath(path) else { return false }
    let home = WatchedDirectory.realPath(account.home)
    let isOfHome = home.map { real == $0 || WatchedDirectory.isPath(real, below: $0) } ?? false
    return isOfHome || FileFingerprint(path)?.owner == account.user
  }

  /// The owners of directories, each with the own ones, and what is wrong with the others.
  static func owners(
    of paths: [FilePath]
  ) -> (owners: [UserAccount: [FilePath]], flaws: [Flaw]) {
    let accounts = UserAccount.all()
    var owners: [UserAccount: [FilePath]] = [:]
    var flaws: [Flaw] = []
    for path in paths {
      var status = stat()
      let isThere = unsafe path.withCString { unsafe stat($0, &status) } == 0
      guard isThere, status.st_mode & S_IFMT == S_IFDIR, let real = path.realPath else {
        let reason = isThere ? "not a directory" : Errno.current.description.lowercased()
        flaws.append(Flaw(path: path, reason: "cannot watch: \(reason)"))
        continue
      }
      let own = status.st_uid == geteuid() ? UserAccount.current() : nil
      let account =
        own ?? accounts.first { $0.user == status.st_uid }
        ?? UserAccount(
          name: "\(status.st_uid)", user: status.st_uid, group: status.st_gid,
          home: FilePath("/nonexistent"))
      owners[account, default: []].append(real)
    }
    return (owners, flaws)
  }
}

/// The state of a file, which tells without reading whether the file has changed.
struct FileFingerprint: Hashable {
  let owner: UInt32
  /// The device, the inode, the size and the times.
  private var numbers: [Int]

  /// - Returns: `nil` if there is no such file.
  init?(_ path: FilePath) {
    var status = stat()
    guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else { return nil }
    owner = status.st_uid
    numbers = [
      Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)),
      Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
      status.st_ctim.tv_nsec,
    ]
  }

  /// For a directory: the same, whatever it contains.
  var withoutTimes: FileFingerprint {
    var copy = self
    copy.numbers = Array(numbers.prefix(2))
    return copy
  }
}

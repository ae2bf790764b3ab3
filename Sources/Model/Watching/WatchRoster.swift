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
    case directories([FilePath], include: [String], exclude: [String], WatchPolicy)
  }

  /// Why something is not watched, in words that follow the path.
  package struct Flaw: Hashable {
    package let path: FilePath
    package let reason: String
  }

  /// The directories of this process's own user that are watched once that is switched on.
  package static func ownDirectories() -> [[UInt8]] {
    guard let account = UserAccount.current() else { return [] }
    let home = WatchedDirectory.realPath(account.home)
    var seen: Set<[UInt8]> = []
    return account.directories.compactMap { _, path in
      guard TreeEntry.Kind(of: path, links: .follow) == .directory,
        let real = WatchedDirectory.realPath(path)
      else { return nil }
      let isBelowHome = home.map { WatchedDirectory.isPath(real, below: $0) } ?? false
      guard isBelowHome || FileFingerprint(path)?.owner == account.user else { return nil }
      return real
    }
    .filter { seen.insert($0).inserted }
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

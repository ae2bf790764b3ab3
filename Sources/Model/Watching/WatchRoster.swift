internal import Applications
internal import FileTree
package import ForeignFormats
internal import Glibc
package import LinuxSystem

/// The users whose directories are watched.
package final class WatchRoster {
  /// What to watch.
  package enum Choice {
    /// The directories of the users who have switched it on.
    case users
    /// These directories, for their owners.
    case directories([FilePath], WatchGlobs, WatchPolicy)
  }

  /// Why something is not watched, in words that follow the path.
  package struct Flaw: Hashable {
    package let path: FilePath
    package let reason: String
  }

  /// Reads what AppStream's metainfo says of applications, in the order of the files.
  ///
  /// The files may be a user's own, so no parser of XML may read them with root's rights.
  ///
  /// - Returns: `nil` where `interruption`, a descriptor, became readable first.
  package typealias MetainfoReader =
    (MetainfoFiles, _ interruption: CInt) throws -> [ApplicationDescription]?

  private let choice: Choice
  private let describer: ApplicationDescriber
  /// The watched users, by their numbers.
  private(set) var users: [UInt32: WatchedUser] = [:]
  private(set) var flaws: [Flaw] = []
  private var generation = 0
  private var listFingerprint: FileFingerprint?
  /// The state of all files that were read for an account.
  private var fingerprints: [UserAccount: [FileFingerprint?]] = [:]

  /// - Parameters:
  ///   - interruption: a descriptor that becomes readable when the reading of metainfo must not go on.
  ///   - read: has metainfo read.
  init(_ choice: Choice, interruption: CInt, _ read: @escaping MetainfoReader) {
    self.choice = choice
    describer = ApplicationDescriber(interruption: interruption, read)
    reload()
  }

  var metainfoFailure: String? { describer.failure }

  var directories: [WatchedDirectory] {
    users.sorted { $0.key < $1.key }.flatMap(\.value.places.directories)
  }

  func reload() {
    describer.reset()
    readAll()
  }

  private func readAll() {
    listFingerprint = FileFingerprint(UserAccount.list)
    users = [:]
    fingerprints = [:]
    switch choice {
    case .users: read(UserAccount.all())
    case .directories(let directories, let globs, let policy):
      generation += 1
      flaws = []
      add(directories, globs, policy)
      for user in users.values { fingerprints[user.account] = fingerprint(user.account) }
      describer.release()
    }
  }

  /// Reads again what has changed, only of the users concerned, since that takes a while.
  func reloadIfChanged() -> Bool {
    guard FileFingerprint(UserAccount.list) == listFingerprint else {
      readAll()
      return true
    }
    let changed = fingerprints.filter { $0.value != fingerprint($0.key) }
    guard !changed.isEmpty else { return false }
    guard case .users = choice else {
      readAll()
      return true
    }
    let numbers = Set(changed.map(\.key.user))
    for number in numbers { users[number] = nil }
    read(UserAccount.all().filter { numbers.contains($0.user) })
    return true
  }

  /// Reads the settings of those accounts that are not watched yet.
  private func read(_ accounts: [UserAccount]) {
    generation += 1
    flaws = []
    for account in accounts where users[account.user] == nil {
      take(FileRights.ofUser(account.user, group: account.group) { watched(account) })
    }
    describer.release()
    for account in accounts { fingerprints[account] = fingerprint(account) }
  }

  /// Users get their metainfo one after the other, so that the files of only one are in memory.
  private func take(_ user: WatchedUser?) {
    guard let user else { return }
    describer.describe(user)
    users[user.account.user] = user
  }

  private func watched(_ account: UserAccount) -> WatchedUser? {
    do throws(UserFile.Failure) {
      let settings = try WatchSettings.read(account.places)
      guard settings.isEnabled else { return nil }
      let file = try WatchSettings.file(account.places)
      guard FileFingerprint(file.path)?.owner == account.user else {
        throw UserFile.Failure(path: file.path, reason: Self.foreign)
      }
      return (try? WatchGlobs(include: settings.include, exclude: settings.exclude)).map { globs in
        WatchedUser(
          account, Self.directories(of: account), globs, settings.policy, generation: generation)
      }
    } catch {
      flaws.append(Flaw(path: error.path ?? account.home, reason: error.reason))
      return nil
    }
  }

  private static let foreign =
    "ignored, because the file belongs to another user, who cannot enable watching for you"

  /// The directories of this process's own user that are watched once that is switched on.
  package static func ownDirectories() -> [[UInt8]] {
    UserAccount.current().map(directories)?.map(\.path) ?? []
  }

  /// The existing ones of a user's directories.
  private static func directories(of account: UserAccount) -> [WatchedDirectory] {
    let home = WatchedDirectory.realPath(account.home)
    var seen: Set<[UInt8]> = []
    return UserDirectories(account.places).paths.compactMap { name in
      let isAbsolute = name.bytes.first == UInt8(ascii: "/")
      let path = isAbsolute ? name : account.home.appending(name)
      guard TreeEntry.Kind(of: path, links: .follow) == .directory else { return nil }
      return WatchedDirectory(path, home: home, name: name)
    }
    .filter { seen.insert($0.path).inserted }
  }

  private func add(_ paths: [FilePath], _ globs: WatchGlobs, _ policy: WatchPolicy) {
    let accounts = UserAccount.all()
    var directories: [UInt32: [WatchedDirectory]] = [:]
    var owners: [UInt32: UserAccount] = [:]
    for path in paths {
      var status = stat()
      let isThere = unsafe path.withCString { unsafe stat($0, &status) } == 0
      guard isThere, status.st_mode & S_IFMT == S_IFDIR else {
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
      owners[account.user] = account
      if let directory = WatchedDirectory(path, home: WatchedDirectory.realPath(account.home)) {
        directories[account.user, default: []].append(directory)
      }
    }
    for (user, account) in owners {
      take(
        FileRights.ofUser(user, group: account.group) {
          WatchedUser(account, directories[user] ?? [], globs, policy, generation: generation)
        })
    }
  }

  /// The state of all that is read for a user: a few files and directories.
  private func fingerprint(_ account: UserAccount) -> [FileFingerprint?] {
    FileRights.ofUser(account.user, group: account.group) {
      let places = account.places
      let files = ["docsource/watch.json", "docsource/apps.json", UserDirectories.file]
      let settings = files.compactMap { places.configHome?.appending(FilePath($0)) }
      guard users[account.user] != nil else { return settings.prefix(1).map(FileFingerprint.init) }
      let applications = places.dataDirectories.map { $0.appending(FilePath("applications")) }
      let own = UserDirectories(places).paths.map { account.home.appending($0) }
      return (settings + applications).map(FileFingerprint.init)
        // The times of these directories change with every file.
        + own.map { FileFingerprint($0)?.withoutTimes }
    }
  }
}

/// The state of a file, which tells without reading whether the file has changed.
struct FileFingerprint: Hashable {
  let owner: UInt32
  /// The device, the inode, the size and the times.
  private var numbers: [Int]

  /// - Returns: `nil` where there is no such file.
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

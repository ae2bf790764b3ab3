import Applications
import Attribution
import FileTree
import Glibc
import LinuxSystem

/// Whose directories are watched, and which.
final class WatchRoster {
  /// What is to be watched.
  enum Choice {
    /// What users have switched on.
    case users
    /// Directories, for their owners.
    case directories([FilePath], WatchGlobs, WatchPolicy)
  }

  /// Why something is not watched, in words that follow the path.
  struct Flaw {
    let path: FilePath
    let reason: String
  }

  private let choice: Choice
  private let describer: ApplicationDescriber
  /// By their numbers.
  private(set) var users: [UInt32: WatchedUser] = [:]
  private(set) var flaws: [Flaw] = []
  private var generation = 0
  private var listFingerprint: FileFingerprint?
  /// Of each account that is looked at.
  private var fingerprints: [UserAccount: [FileFingerprint?]] = [:]

  /// - Parameter interruption: a descriptor that can be read from when there is something to do that
  ///   does not wait.
  init(_ choice: Choice, interruption: CInt) {
    self.choice = choice
    describer = ApplicationDescriber(interruption: interruption)
    reload()
  }

  /// Why applications are not described, in words.
  var descriptionFailure: String? { describer.failure }

  /// All directories.
  var directories: [WatchedDirectory] {
    users.sorted { $0.key < $1.key }.flatMap(\.value.places.directories)
  }

  /// Reads everything again.
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

  /// Reads again what may have changed: for each user alone, since it takes a while.
  ///
  /// - Returns: whether anything has.
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

  /// Reads the settings of users that are not watched yet.
  private func read(_ accounts: [UserAccount]) {
    generation += 1
    flaws = []
    for account in accounts where users[account.user] == nil {
      take(FileRights.ofUser(account.user, group: account.group) { watched(account) })
    }
    describer.release()
    for account in accounts { fingerprints[account] = fingerprint(account) }
  }

  /// Users are described one after the other, so that their files are not in memory together.
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
      guard
        let globs = try? WatchGlobs(include: settings.include, exclude: settings.exclude)
      else { return nil }
      return WatchedUser(
        account, Self.directories(of: account), globs, settings.policy, generation: generation)
    } catch {
      flaws.append(Flaw(path: error.path ?? account.home, reason: error.reason))
      return nil
    }
  }

  private static let foreign =
    "it counts for nothing, being another user's: nobody switches watching on for somebody else"

  /// Those of a user's directories that exist.
  static func directories(of account: UserAccount) -> [WatchedDirectory] {
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
      guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else {
        let reason = Errno.current.description.lowercased()
        flaws.append(Flaw(path: path, reason: "cannot watch: \(reason)"))
        continue
      }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        flaws.append(Flaw(path: path, reason: "cannot watch: it is not a directory"))
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

  /// Of all that is read of a user: a few files and directories.
  private func fingerprint(_ account: UserAccount) -> [FileFingerprint?] {
    FileRights.ofUser(account.user, group: account.group) {
      let places = account.places
      let files = ["docsource/watch.json", "docsource/apps.json", UserDirectories.file]
      let settings = files.compactMap { places.configHome?.appending(FilePath($0)) }
      guard users[account.user] != nil else { return settings.prefix(1).map(FileFingerprint.init) }
      let applications = places.dataDirectories.map { $0.appending(FilePath("applications")) }
      let own = UserDirectories(places).paths.map { account.home.appending($0) }
      return (settings + applications).map(FileFingerprint.init)
        // Their times change with every file.
        + own.map { FileFingerprint($0)?.withoutTimes }
    }
  }
}

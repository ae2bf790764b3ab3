import Applications
import Glibc
import LinuxSystem

/// A user of this machine, by a line of /etc/passwd; see passwd(5).
///
/// The C library's own way, getpwent(3), loads libraries, which a static executable cannot; and
/// directories of users, such as LDAP, do not name all of theirs to it by default.
struct UserAccount: Hashable, Sendable {
  let name: String
  let user: UInt32
  let group: UInt32
  let home: FilePath

  private static let limit = 16 << 20
  /// The user to whom nothing belongs.
  static let nobody: UInt32 = 65534

  static let list = FilePath("/etc/passwd")

  /// Those of people and root's; the accounts of services are left out.
  static func all() -> [UserAccount] {
    let content = InstalledFile(path: list).content(limit: limit) ?? []
    return content.split(separator: UInt8(ascii: "\n")).compactMap { UserAccount(line: $0) }
      .filter { $0.user == 0 || $0.user >= 1000 && $0.user != nobody }
  }

  /// - Returns: `nil` for a line of another form.
  init?(line: ArraySlice<UInt8>) {
    let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard fields.count == 7, !fields[0].isEmpty, fields[5].first == UInt8(ascii: "/"),
      let user = UInt32(String(decoding: fields[2], as: UTF8.self)),
      let group = UInt32(String(decoding: fields[3], as: UTF8.self)),
      let home = FilePath(bytes: fields[5])
    else { return nil }
    self.init(
      name: String(decoding: fields[0], as: UTF8.self), user: user, group: group, home: home)
  }

  init(name: String, user: UInt32, group: UInt32, home: FilePath) {
    self.name = name
    self.user = user
    self.group = group
    self.home = home
  }

  /// Where the user's files are. What the variables of a session say counts for this process's own
  /// user only.
  var places: BaseDirectories {
    if user == geteuid(), let own = BaseDirectories.current().home, own == home {
      return .current()
    }
    return BaseDirectories { name in name == "HOME" ? Array(home.bytes) : nil }
  }

  /// This process's own user.
  static func current() -> UserAccount? {
    let listed = all().first { $0.user == geteuid() }
    guard let home = BaseDirectories.current().home ?? listed?.home else { return nil }
    return UserAccount(
      name: listed?.name ?? "\(geteuid())", user: geteuid(), group: getegid(), home: home)
  }
}

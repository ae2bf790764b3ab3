internal import Applications
internal import Glibc
internal import LinuxSystem

/// A user of this machine, by a line of /etc/passwd; see passwd(5).
///
/// getpwent(3) loads libraries, which a static executable cannot do; and directory services such as
/// LDAP by default do not list all of their users to it.
struct UserAccount: Hashable, Sendable {
  let name: String
  let user: UInt32
  let group: UInt32
  let home: FilePath

  private static let limit = 16 << 20
  static let list = FilePath("/etc/passwd")

  /// The accounts of people and of root, without those of services.
  static func all() -> [UserAccount] {
    let content = InstalledFile(path: list).content(limit: limit) ?? []
    return content.split(separator: UInt8(ascii: "\n")).compactMap { UserAccount(line: $0) }
      .filter { $0.user == 0 || $0.user >= 1000 && $0.user != FileRights.nobody }
  }

  /// Where the user's files are. The variables of this process's session only count for its own
  /// user.
  var places: BaseDirectories {
    if user == geteuid(), let own = BaseDirectories.current().home, own == home {
      return .current()
    }
    return BaseDirectories { name in name == "HOME" ? Array(home.bytes) : nil }
  }

  /// The directories that the user keeps documents in, by their names and absolute.
  var directories: [(name: FilePath, path: FilePath)] {
    UserDirectories(places).paths.map { name in
      (name, name.bytes.first == UInt8(ascii: "/") ? name : home.appending(name))
    }
  }

  /// These, and those that the user has named besides.
  func directories(_ settings: WatchSettings) -> [(name: FilePath?, path: FilePath)] {
    directories.map { ($0.name, $0.path) }
      + settings.directories.compactMap { text in
        guard let path = FilePath(bytes: Array(text.utf8)), !text.isEmpty else { return nil }
        return (nil, text.hasPrefix("/") ? path : text == "." ? home : home.appending(path))
      }
  }

  /// The account of this process's own user.
  static func current() -> UserAccount? {
    let listed = all().first { $0.user == geteuid() }
    guard let home = BaseDirectories.current().home ?? listed?.home else { return nil }
    return UserAccount(
      name: listed?.name ?? "\(geteuid())", user: geteuid(), group: getegid(), home: home)
  }
}

extension UserAccount {
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
}

import LinuxSystem

/// What keeps a file from carrying a user attribute.
enum Obstacle: Hashable {
  /// Only regular files and directories can.
  case kind(FileStatus.Kind)
  case fileSystem(because: String, help: String?)
  case readOnlyMount(point: String?)
  case immutable
  case appendOnly
  case permission(owner: UInt32, mode: UInt32, user: UInt32)
  case stickyDirectory(owner: UInt32)
  /// The permissions would do; the names of the security modules that are at work.
  case refusal(modules: String?)
  case noRoom

  /// In one word, for programs.
  var code: String {
    switch self {
    case .kind(.link): "symbolic-link"
    case .kind: "kind"
    case .fileSystem: "file-system"
    case .readOnlyMount: "read-only"
    case .immutable: "immutable"
    case .appendOnly: "append-only"
    case .permission: "permission"
    case .stickyDirectory: "sticky-directory"
    case .refusal: "refusal"
    case .noRoom: "no-room"
    }
  }

  /// In words that stand alone.
  var words: String {
    switch self {
    case .kind(.link): "Linux stores no user attributes on a symbolic link itself"
    case .kind(let kind): "Linux stores none on a \(kind.rawValue), only on files and directories"
    case .fileSystem(let reason, _): reason
    case .readOnlyMount: "it is mounted read-only"
    case .immutable: "the file is immutable"
    case .appendOnly: "the file is append-only"
    case .permission(let owner, let mode, let user):
      "no write permission: owner \(Self.name(owner)), mode \(Self.octal(mode)), you are"
        + " \(Self.name(user))"
    case .stickyDirectory(let owner):
      "only the owner, \(Self.name(owner)), may write attributes of a sticky directory"
    case .refusal(let modules):
      "it is refused in spite of the mode: by an access control list or a security module"
        + (modules.map { " (\($0))" } ?? "")
    case .noRoom:
      "there is no room: the disk or the quota is full, or other attributes take it"
    }
  }

  /// What would lift it; `nil` where nothing does.
  var help: String? {
    switch self {
    case .kind(.link): "leave out --no-dereference to examine what it points to"
    case .kind: nil
    case .fileSystem(_, let help):
      help ?? "keep it on ext4, xfs, btrfs or tmpfs, or 'docsource export' its source"
    case .readOnlyMount(let point): "as root: mount -o remount,rw " + (point ?? "MOUNTPOINT")
    case .immutable: "as root: chattr -i"
    case .appendOnly: "as root: chattr -a"
    case .permission(let owner, _, let user):
      owner == user ? "chmod u+w" : "ask the owner, or root"
    case .stickyDirectory: "ask the owner, or root"
    case .refusal: "look at getfacl and the system's log"
    case .noRoom: "make room, or remove other attributes of the file"
    }
  }

  static func name(_ user: UInt32) -> String { user == 0 ? "root" : "\(user)" }

  static func octal(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

import CLinux
import CommandLineInterface
import DocumentSource
import Glibc
import LinuxSystem
import TextFormats
import Xattr

/// Whether and how a file can store a user attribute.
struct Examination {
  /// The size that a value may have, in bytes.
  enum Room: Hashable {
    /// Tried beside the file.
    case measured(Int)
    /// The fixed limit of the file system.
    case known(Int)
    case unknown

    var bytes: Int? {
      switch self {
      case .measured(let bytes), .known(let bytes): bytes
      case .unknown: nil
      }
    }
  }

  let path: FilePath
  let status: FileStatus
  let mount: Mount?
  let type: FileSystemType
  /// The attribute that the file has now.
  let stored: StoredValue?
  /// Why the attribute cannot be read.
  let unreadable: XattrError?
  let room: Room
  /// Empty where the attribute can be stored.
  let obstacles: [Obstacle]

  /// Examines a file without changing it.
  ///
  /// - Throws: `Errno` where the file cannot be reached.
  init(_ path: FilePath, links: Links) throws(Errno) {
    self.path = path
    status = try FileStatus(path, links: links)
    mount = Mount(number: status.mount)
    type = FileSystemType(magic: status.magic, mounted: mount?.type)
    let file = FileReference.path(path, links: links)
    (stored, unreadable) = Self.stored(in: file)

    guard status.kind.carriesAttributes else {
      obstacles = [.kind(status.kind)]
      room = .unknown
      return
    }
    let attributes = ExtendedAttributes(of: file)
    let trial = Self.trial(status, attributes)
    if let lack = Self.lack(of: type, attributes, trial) {
      obstacles = [lack]
      room = .unknown
      return
    }
    switch (trial, type.support) {
    case (.room(let bytes), _): room = .measured(bytes)
    case (.noFile, _): room = .unknown
    case (_, .stores(let limit?)): room = .known(limit)
    default: room = .unknown
    }
    var obstacles = Self.obstacles(path, links, status, mount)
    // Without a fixed limit, as on ext4, there may be room for the attribute but no inode to try it.
    let isFull =
      switch (trial, type.support) {
      case (.full, _), (.noFile, .stores(.some)): true
      default: false
      }
    if isFull { obstacles.append(.noRoom) }
    self.obstacles = obstacles
  }

  private static func stored(in file: FileReference) -> (StoredValue?, XattrError?) {
    do throws(DocumentSourceError) {
      return (try DocumentSourceAttribute(of: file).stored(), nil)
    } catch {
      guard case .attribute(let failure) = error.cause, failure.errno != .notSupported else {
        return (nil, nil)
      }
      return (nil, failure)
    }
  }

  /// Tries the room in the directory, or in the one that the file stands in.
  private static func trial(
    _ status: FileStatus, _ attributes: ExtendedAttributes
  ) -> AttributeTrial.Result {
    status.directory.map { AttributeTrial.run(in: $0, like: attributes) } ?? .impossible
  }

  /// Why no file of the file system can have the attribute; `nil` where files can.
  private static func lack(
    of type: FileSystemType, _ attributes: ExtendedAttributes, _ trial: AttributeTrial.Result
  ) -> Obstacle? {
    if case .room = trial { return nil }
    var isUnsupported = trial == .unsupported
    do throws(XattrError) {
      _ = try attributes.value(of: SourceAttribute.nativeName)
    } catch {
      if error.errno == .notSupported { isUnsupported = true }
    }
    switch type.support {
    case .never(let reason, let help): return .fileSystem(because: reason, help: help)
    case _ where !isUnsupported: return nil
    case .depends(let reason, let help): return .fileSystem(because: reason, help: help)
    case .stores:
      let reason = "\(type.name) stores attributes, but not with this kernel or mount options"
      return .fileSystem(because: reason, help: nil)
    }
  }

  private static func obstacles(
    _ path: FilePath, _ links: Links, _ status: FileStatus, _ mount: Mount?
  ) -> [Obstacle] {
    var obstacles: [Obstacle] = []
    if status.isOnReadOnlyMount {
      obstacles.append(.readOnlyMount(point: mount.map { EscapedText($0.point.bytes).description }))
    }
    if status.isImmutable { obstacles.append(.immutable) }
    if status.isAppendOnly { obstacles.append(.appendOnly) }
    let user = geteuid()
    let nofollow: CInt = links == .noFollow ? 1 : 0
    let result = unsafe path.withCString { unsafe clinux_file_writable($0, nofollow) }
    switch result {
    case 0: break
    // These obstacles are already noted.
    case -EROFS where status.isOnReadOnlyMount, -EPERM where status.isImmutable: break
    case _ where status.permitsWriting(by: user, in: groups):
      obstacles.append(.refusal(modules: securityModules))
    default:
      obstacles.append(.permission(owner: status.owner, mode: status.mode, user: user))
    }
    let isSticky = status.kind == .directory && status.mode & S_ISVTX != 0
    if isSticky, user != 0, user != status.owner {
      obstacles.append(.stickyDirectory(owner: status.owner))
    }
    return obstacles
  }

  /// The corresponding C functions are getegid(2) and getgroups(2).
  private static var groups: [UInt32] {
    let count = getgroups(0, nil)
    guard count > 0 else { return [getegid()] }
    return [getegid()]
      + (unsafe [UInt32](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
        filled = max(0, Int(unsafe getgroups(count, buffer.baseAddress)))
      })
  }

  /// The security modules that the kernel lists in securityfs.
  private static var securityModules: String? {
    let path = FilePath("/sys/kernel/security/lsm")
    let file = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { return nil }
    defer { close(file) }
    return (try? Descriptor.read(file, limit: 4096)).flatMap { $0 }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// A reason why a file cannot carry a user attribute.
enum Obstacle: Hashable {
  /// Only regular files and directories can carry one.
  case kind(FileStatus.Kind)
  case fileSystem(because: String, help: String?)
  case readOnlyMount(point: String?)
  case immutable
  case appendOnly
  case permission(owner: UInt32, mode: UInt32, user: UInt32)
  case stickyDirectory(owner: UInt32)
  /// The permissions would allow it; with the names of the active security modules.
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
    case .kind(.link): "Linux does not store user attributes on symbolic links"
    case .kind(let kind):
      "Linux stores user attributes on files and directories, not on a \(kind.rawValue)"
    case .fileSystem(let reason, _): reason
    case .readOnlyMount: "the file system is mounted read-only"
    case .immutable: "the file is immutable"
    case .appendOnly: "the file is append-only"
    case .permission(let owner, let mode, let user):
      "no write permission: owner \(Self.name(owner)), mode \(Self.octal(mode)), you are"
        + " \(Self.name(user))"
    case .stickyDirectory(let owner):
      "only the owner, \(Self.name(owner)), may write attributes of a sticky directory"
    case .refusal(let modules):
      "refused despite the mode, by an access control list or a security module"
        + (modules.map { " (\($0))" } ?? "")
    case .noRoom:
      "no room: the disk or the quota is full, or other attributes use the space"
    }
  }

  /// What would remove the obstacle; `nil` where nothing would.
  var help: String? {
    switch self {
    case .kind(.link): "omit --no-dereference to examine the target of the link"
    case .kind: nil
    case .fileSystem(_, let help):
      help ?? "use ext4, xfs, btrfs or tmpfs, or keep the source with 'docsource export'"
    case .readOnlyMount(let point): "as root: mount -o remount,rw " + (point ?? "MOUNTPOINT")
    case .immutable: "as root: chattr -i"
    case .appendOnly: "as root: chattr -a"
    case .permission(let owner, _, let user):
      owner == user ? "chmod u+w" : "ask the owner, or root"
    case .stickyDirectory: "ask the owner, or root"
    case .refusal: "check getfacl and the system log"
    case .noRoom: "free space, or remove other attributes of the file"
    }
  }

  static func name(_ user: UInt32) -> String { user == 0 ? "root" : "\(user)" }

  static func octal(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// Tries on a file without a name how much room the attribute has.
private enum AttributeTrial {
  enum Result: Hashable {
    /// The largest value that can be stored, in bytes.
    case room(Int)
    case unsupported
    case full
    /// There is no room for another file, but there may be for the attribute.
    case noFile
    /// No such file can be made or written there, or the room in it says nothing about the file's.
    case impossible
  }

  /// The longest value on Linux, `XATTR_SIZE_MAX` of linux/limits.h.
  private static let limit = 65536
  /// The shortest value with a source: a name of one letter.
  private static let least = 53

  /// No existing file changes: the trial uses a file made with O_TMPFILE, which is gone when closed.
  /// The other attributes of `file` are copied there first, as some file systems have one place for
  /// all attributes of a file.
  static func run(in directory: FilePath, like file: ExtendedAttributes?) -> Result {
    var trial: StandInFile
    do throws(Errno) {
      trial = try StandInFile(in: directory)
    } catch {
      return [.noSpace, .quotaExceeded].contains(error) ? .noFile : .impossible
    }
    defer { trial.close() }
    guard let file else { return run(on: trial.attributes) }
    guard trial.copyAttributes(of: file, but: SourceAttribute.nativeName) else {
      return .impossible
    }
    let result = run(on: trial.attributes)
    // On a full disk the trial shares the block of the file's attributes, if it has one, and cannot
    // write into that block as the file can.
    let isUnclear =
      result == .full && trial.copied > 0 && run(in: directory, like: nil) == .full
    return isUnclear ? .impossible : result
  }

  /// A binary search: file systems do not tell their limits.
  private static func run(on trial: ExtendedAttributes) -> Result {
    switch set(1, on: trial) {
    case nil: break
    case .notSupported: return .unsupported
    case .noSpace, .quotaExceeded: return .full
    default: return .impossible
    }
    if set(limit, on: trial) == nil { return .room(limit) }
    var (fits, exceeds) = (1, limit)
    while exceeds - fits > 1 {
      let middle = (fits + exceeds) / 2
      if set(middle, on: trial) == nil { fits = middle } else { exceeds = middle }
    }
    return fits < least ? .full : .room(fits)
  }

  /// Removes the last value first: btrfs has less room where it makes an old value longer.
  private static func set(_ count: Int, on trial: ExtendedAttributes) -> Errno? {
    do throws(XattrError) {
      try trial.removeValue(of: SourceAttribute.nativeName)
      try trial.setValue([UInt8](repeating: 0x61, count: count), of: SourceAttribute.nativeName)
      return nil
    } catch {
      return error.errno
    }
  }
}

internal import CLinux
internal import Glibc
package import LinuxSystem
internal import TextFormats
package import Xattr

/// Whether and how a file can store a user attribute.
package struct Examination {
  /// The size that a value may have, in bytes.
  package enum Room: Hashable {
    /// Tried beside the file.
    case measured(Int)
    /// The fixed limit of the file system.
    case known(Int)
    case unknown

    package var bytes: Int? {
      switch self {
      case .measured(let bytes), .known(let bytes): bytes
      case .unknown: nil
      }
    }
  }

  package let path: FilePath
  package let status: FileStatus
  package let mount: Mount?
  package let type: FileSystemType
  /// The attribute that the file has now.
  package let stored: StoredValue?
  /// Why the attribute cannot be read.
  package let unreadable: XattrError?
  package let room: Room
  /// Empty where the attribute can be stored.
  package let obstacles: [Obstacle]

  /// Examines a file without changing it.
  ///
  /// - Throws: `Errno` where the file cannot be reached.
  package init(_ path: FilePath, links: Links) throws(Errno) {
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

  /// Why no file of the file system can have the attribute; `nil` if files can.
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
package enum Obstacle: Hashable {
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
  package var code: String {
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
  package var words: String {
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

  package static func name(_ user: UInt32) -> String { user == 0 ? "root" : "\(user)" }

  package static func octal(_ mode: UInt32) -> String {
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

/// A type of file system: its name, and what is known of it and user attributes.
package struct FileSystemType {
  /// How it stands with user attributes.
  enum Support: Hashable {
    /// It stores them; the bytes that a value has room for, where that is a fixed number.
    case stores(limit: Int? = nil)
    /// It stores them or not; in words, what it is due to where it does not.
    case depends(on: String, help: String? = nil)
    /// It stores none, in words why.
    case never(because: String, help: String? = nil)
  }

  package let name: String
  let support: Support

  /// - Parameters:
  ///   - magic: its number in statfs(2), from linux/magic.h.
  ///   - mounted: its name in /proc/self/mountinfo, which is more exact.
  init(magic: UInt64, mounted: String?) {
    let known = Self.known[magic]
    name = mounted ?? known?.name ?? "0x" + String(magic, radix: 16)
    support =
      known?.support ?? .depends(on: "this file system does not store user attributes")
  }

  /// Whether the files of a file system are made by the kernel when they are read, as those of /proc.
  ///
  /// - Parameter magic: its number in statfs(2).
  package static func isOfKernel(_ magic: UInt64) -> Bool { known[magic]?.support == kernels }

  /// Whether a file can be looked up by no other names than those that its directory lists, and by those
  /// in another letter case of ASCII.
  ///
  /// It is not so of Windows' systems, which show streams, nor of servers and FUSE.
  ///
  /// - Parameter magic: its number in statfs(2).
  package static func listsAllNames(_ magic: UInt64) -> Bool {
    switch magic {
    // ext4, xfs, btrfs, tmpfs, f2fs, bcachefs, overlay
    case 0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0xf2f5_2010, 0xca45_1a4e, 0x794c_7630: true
    default: false
    }
  }

  private static let kernels = Support.never(
    because: "the kernel generates the files, which store nothing")
  private static let plain = Support.never(because: "the format does not support attributes")
  private static let image = Support.never(because: "the file system is a read-only image")
  private static let windows = Support.depends(
    on: "the server or the mount does not support extended attributes",
    help:
      "remount the file system without 'nouser_xattr'; the server must also store extended attributes"
  )

  // The limits are measured, see DoctorCommandTests; the others have none, or one that depends on the file.
  private static let known: [UInt64: (name: String, support: Support)] = [
    0xef53: ("ext4", .stores()), 0x5846_5342: ("xfs", .stores(limit: 65536)),
    0x9123_683e: ("btrfs", .stores(limit: 16206)), 0x0102_1994: ("tmpfs", .stores(limit: 65536)),
    0xf2f5_2010: ("f2fs", .stores()), 0x2fc1_2fc1: ("zfs", .stores()),
    0xca45_1a4e: ("bcachefs", .stores()), 0x794c_7630: ("overlay", .stores()),
    0x3153_464a: ("jfs", .stores()), 0x00c3_6400: ("ceph", .stores()),
    0x7366_746e: ("ntfs3", .stores()), 0x482b: ("hfsplus", .stores()),
    0x6367_7270: ("cgroup2", .stores()),
    0x6969: (
      "nfs",
      .depends(
        on: "NFS needs version 4.2 and Linux 5.9 on both sides for user attributes",
        help: "mount with 'vers=4.2'; the server must also store user attributes")
    ),
    0x6573_5546: ("fuse", .depends(on: "the FUSE program does not support user attributes")),
    0x0102_1997: (
      "9p", .depends(on: "the host does not support user attributes", help: "mount it with 'xattr'")
    ),
    0xff53_4d42: ("cifs", windows), 0xfe53_4d42: ("smb3", windows), 0x517b: ("smbfs", windows),
    0x8584_58f6: (
      "ramfs", .never(because: "the file system stores content only", help: "use tmpfs instead")
    ),
    0x9584_58f6: ("hugetlbfs", .never(because: "the file system stores content only")),
    0x4d44: ("vfat", plain), 0x2011_bab0: ("exfat", plain), 0x9660: ("iso9660", plain),
    0x1501_3346: ("udf", plain), 0x137f: ("minix", plain), 0x7371_7368: ("squashfs", image),
    0xe0f5_e1e2: ("erofs", image), 0x28cd_3d45: ("cramfs", image), 0x9fa0: ("proc", kernels),
    0x6265_6572: ("sysfs", kernels), 0x0027_e0eb: ("cgroup", kernels),
    0x1cd1: ("devpts", kernels), 0x6462_6720: ("debugfs", kernels),
    0x7472_6163: ("tracefs", kernels), 0x7363_6673: ("securityfs", kernels),
    0x1980_0202: ("mqueue", kernels), 0xde5e_81e4: ("efivarfs", kernels),
    0x4249_4e4d: ("binfmt_misc", kernels), 0x6265_6570: ("configfs", kernels),
    0x6165_676c: ("pstore", kernels), 0xcafe_4a11: ("bpf", kernels),
    0xf97c_ff8c: ("selinuxfs", kernels),
  ]
}

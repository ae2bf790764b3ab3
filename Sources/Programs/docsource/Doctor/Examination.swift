import CLinux
import CommandLineInterface
import DocumentSource
import Glibc
import LinuxSystem
import TextFormats
import Xattr

/// What there is to say about a file and a user attribute on it.
struct Examination {
  /// How large a value may be, in bytes.
  enum Room: Hashable {
    /// By a trial beside the file.
    case measured(Int)
    /// Of all files of the file system.
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
  /// The attribute that is there now.
  let stored: StoredValue?
  /// Why it cannot be told whether it is there.
  let unreadable: XattrError?
  let room: Room
  /// Empty where the attribute can be stored.
  let obstacles: [Obstacle]

  /// Looks at a file and changes nothing of it.
  ///
  /// - Throws: `Errno` where it cannot be reached.
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
    let trial = Self.trial(path, status, attributes)
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
    // Those that have no fixed limit, as ext4, may have room but no inodes.
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

  /// Tries in the directory, or in that of the file.
  private static func trial(
    _ path: FilePath, _ status: FileStatus, _ attributes: ExtendedAttributes
  ) -> AttributeTrial.Result {
    guard status.kind == .file else { return AttributeTrial.run(in: path, like: attributes) }
    guard let real = status.realPath,
      let directory = FilePath(bytes: real.bytes[..<real.lastComponent.startIndex]),
      // A file may be a mount by itself.
      let beside = try? FileStatus(directory, links: .follow), beside.mount == status.mount,
      beside.device == status.device
    else { return .impossible }
    return AttributeTrial.run(in: directory, like: attributes)
  }

  /// Why no file of the file system can have the attribute; `nil` where it can.
  private static func lack(
    of type: FileSystemType, _ attributes: ExtendedAttributes, _ trial: AttributeTrial.Result
  ) -> Obstacle? {
    if case .room = trial { return nil }
    var isUnsupported = trial == .unsupported
    do throws(XattrError) {
      _ = try attributes.value(of: Carrier.nativeName)
    } catch {
      if error.errno == .notSupported { isUnsupported = true }
    }
    switch type.support {
    case .never(let reason, let help): return .fileSystem(because: reason, help: help)
    case _ where !isUnsupported: return nil
    case .depends(let reason, let help): return .fileSystem(because: reason, help: help)
    case .stores:
      let reason = "\(type.name) does, but not with this kernel or as it is mounted"
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
    // With these, that was the reason.
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

  /// Those that the kernel lists in securityfs.
  private static var securityModules: String? {
    let path = FilePath("/sys/kernel/security/lsm")
    let file = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC) }
    guard file >= 0 else { return nil }
    defer { close(file) }
    return (try? Descriptor.read(file, limit: 4096)).flatMap { $0 }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

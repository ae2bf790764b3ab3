internal import Glibc
public import LinuxSystem

/// A failed operation on an extended attribute: what was tried, on what, and why it failed.
public struct XattrError: Error, Hashable, Sendable, CustomStringConvertible {
  public let operation: XattrOperation
  /// The file, as the caller named it.
  public let path: FilePath
  /// The attribute; `nil` if the operation names none.
  public let attribute: AttributeName?
  /// The error number from the kernel.
  public let errno: Errno
  /// The kind of file, where that explains the answer.
  public let circumstance: FileCircumstance

  public init(
    operation: XattrOperation, path: FilePath, attribute: AttributeName?, errno: Errno,
    circumstance: FileCircumstance = .ordinary
  ) {
    self.operation = operation
    self.path = path
    self.attribute = attribute
    self.errno = errno
    self.circumstance = circumstance
  }

  /// The cause, with a shell command that removes the obstacle where there is one. It follows
  /// "cannot …: ".
  public var reason: String {
    switch (errno, circumstance) {
    case (.noSuchFile, .danglingLink): "the target of the symbolic link does not exist"
    case (.noSuchFile, _): "no such file or directory"
    case (.notPermitted, .immutable):
      "the file is immutable; root can clear this flag with 'chattr -i'"
    case (.notPermitted, .appendOnly):
      "the file is append-only; root can clear this flag with 'chattr -a'"
    case (.notPermitted, .link): "Linux does not store user attributes on symbolic links"
    case (.notPermitted, .special):
      "Linux stores user attributes only on regular files and directories"
    case (.notPermitted, .stickyDirectory):
      "only the owner may write attributes of a sticky directory"
    case (.notPermitted, _) where attribute?.isForAdministrators == true:
      "only root may write attributes of this kind"
    case (.notPermitted, _): "operation not permitted"
    case (.permissionDenied, _): permissionWords
    case (.readOnlyFileSystem, _): "the file system is mounted read-only"
    case (.notSupported, _): "this file system does not store user attributes"
    case (.noSpace, _), (.quotaExceeded, _): spaceWords
    case (.argumentListTooLong, _): sizeWords
    case (.outOfRange, _):
      "the attribute's name is longer than \(AttributeName.maximumLength) bytes"
    case (.invalidArgument, _): "the file system refuses this attribute name"
    case (.noData, _): "the file has no such attribute"
    case (.fileExists, _): "the attribute already exists"
    case (.badFileDescriptor, _): "the descriptor is closed, or was opened with O_PATH"
    case (.noFunction, _): "this kernel lacks the system call"
    case (.notDirectory, _): "a component of the path is not a directory"
    case (.tooManySymbolicLinks, _): "too many levels of symbolic links"
    case (.fileNameTooLong, _): "the file name is too long"
    case (.tooManyOpenFiles, _): "too many open files; raise the limit with 'ulimit -n'"
    case (.staleHandle, _): "the network file system no longer knows the file"
    case (.inputOutput, _): "the disk or the network reported an input/output error"
    default: errno.description
    }
  }

  private var permissionWords: String {
    switch operation {
    case .read: "permission denied: the file must be readable and its directories searchable"
    case .list: "permission denied: a directory in the path is not searchable"
    case .write, .remove, .copy: writePermissionWords
    }
  }

  private var writePermissionWords: String {
    switch circumstance {
    case .otherOwner(let owner):
      "permission denied: the file belongs to \(owner == 0 ? "root" : "user \(owner)");"
        + " ask the owner, or root"
    case .unreachable: "permission denied: a directory in the path is not searchable"
    case .writableByOwner:
      "permission denied despite the file's mode; check getfacl and the system log"
    default: "permission denied: even the owner needs write permission ('chmod u+w')"
    }
  }

  private var spaceWords: String {
    let value: String
    switch operation {
    case .write(let bytes): value = "a value of \(Self.text(ofBytes: bytes))"
    case .copy where attribute != nil: value = "the value"
    default: return errno.description.lowercased()
    }
    let limits = "ext4: about 4000 bytes for all attributes of a file, btrfs: 16206"
    return errno == .quotaExceeded
      ? "the disk quota leaves no space for \(value)"
      : "no space for \(value) (\(limits)), or the disk is full"
  }

  private static func text(ofBytes count: Int) -> String {
    count == 1 ? "1 byte" : "\(count) bytes"
  }

  private var sizeWords: String {
    guard case .write(let bytes) = operation else {
      return "the list of attribute names is longer than 65536 bytes"
    }
    return "a value of \(bytes) bytes exceeds the limit of 65536 bytes"
  }

  /// The operation in words that follow "cannot ".
  var attempt: String {
    let object = attribute.map { "attribute \($0)" }
    return switch operation {
    case .read: "read \(object ?? "an attribute")"
    case .write: "write \(object ?? "an attribute")"
    case .remove: "remove \(object ?? "an attribute")"
    case .list: "list attributes"
    case .copy: "copy \(object ?? "attributes")"
    }
  }

  /// One line: path, what was tried, why it failed and what would help.
  public var description: String { "\(path): cannot \(attempt): \(reason)" }
}

/// The operation that failed.
public enum XattrOperation: Sendable, Hashable {
  case read, remove, list, copy
  case write(bytes: Int)
}

/// The kind of file that an operation failed on, where that explains the failure.
public enum FileCircumstance: Sendable, Hashable {
  case ordinary, danglingLink, link
  /// A FIFO, socket or device.
  case special
  case immutable, appendOnly, stickyDirectory
  /// Write permission is missing, and the file belongs to another user than that of the process.
  case otherOwner(UInt32)
  /// Write permission is missing, and nothing can be found out about the file.
  case unreachable
  /// The mode lets the user of the process, who owns the file, write it.
  case writableByOwner

  /// Looks at the file after a failure; a file removed meanwhile is `ordinary`.
  static func observed(at file: FileReference, after errno: Errno) -> FileCircumstance {
    switch errno {
    case .noSuchFile:
      guard case .path(let path, .follow) = file else { return .ordinary }
      return SystemCalls.observe(.path(path, links: .noFollow)) == .link ? .danglingLink : .ordinary
    case .notPermitted: return SystemCalls.observe(file)
    case .permissionDenied: return permission(at: file)
    default: return .ordinary
    }
  }

  private static func permission(at file: FileReference) -> FileCircumstance {
    do throws(Errno) {
      let status = try FileStatus(of: file)
      let user = geteuid()
      if status.owner != user { return .otherOwner(status.owner) }
      return status.permitsWriting(by: user, in: []) ? .writableByOwner : .ordinary
    } catch {
      return error == .permissionDenied ? .unreachable : .ordinary
    }
  }
}

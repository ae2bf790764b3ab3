import Testing

@testable import LinuxSystem
@testable import Xattr

@Suite struct XattrErrorTests {
  private static let name = AttributeName("user.x-document-source")

  private static func error(
    _ operation: XattrOperation, _ errno: Errno, _ circumstance: FileCircumstance = .ordinary
  ) -> XattrError {
    XattrError(
      operation: operation, path: FilePath("photo.jpg"), attribute: name, errno: errno,
      circumstance: circumstance)
  }

  @Test(arguments: [
    (error(.read, .noSuchFile), "no such file or directory"),
    (error(.read, .noSuchFile, .danglingLink), "the target of the symbolic link does not exist"),
    (
      error(.write(bytes: 9), .notPermitted, .immutable),
      "the file is immutable; root can clear this flag with 'chattr -i'"
    ),
    (
      error(.write(bytes: 9), .notPermitted, .appendOnly),
      "the file is append-only; root can clear this flag with 'chattr -a'"
    ),
    (
      error(.write(bytes: 9), .notPermitted, .link),
      "Linux does not store user attributes on symbolic links"
    ),
    (
      error(.write(bytes: 9), .notPermitted, .special),
      "Linux stores user attributes only on regular files and directories"
    ),
    (
      error(.write(bytes: 9), .notPermitted, .stickyDirectory),
      "only the owner may write attributes of a sticky directory"
    ),
    (error(.write(bytes: 9), .notPermitted), "operation not permitted"),
    (
      error(.read, .permissionDenied),
      "permission denied: the file must be readable and its directories searchable"
    ),
    (
      error(.list, .permissionDenied),
      "permission denied: a directory in the path is not searchable"
    ),
    (
      error(.write(bytes: 9), .permissionDenied),
      "permission denied: even the owner needs write permission ('chmod u+w')"
    ),
    (
      error(.write(bytes: 9), .permissionDenied, .otherOwner(0)),
      "permission denied: the file belongs to root; ask the owner, or root"
    ),
    (
      error(.remove, .permissionDenied, .otherOwner(1000)),
      "permission denied: the file belongs to user 1000; ask the owner, or root"
    ),
    (
      error(.copy, .permissionDenied, .unreachable),
      "permission denied: a directory in the path is not searchable"
    ),
    (
      error(.write(bytes: 9), .permissionDenied, .writableByOwner),
      "permission denied despite the file's mode; check getfacl and the system log"
    ),
    (error(.write(bytes: 9), .readOnlyFileSystem), "the file system is mounted read-only"),
    (error(.read, .notSupported), "this file system does not store user attributes"),
    (
      error(.write(bytes: 5000), .noSpace),
      "no space for a value of 5000 bytes (ext4: about 4000 bytes for all attributes of"
        + " a file, btrfs: 16206), or the disk is full"
    ),
    (
      error(.write(bytes: 5000), .quotaExceeded),
      "the disk quota leaves no space for a value of 5000 bytes"
    ),
    (
      error(.write(bytes: 70000), .argumentListTooLong),
      "a value of 70000 bytes exceeds the limit of 65536 bytes"
    ),
    (
      error(.list, .argumentListTooLong),
      "the list of attribute names is longer than 65536 bytes"
    ),
    (error(.write(bytes: 9), .outOfRange), "the attribute's name is longer than 255 bytes"),
    (error(.write(bytes: 9), .invalidArgument), "the file system refuses this attribute name"),
    (error(.remove, .noData), "the file has no such attribute"),
    (error(.write(bytes: 9), .fileExists), "the attribute already exists"),
    (error(.read, .badFileDescriptor), "the descriptor is closed, or was opened with O_PATH"),
    (error(.read, .noFunction), "this kernel lacks the system call"),
    (error(.read, .notDirectory), "a component of the path is not a directory"),
    (error(.read, .tooManySymbolicLinks), "too many levels of symbolic links"),
    (error(.read, .fileNameTooLong), "the file name is too long"),
    (
      error(.read, .tooManyOpenFiles), "too many open files; raise the limit with 'ulimit -n'"
    ),
    (error(.read, .staleHandle), "the network file system no longer knows the file"),
    (error(.read, .inputOutput), "the disk or the network reported an input/output error"),
    (error(.read, Errno(rawValue: 23)), "Too many open files in system"),
  ])
  func everyErrnoHasItsOwnWords(_ error: XattrError, _ reason: String) {
    #expect(error.reason == reason)
  }

  @Test func descriptionNamesFileOperationAttributeAndReason() {
    #expect(
      Self.error(.write(bytes: 3), .readOnlyFileSystem).description
        == "photo.jpg: cannot write attribute user.x-document-source:"
        + " the file system is mounted read-only")
  }
}

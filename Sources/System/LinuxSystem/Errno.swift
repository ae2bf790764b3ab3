internal import Glibc

/// An error number of the C library, as a value that can be compared and printed.
///
/// The corresponding C variable is `errno`; see errno(3).
public struct Errno: RawRepresentable, Hashable, Sendable, Error {
  /// The number, for instance 2 for `ENOENT`.
  public let rawValue: CInt

  public init(rawValue: CInt) { self.rawValue = rawValue }

  public static let notPermitted = Errno(rawValue: EPERM)
  public static let noSuchFile = Errno(rawValue: ENOENT)
  public static let noSuchDevice = Errno(rawValue: ENXIO)
  public static let argumentListTooLong = Errno(rawValue: E2BIG)
  public static let badFileDescriptor = Errno(rawValue: EBADF)
  public static let permissionDenied = Errno(rawValue: EACCES)
  public static let fileExists = Errno(rawValue: EEXIST)
  public static let notDirectory = Errno(rawValue: ENOTDIR)
  public static let isDirectory = Errno(rawValue: EISDIR)
  public static let invalidArgument = Errno(rawValue: EINVAL)
  public static let tooManyOpenFiles = Errno(rawValue: EMFILE)
  public static let noSpace = Errno(rawValue: ENOSPC)
  public static let readOnlyFileSystem = Errno(rawValue: EROFS)
  public static let outOfRange = Errno(rawValue: ERANGE)
  public static let fileNameTooLong = Errno(rawValue: ENAMETOOLONG)
  public static let noFunction = Errno(rawValue: ENOSYS)
  public static let tooManySymbolicLinks = Errno(rawValue: ELOOP)
  public static let noData = Errno(rawValue: ENODATA)
  public static let notSupported = Errno(rawValue: ENOTSUP)
  public static let quotaExceeded = Errno(rawValue: EDQUOT)
  public static let staleHandle = Errno(rawValue: ESTALE)
  public static let inputOutput = Errno(rawValue: EIO)

  /// The calling thread's error number, to be read directly after the call that failed.
  public static var current: Errno { Errno(rawValue: errno) }
}

extension Errno: CustomStringConvertible {
  /// The C library's words, as strerror(3) gives them.
  public var description: String {
    guard let words = unsafe strerror(rawValue) else { return "error \(rawValue)" }
    return unsafe String(cString: words)
  }
}

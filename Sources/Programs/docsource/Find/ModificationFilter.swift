import CommandLineInterface
import Glibc
import LinuxSystem
import TextFormats

/// Which files were modified since a time, or since another file was: `--newer` of `find`.
struct ModificationFilter: Sendable {
  static let option = OptionDeclaration(
    "newer", also: "changed-within", value: "WHEN", kind: .file,
    help: "select files changed since WHEN; also --changed-within")

  /// What is known of the time of a file.
  enum Verdict {
    case accepted, rejected
    /// There is no such file any more.
    case gone
    case unknown(Errno)
  }

  private let time: timespec
  /// Whether a file that was modified at that very time is wanted, too.
  private let includesTime: Bool

  /// - Returns: `nil` without the option.
  /// - Throws: `UsageError` for what is neither a time nor the path of a file.
  init?(_ arguments: Arguments) throws(UsageError) {
    guard let bytes = arguments.bytes(Self.option) else { return nil }
    if let text = String(validating: bytes, as: UTF8.self),
      let seconds = LocalTime.past(text)
    {
      time = timespec(tv_sec: time_t(seconds.rounded(.down)), tv_nsec: 0)
      includesTime = true
      return
    }
    guard let path = FilePath(bytes: bytes),
      case .success(let time) = Self.time(AT_FDCWD, path, .follow)
    else {
      throw UsageError(
        "--\(Self.option.long): '\(EscapedText(bytes))' is neither a file nor a time such as 2h,"
          + " 3days or 2026-11-27")
    }
    self.time = time
    includesTime = false
  }

  func verdict(on file: FileReference) -> Verdict {
    switch file {
    case .path(let path, let links): verdict(AT_FDCWD, path, links)
    case .entry(let directory, let name, _, let links): verdict(directory, name, links)
    case .descriptor(_, let path): verdict(AT_FDCWD, path, .follow)
    case .held(let file): verdict(AT_FDCWD, file.reference.path, .noFollow)
    }
  }

  private func verdict(_ directory: CInt, _ path: FilePath, _ links: Links) -> Verdict {
    switch Self.time(directory, path, links) {
    case .failure(.noSuchFile): return .gone
    case .failure(let errno): return .unknown(errno)
    case .success(let found):
      let isLater = (found.tv_sec, found.tv_nsec) > (time.tv_sec, time.tv_nsec)
      let isSame = found.tv_sec == time.tv_sec && found.tv_nsec == time.tv_nsec
      return isLater || isSame && includesTime ? .accepted : .rejected
    }
  }

  /// The corresponding C function is fstatat(2).
  private static func time(
    _ directory: CInt, _ path: FilePath, _ links: Links
  ) -> Result<timespec, Errno> {
    var status = stat()
    let flags = links == .follow ? 0 : AT_SYMLINK_NOFOLLOW
    let result = unsafe path.withCString { unsafe fstatat(directory, $0, &status, flags) }
    return result == 0 ? .success(status.st_mtim) : .failure(Errno(rawValue: errno))
  }
}

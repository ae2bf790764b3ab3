internal import LinuxSystem

/// What kind of file an operation failed on, where that explains the failure.
public enum FileCircumstance: Sendable, Hashable {
  case ordinary
  case danglingLink
  case link
  /// A FIFO, socket or device.
  case special
  case immutable
  case appendOnly
  case stickyDirectory

  /// Looks at the file after a failure. A race with its removal gives `ordinary`.
  static func observed(at file: FileReference, after errno: Errno) -> FileCircumstance {
    switch errno {
    case .noSuchFile:
      guard case .path(let path, .follow) = file else { return .ordinary }
      return SystemCalls.observe(.path(path, links: .noFollow)) == .link ? .danglingLink : .ordinary
    case .notPermitted: return SystemCalls.observe(file)
    default: return .ordinary
    }
  }
}

public import LinuxSystem

/// Why a ``RenderingProcess`` gave no icon.
public enum RenderingFailure: Error, Hashable, Sendable {
  /// It could not be started, or its streams failed.
  case system(Errno)
  /// The picture cannot be shown, in the words of a ``PictureFailure``.
  ///
  /// They come from a process that has read a stranger's bytes: at most 1 KiB, to be escaped
  /// before a terminal sees them.
  case refused(String)
  /// The process could not do its work whatever the picture, in its words; see ``refused(_:)``.
  case unable(String)
  /// It ran longer than it may.
  case timedOut
  /// It wrote more than an icon can have.
  case outputTooLarge
  /// A signal ended it: SIGXCPU when its processor time was used up, SIGILL, SIGSEGV or SIGABRT
  /// after a fault or for want of memory.
  case ended(signal: CInt)
  /// It ended with a status it does not have, or with an answer that is no icon.
  case unexpected(status: CInt)
}

extension RenderingFailure: CustomStringConvertible {
  /// The failure in words.
  public var description: String {
    switch self {
    case .system(let errno): "the picture cannot be decoded: \(errno.description.lowercased())"
    case .refused(let words), .unable(let words): words
    case .timedOut: "decoding the picture took too long"
    case .outputTooLarge: "decoding the picture gave too large a result"
    case .ended(let signal): "decoding the picture was ended by signal \(signal)"
    case .unexpected(let status): "decoding the picture ended with status \(status)"
    }
  }
}

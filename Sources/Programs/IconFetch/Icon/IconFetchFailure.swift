public import AppIcon
internal import CommandLineInterface
internal import LinuxSystem
internal import TextFormats
internal import Xattr

/// Why an icon could not be had: the URL it is about, and the cause.
public struct IconFetchFailure: Error, Hashable, Sendable {
  public enum Cause: Error, Hashable, Sendable {
    case fetch(FetchFailure)
    /// It failed before, and it is too early to try again.
    case remembered(RememberedFailure, seconds: Int64)
    /// It is not cached, and the network is not to be asked.
    case offline
    /// What came is no list of icons, or no picture, in words.
    case unreadable(String)
    /// The list is sound and has no icon that can be used.
    case noIcon
    /// The list's `src` leads to no URL.
    case unresolved(String, String)
    case cache(IconCacheError)
    /// The cache lost it while the server was asked whether it had changed.
    case cleared
    /// The picture is sound, but this machine could not decode it.
    case decoder(RenderingFailure)
  }

  public let url: ResolvedURL
  public let cause: Cause

  init(_ url: ResolvedURL, _ cause: Cause) {
    self.url = url
    self.cause = cause
  }

  /// Whether there is simply no icon, rather than a failure to get it.
  public var meansNone: Bool {
    switch cause {
    case .noIcon, .offline: true
    case .fetch(let failure): failure.kind == .status(404) || failure.kind == .status(410)
    case .remembered(let failure, _): failure.kind == .gone
    default: false
    }
  }

  /// Whether another picture would fail alike.
  var concernsAll: Bool {
    switch cause {
    case .cache, .decoder: true
    default: false
    }
  }
}

extension IconFetchFailure: CustomStringConvertible {
  /// The URL, escaped, and what went wrong with it.
  public var description: String {
    if case .fetch(let failure) = cause { return failure.description }
    return "\(EscapedText(url.text)): \(reason)"
  }

  private var reason: String {
    switch cause {
    case .fetch(let failure): failure.message
    case .remembered(let failure, let seconds): Self.words(for: failure, seconds)
    case .offline: "not cached, and --offline forbids fetching it"
    case .unreadable(let words): "\(EscapedText(words))"
    case .noIcon: "it offers no icon that can be used"
    case .unresolved(let source, let words):
      "the icon '\(EscapedText(source))' cannot be fetched: \(EscapedText(words))"
    case .cache(let error):
      "the cache \(EscapedText(error.path.bytes)) cannot be used: \(error.reason)"
    case .cleared: "it was removed from the cache meanwhile; try again"
    case .decoder(let failure): "\(EscapedText(failure.description))"
    }
  }

  private static func words(for failure: RememberedFailure, _ seconds: Int64) -> String {
    let before =
      switch failure.kind {
      case .gone: "the server had nothing there"
      case .unreachable: "it could not be fetched"
      case .undecodable: "it could not be read"
      }
    return "\(before) the last time; it is tried again in \(seconds) s, or now with --refresh"
  }
}

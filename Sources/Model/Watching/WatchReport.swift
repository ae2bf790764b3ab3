package import DocumentSource
internal import Glibc
internal import LinuxSystem
internal import TextFormats

/// Where the watch reports to while it runs. The words for people are the receiver's.
package struct WatchReport {
  /// Something to report.
  package enum Item {
    /// A written file. The path is empty and the writer 0 where an event could not be read.
    case file(path: [UInt8], writer: Int32, WatchOutcome)
    /// The kernel has lost events: its queue was full.
    case overflow
    /// How often that has happened so far; reported once a second at most.
    case overflows(Int)
    /// How many files changed while events were lost and have no source.
    case missed(Int)
    /// The watch ends before such files were counted.
    case missedUncounted
    /// Something cannot be watched, or settings cannot be used. Each flaw is reported once.
    case flaw(WatchRoster.Flaw)
    /// Why AppStream's metainfo could not be read; reported once.
    case metainfoFailure(String)
    /// The configuration was read again on SIGHUP.
    case reloaded
    case ended(WatchTally, WatchLoop.Mode)
  }

  package let tell: (Item) -> Void
  /// Writes out what was told; `false` ends the watch, since nobody reads it any more.
  package let flush: () -> Bool

  package init(tell: @escaping (Item) -> Void, flush: @escaping () -> Bool) {
    self.tell = tell
    self.flush = flush
  }
}

/// What became of a file that was written.
package enum WatchOutcome {
  case tagged(DocumentSource)
  /// Nothing is written in a dry run.
  case wouldTag(DocumentSource)
  /// It has a source already.
  case kept
  /// The path in its attribute has become its new path.
  case renamed(path: String)
  case none(NoApplication)
  /// The writer is gone.
  case unknown
  /// The reason, in words that follow the path, and what would help.
  case failed(String, DocumentSourceError.Remedy? = nil)
}

/// How many written files met with which outcome.
package struct WatchTally: Hashable {
  package internal(set) var tagged = 0
  /// Files in a watched directory that have a source already.
  package internal(set) var kept = 0
  /// Files of no application.
  package internal(set) var plain = 0
  /// Files whose writers were gone.
  package internal(set) var unknown = 0
  package internal(set) var failed = 0
  /// How often the queue was full.
  package internal(set) var overflows = 0
  /// Files without a source that changed while the queue was full, and files that there was no time
  /// for at the end.
  package internal(set) var missed = 0

  /// For programs.
  fileprivate var members: [(key: String, value: String)] {
    [
      ("tagged", "\(tagged)"), ("kept", "\(kept)"), ("none", "\(plain)"),
      ("unknown", "\(unknown)"), ("failed", "\(failed)"), ("overflows", "\(overflows)"),
      ("missed", "\(missed)"),
    ]
  }
}

/// The file in which the service says that it runs, and what it has counted.
package struct WatchStatusFile {
  /// systemd makes the directory for the service; see `RuntimeDirectory` in systemd.exec(5).
  private static let path = FilePath("/run/docsource/watch.json")
  private static let limit = 1 << 16

  private let file = ReplacedFile(path: path)

  /// - Returns: `nil` where systemd has made no such directory for this process, which then is not
  ///   the service and may run beside it.
  init?() {
    guard let made = unsafe getenv("RUNTIME_DIRECTORY"),
      unsafe FilePath(cString: made).appending(FilePath("watch.json")) == Self.path
    else { return nil }
  }

  func write(_ tally: WatchTally, users: Int) {
    let members = [("process", "\(getpid())"), ("users", "\(users)")] + tally.members
    // The service works without the file, too.
    try? file.replace(with: Array((JSONText.object(members) + "\n").utf8))
  }

  func remove() { _ = unsafe file.path.withCString { unsafe unlink($0) } }

  /// The JSON that a running service has written; `nil` where none runs.
  package static func read() -> String? {
    guard let content = InstalledFile(path: path).content(limit: limit),
      let text = String(validating: content, as: UTF8.self),
      let process = text.split(separator: ",").first?.split(separator: ":").last
        .flatMap({ Int32($0) }),
      kill(process, 0) == 0 || errno == EPERM
    else { return nil }
    return String(text.prefix { $0 != "\n" })
  }
}

package import DocumentSource
internal import Glibc
internal import JSON
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
    /// Workers of a user did not answer or have failed, and files were not looked at: since such a
    /// worker had them, or too many waited. Reported once a minute at most.
    case lost(user: String, workers: Int, files: Int)
    /// The configuration was read again on SIGHUP.
    case reloaded
    case ended(WatchTally, WatchLoop.Mode)

    /// Whether a file could not be tagged.
    var isFailure: Bool { if case .file(_, _, .failed) = self { true } else { false } }
  }

  package let tell: (Item) -> Void
  /// Whether each file is of interest, or only what fails.
  package let wantsFiles: Bool
  /// Writes out what was reported; `false` ends the watch, since nobody reads it any more.
  package let flush: () -> Bool

  package init(
    wantsFiles: Bool = true, tell: @escaping (Item) -> Void, flush: @escaping () -> Bool
  ) {
    self.wantsFiles = wantsFiles
    self.tell = tell
    self.flush = flush
  }
}

/// What became of a file that was written.
package enum WatchOutcome: Hashable {
  case tagged(DocumentSource)
  /// Nothing is written in a dry run.
  case wouldTag(DocumentSource)
  /// It has a source already.
  case kept
  /// The path in its attribute has become its new path.
  case renamed(path: String)
  /// It has the address of its download now, which the browser has recorded.
  case recorded(url: String)
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

  /// Files that no worker had time for: events that were dropped since too many of one user waited,
  /// and what a worker had that did not answer.
  package internal(set) var dropped = 0
  /// Files of applications whose files are not to be tagged.
  package internal(set) var filtered = 0

  /// What is counted, and what programs know it by.
  fileprivate static let members:
    [(count: any WritableKeyPath<WatchTally, Int> & Sendable, key: String)] = [
      (\.tagged, "tagged"), (\.kept, "kept"), (\.plain, "none"), (\.unknown, "unknown"),
      (\.failed, "failed"), (\.overflows, "overflows"), (\.missed, "missed"),
      (\.dropped, "dropped"), (\.filtered, "filtered"),
    ]

  private static let counts = members.map(\.count)

  /// The numbers as a worker writes them, which is a process on the same machine.
  var bytes: [UInt8] { unsafe withUnsafeBytes(of: self) { unsafe Array($0) } }

  init() {}

  /// - Returns: `nil` for anything else.
  init?(bytes: [UInt8]) {
    guard bytes.count == MemoryLayout<WatchTally>.size else { return nil }
    self = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: WatchTally.self) }
    guard Self.counts.allSatisfy({ self[keyPath: $0] >= 0 }) else { return nil }
  }

  static func += (left: inout WatchTally, right: WatchTally) {
    for count in counts {
      let (sum, isOver) = left[keyPath: count].addingReportingOverflow(right[keyPath: count])
      left[keyPath: count] = isOver ? .max : sum
    }
  }

  /// For programs.
  fileprivate var members: [(key: String, value: String)] {
    Self.members.map { ($0.key, "\(self[keyPath: $0.count])") }
  }
}

/// The file in which the service says that it runs, and what it has counted.
package struct WatchStatusFile {
  /// systemd makes the directory for the service; see `RuntimeDirectory` in systemd.exec(5).
  private static let path = FilePath("/run/docsource/watch.json")
  private static let limit = 1 << 20

  private let file = ReplacedFile(path: path)

  /// systemd names the directory that it has made. Without it, as where the service is started by
  /// hand, the directory is made here.
  ///
  /// - Returns: `nil` if another process is the service, which this one may run beside.
  init?() {
    if let made = unsafe getenv("RUNTIME_DIRECTORY") {
      guard unsafe FilePath(cString: made).appending(FilePath("watch.json")) == Self.path else {
        return nil
      }
    } else {
      let isMade = unsafe mkdir("/run/docsource", 0o755) == 0 || errno == EEXIST
      guard isMade, Self.read() == nil else { return nil }
    }
  }

  func write(_ tally: WatchTally, users: Int, workers: [WorkerState]) {
    let members =
      [("process", "\(getpid())"), ("users", "\(users)")] + tally.members
      + [("workers", "[" + workers.map(\.json).joined(separator: ",") + "]")]
    // The service works without the file, too.
    try? file.replace(with: Array((JSONText.object(members) + "\n").utf8))
  }

  func remove() { _ = unsafe file.path.withCString { unsafe unlink($0) } }

  /// What a running service has written; `nil` if none runs.
  package static func read() -> ServiceStatus? {
    InstalledFile(path: path).content(limit: limit).flatMap { ServiceStatus($0) }
  }
}

/// What the service says of itself.
package struct ServiceStatus {
  /// One object.
  package let json: String
  /// How many users have turned watching on.
  package let users: Int
  package let tally: WatchTally

  /// - Returns: `nil` if the process that has written it does not run.
  fileprivate init?(_ content: [UInt8]) {
    let line = content.prefix { $0 != UInt8(ascii: "\n") }
    guard let text = String(validating: line, as: UTF8.self),
      let root = try? JSONValue.parse(line, .uniqueKeys),
      let process = Self.number("process", in: root).flatMap({ Int32(exactly: $0) }),
      kill(process, 0) == 0 || errno == EPERM
    else { return nil }
    json = text
    users = Self.number("users", in: root) ?? 0
    var tally = WatchTally()
    for (count, key) in WatchTally.members {
      tally[keyPath: count] = Self.number(key, in: root) ?? 0
    }
    self.tally = tally
  }

  private static func number(_ key: String, in root: JSONValue) -> Int? {
    guard case .integer(let number) = root[key]?.content else { return nil }
    return Int(number)
  }
}

/// A worker of the service, as the status has it.
struct WorkerState {
  enum State: String {
    case starting, ready, retiring, ending
  }

  let user: UInt32
  let mount: FilePath?
  let process: Int32
  let state: State
  /// How many files wait for it, and how many it holds.
  let queued: Int
  let held: Int
  /// How many files of the user were dropped, and how many workers were lost, since the start.
  let dropped: Int
  let lost: Int

  fileprivate var json: String {
    JSONText.object(
      [("user", "\(user)")] + (mount.map { JSONText.path($0.bytes, key: "mount") } ?? [])
        + [
          ("process", "\(process)"), ("state", JSONText.string(state.rawValue)),
          ("queued", "\(queued)"), ("held", "\(held)"), ("dropped", "\(dropped)"),
          ("lost", "\(lost)"),
        ])
  }
}

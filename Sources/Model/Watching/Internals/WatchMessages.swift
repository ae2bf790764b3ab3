internal import CompanionProtocol
internal import DocumentSource
internal import LinuxSystem

/// What a worker is to do.
struct WorkerTask: Equatable {
  let account: UserAccount
  let mode: WatchLoop.Mode
  let extent: FileEvents.Extent
  /// `nil` if the user's settings say it, and what to watch.
  let policy: WatchPolicy?
  /// Whether each file is reported, or only what fails.
  let reportsFiles: Bool
  /// The FUSE or network mount that this worker alone looks at; `nil` for all others.
  let mount: FilePath?
}

/// What the reader of events says to a worker.
enum WorkerRequest: Equatable {
  /// A directory to watch, if the user's settings do not say it; before `start`, as the next seven.
  case directory(FilePath)
  case include(String)
  case exclude(String)
  case onlyApplication(String)
  case excludeApplication(String)
  case recordDownloads
  case witness
  /// What AppStream says of applications, as `ApplicationDescription.binary` has it, since reading
  /// that has taken long.
  case described([UInt8])
  case start(WorkerTask)
  /// Opens a path that was reported earlier, so that its mark can be removed.
  case open(FilePath)
  /// Counts the files without a source that changed between two times; see `MissedFiles`.
  case count(ClosedRange<Int>)
  /// What `WorkerAnswer.portalWrite` has said.
  case portalWrite(PortalWrite)
  /// Ends when all held files were handled at their times.
  case retire
  /// Ends within so many milliseconds.
  case finish(Int)

  var message: CompanionMessage {
    switch self {
    case .directory(let path): Self.message("directory", Array(path.bytes))
    case .include(let pattern): Self.message("include", Array(pattern.utf8))
    case .exclude(let pattern): Self.message("exclude", Array(pattern.utf8))
    case .onlyApplication(let name): Self.message("onlyApplication", Array(name.utf8))
    case .excludeApplication(let name): Self.message("excludeApplication", Array(name.utf8))
    case .recordDownloads: CompanionMessage("recordDownloads")
    case .witness: CompanionMessage("witness")
    case .described(let bytes): Self.message("described", bytes)
    case .start(let task):
      CompanionMessage([
        Array("start".utf8), Array(task.account.name.utf8), Array("\(task.account.user)".utf8),
        Array("\(task.account.group)".utf8), Array(task.account.home.bytes),
        Array((task.mode == .tag ? "tag" : "dryRun").utf8), Array(task.extent.rawValue.utf8),
        Array((task.policy?.rawValue ?? "").utf8), Array((task.reportsFiles ? "all" : "").utf8),
        task.mount.map { Array($0.bytes) } ?? [],
      ])
    case .open(let path): Self.message("open", Array(path.bytes))
    case .count(let times): CompanionMessage("count", "\(times.lowerBound)", "\(times.upperBound)")
    case .portalWrite(let write): write.message
    case .retire: CompanionMessage("retire")
    case .finish(let time): CompanionMessage("finish", "\(time)")
    }
  }

  private static func message(_ kind: String, _ value: [UInt8]) -> CompanionMessage {
    CompanionMessage([Array(kind.utf8), value])
  }

  /// - Returns: `nil` for a message of another version.
  init?(_ message: CompanionMessage) {
    let fields = message.fields
    let value = fields.count > 1 ? fields[1] : []
    switch message.text(0) {
    case "directory":
      guard let path = FilePath(bytes: value) else { return nil }
      self = .directory(path)
    case "include": self = .include(String(decoding: value, as: UTF8.self))
    case "exclude": self = .exclude(String(decoding: value, as: UTF8.self))
    case "onlyApplication": self = .onlyApplication(String(decoding: value, as: UTF8.self))
    case "excludeApplication": self = .excludeApplication(String(decoding: value, as: UTF8.self))
    case "recordDownloads": self = .recordDownloads
    case "witness": self = .witness
    case "described": self = .described(value)
    case "start":
      guard fields.count == 10, let user = UInt32(message.text(2)),
        let group = UInt32(message.text(3)), let home = FilePath(bytes: fields[4]),
        let extent = FileEvents.Extent(rawValue: message.text(6))
      else { return nil }
      self = .start(
        WorkerTask(
          account: UserAccount(name: message.text(1), user: user, group: group, home: home),
          mode: message.text(5) == "tag" ? .tag : .dryRun, extent: extent,
          policy: WatchPolicy(rawValue: message.text(7)), reportsFiles: !fields[8].isEmpty,
          mount: fields[9].isEmpty ? nil : FilePath(bytes: fields[9])))
    case "open":
      guard let path = FilePath(bytes: value) else { return nil }
      self = .open(path)
    case "count":
      guard fields.count == 3, let start = Int(message.text(1)), let end = Int(message.text(2)),
        start <= end
      else { return nil }
      self = .count(start...end)
    case "portalWrite":
      guard let write = PortalWrite(message) else { return nil }
      self = .portalWrite(write)
    case "retire": self = .retire
    case "finish":
      guard let time = Int(String(decoding: value, as: UTF8.self)) else { return nil }
      self = .finish(time)
    default: return nil
    }
  }
}

/// What a worker says to the reader of events.
enum WorkerAnswer: Equatable {
  /// A watched directory.
  case watched(FilePath)
  /// The user wants the witness to record who writes; before the first `place`.
  case wantsWitness
  /// Files with a source, which come with it: the witness may record who wrote them.
  case seal([SealedFile])
  /// What is to be marked; the directory comes with it, open as O_PATH.
  case place(FilePath)
  /// What a mark is to be removed from, likewise.
  case opened(FilePath)
  /// A FUSE or network mount with watched files, which needs a worker of its own.
  case remote(FilePath)
  /// The mount of the user's document portal, likewise.
  case portal(FilePath)
  case flaw(FilePath, String)
  case metainfoFailure(String)
  /// What the next worker of this user need not have read again.
  case described([UInt8])
  /// Nothing is to be tagged until a time, in seconds since 1970; before `ready`.
  case paused(until: Int)
  /// Its preparations are done.
  case ready(isEnabled: Bool)
  /// So many messages were handled since the last time.
  case handled(Int, held: Int, WatchTally)
  /// New writers that it knows now, and will when they have ended.
  case knows([Int32])
  /// It begins with something that may take long by itself, until it says that it has handled that.
  case busy
  case file(path: [UInt8], writer: Int32, WatchOutcome)
  /// An application has written a document through the mount of the portal that this worker looks at.
  case portalWrite(PortalWrite)
  /// Files without a source, as `WorkerRequest.count` asks.
  case missed(Int)
  /// What was read at the start has changed.
  case stale
  case finished(WatchTally)

  var message: CompanionMessage {
    switch self {
    case .watched(let path): Self.message("watched", Array(path.bytes))
    case .wantsWitness: CompanionMessage("wantsWitness")
    case .seal(let files): CompanionMessage("seal", SealedFile.text(files))
    case .place(let path): Self.message("place", Array(path.bytes))
    case .opened(let path): Self.message("opened", Array(path.bytes))
    case .remote(let path): Self.message("remote", Array(path.bytes))
    case .portal(let path): Self.message("portal", Array(path.bytes))
    case .flaw(let path, let reason):
      Self.message("flaw", Array(path.bytes), Array(reason.utf8))
    case .metainfoFailure(let reason): Self.message("metainfo", Array(reason.utf8))
    case .described(let bytes): Self.message("described", bytes)
    case .paused(let end): CompanionMessage("paused", "\(end)")
    case .ready(let isEnabled): CompanionMessage("ready", isEnabled ? "on" : "off")
    case .handled(let count, let held, let tally):
      Self.message("handled", Array("\(count)".utf8), Array("\(held)".utf8), tally.bytes)
    case .knows(let writers):
      CompanionMessage("knows", writers.map { "\($0)" }.joined(separator: " "))
    case .busy: CompanionMessage("busy")
    case .file(let path, let writer, let outcome):
      CompanionMessage(
        [Array("file".utf8), path, Array("\(writer)".utf8)] + Self.fields(of: outcome))
    case .portalWrite(let write): write.message
    case .missed(let count): CompanionMessage("missed", "\(count)")
    case .stale: CompanionMessage("stale")
    case .finished(let tally): Self.message("finished", tally.bytes)
    }
  }

  private static func message(_ kind: String, _ values: [UInt8]...) -> CompanionMessage {
    CompanionMessage([Array(kind.utf8)] + values)
  }

  /// - Returns: `nil` for a message of another version, or of a worker that was taken over.
  init?(_ message: CompanionMessage) {
    let fields = message.fields
    func path() -> FilePath? { fields.count > 1 ? FilePath(bytes: fields[1]) : nil }
    func number(_ index: Int) -> Int? {
      guard fields.count > index, let number = Int(message.text(index)), number >= 0 else {
        return nil
      }
      return number
    }
    let answer: WorkerAnswer? =
      switch message.text(0) {
      case "watched": path().map { .watched($0) }
      case "wantsWitness": .wantsWitness
      case "seal": fields.count == 2 ? SealedFile.files(message.text(1)).map { .seal($0) } : nil
      case "place": path().map { .place($0) }
      case "opened": path().map { .opened($0) }
      case "remote": path().map { .remote($0) }
      case "portal": path().map { .portal($0) }
      case "flaw": fields.count == 3 ? path().map { .flaw($0, message.text(2)) } : nil
      case "metainfo": fields.count == 2 ? .metainfoFailure(message.text(1)) : nil
      case "described": fields.count == 2 ? .described(fields[1]) : nil
      case "paused": number(1).map { .paused(until: $0) }
      case "ready": fields.count == 2 ? .ready(isEnabled: message.text(1) == "on") : nil
      case "handled":
        if fields.count == 4, let count = number(1), let held = number(2),
          let tally = WatchTally(bytes: fields[3])
        {
          .handled(count, held: held, tally)
        } else {
          nil
        }
      case "knows": fields.count == 2 ? Self.writers(message.text(1)).map { .knows($0) } : nil
      case "busy": .busy
      case "file":
        if fields.count > 3, let writer = Int32(message.text(2)),
          let outcome = Self.outcome(Array(fields[3...]))
        {
          .file(path: fields[1], writer: writer, outcome)
        } else {
          nil
        }
      case "portalWrite": PortalWrite(message).map { .portalWrite($0) }
      case "missed": number(1).map { .missed($0) }
      case "stale": .stale
      case "finished":
        fields.count == 2 ? WatchTally(bytes: fields[1]).map { .finished($0) } : nil
      default: nil
      }
    guard let answer else { return nil }
    self = answer
  }

  private static func writers(_ text: String) -> [Int32]? {
    let words = text.split(separator: " ")
    let writers = words.compactMap { Int32($0) }
    return writers.count == words.count ? writers : nil
  }

  private static func fields(of outcome: WatchOutcome) -> [[UInt8]] {
    func texts(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }
    return switch outcome {
    case .tagged(let source): texts("tagged") + fields(of: source)
    case .wouldTag(let source): texts("wouldTag") + fields(of: source)
    case .kept: texts("kept")
    case .renamed(let path): texts("renamed", path)
    case .recorded(let url): texts("recorded", url)
    case .none(let reason): texts("none", reason.name)
    case .unknown: texts("unknown")
    case .failed(let reason, let remedy):
      texts("failed", reason, remedy.map { "\($0)" } ?? "")
    }
  }

  private static func outcome(_ fields: [[UInt8]]) -> WatchOutcome? {
    let texts = fields.map { String(decoding: $0, as: UTF8.self) }
    switch (texts[0], texts.count) {
    case ("tagged", 5): return .tagged(source(fields.dropFirst()))
    case ("wouldTag", 5): return .wouldTag(source(fields.dropFirst()))
    case ("kept", 1): return .kept
    case ("renamed", 2): return .renamed(path: texts[1])
    case ("recorded", 2): return .recorded(url: texts[1])
    case ("none", 2): return NoApplication(name: texts[1]).map { .none($0) }
    case ("unknown", 1): return .unknown
    case ("failed", 3):
      let remedies: [DocumentSourceError.Remedy] = [.startingAfresh, .removal, .anyScheme]
      return .failed(texts[1], remedies.first { "\($0)" == texts[2] })
    default: return nil
    }
  }

  /// A field that is missing is empty; before any other stands a byte that says that it is there.
  private static func fields(of source: DocumentSource) -> [[UInt8]] {
    DocumentSource.Field.allCases.map { field in
      source[field].map { [1] + Array($0.utf8) } ?? []
    }
  }

  private static func source(_ fields: ArraySlice<[UInt8]>) -> DocumentSource {
    var source = DocumentSource()
    for (field, value) in zip(DocumentSource.Field.allCases, fields) where !value.isEmpty {
      source[field] = String(decoding: value.dropFirst(), as: UTF8.self)
    }
    return source
  }
}

extension PortalWrite {
  fileprivate var message: CompanionMessage {
    let (kind, bytes) =
      switch document {
      case .path(let path): ("path", path)
      case .name(let name): ("name", name)
      }
    return CompanionMessage([
      Array("portalWrite".utf8), Array(kind.utf8), bytes, Array(application.utf8),
      Array("\(time)".utf8),
    ])
  }

  fileprivate init?(_ message: CompanionMessage) {
    guard message.fields.count == 5, let time = Int(message.text(4)) else { return nil }
    let bytes = message.fields[2]
    let document: Document
    switch message.text(1) {
    case "path": document = .path(bytes)
    case "name": document = .name(bytes)
    default: return nil
    }
    self.init(document: document, application: message.text(3), time: time)
  }
}

extension NoApplication {
  private static let others: [NoApplication] = [
    .terminal, .fileManager, .service, .nothingKnown, .filtered,
  ]

  fileprivate var name: String {
    if case .plain(let program) = self { "plain \(program.rawValue)" } else { "\(self)" }
  }

  fileprivate init?(name: String) {
    let lead = "plain "
    let program =
      name.hasPrefix(lead) ? PlainProgram(rawValue: String(name.dropFirst(lead.count))) : nil
    guard let found = program.map({ .plain($0) }) ?? Self.others.first(where: { "\($0)" == name })
    else { return nil }
    self = found
  }
}

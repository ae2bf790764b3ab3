internal import DocumentSource
internal import ForeignFormats
internal import ShareItem
internal import TextFormats
internal import Witness

/// Something that happened to a file, as marks and records say, or the file system.
public struct LifeEvent: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A device recorded the content.
    case recorded
    /// A mail or an AirDrop brought the file.
    case sent
    case downloaded
    /// A package manager installed the file with its package.
    case installed
    /// Somebody changed the file in a repository, by the last commit that did.
    case committed
    /// An application handed the content over.
    case shared
    /// The file came from an application, and perhaps `docsource watch` has noted so at that time.
    case tagged
    /// A program wrote the content.
    case written
    /// A program opened or wrote the file.
    case used
    /// Something changed the content: all that the file system knows.
    case changed
  }

  /// What says so.
  public struct Evidence: Hashable, Sendable {
    public let carrier: MarkCarrier
    public let trust: Trust
  }

  public let kind: Kind
  /// When, in seconds since 1970-01-01T00:00:00Z; `nil` if nothing says so.
  public private(set) var seconds: Double?
  /// The program, the device or, of a commit, the author that did it.
  public private(set) var program: String?
  /// The host, the sender, the package, the repository or the application that the file came from.
  public private(set) var origin: String?
  /// None of what the file system says.
  public private(set) var evidence: [Evidence]

  init(
    _ kind: Kind, _ seconds: Double? = nil, by program: String? = nil, from origin: String? = nil,
    _ evidence: [Evidence] = []
  ) {
    self.kind = kind
    self.seconds = seconds
    self.program = program
    self.origin = origin
    self.evidence = evidence
  }

  /// Whether both may be the same: what both say must agree.
  private func agrees(with other: LifeEvent) -> Bool {
    func agree<Value>(_ one: Value?, _ two: Value?, _ isSame: (Value, Value) -> Bool) -> Bool {
      guard let one, let two else { return true }
      return isSame(one, two)
    }
    return kind == other.kind && agree(program, other.program, ==)
      && agree(origin, other.origin, ==)
      && agree(seconds, other.seconds) { abs($0 - $1) <= Claim.tolerance }
  }

  /// Adds an event, as another witness of one that is there already if it agrees with that.
  fileprivate static func add(_ event: LifeEvent, to events: inout [LifeEvent]) {
    // Each use is one of its own, as far as times are known.
    let isOne = event.kind != .used || event.seconds == nil
    guard isOne, let position = events.firstIndex(where: { $0.agrees(with: event) }) else {
      if !events.contains(event) { events.append(event) }
      return
    }
    events[position].seconds = events[position].seconds ?? event.seconds
    events[position].program = events[position].program ?? event.program
    events[position].origin = events[position].origin ?? event.origin
    for one in event.evidence where !events[position].evidence.contains(one) {
      events[position].evidence.append(one)
    }
  }
}

extension ProvenanceReport {
  /// What happened to the file, in the order of time; what has no time comes last, in the order of the
  /// marks.
  ///
  /// Marks that agree are evidence of one event. Where marks contradict each other, each has its event.
  public var life: [LifeEvent] {
    var events: [LifeEvent] = []
    for mark in marks { for event in self.events(of: mark) { LifeEvent.add(event, to: &events) } }
    if let modified, document == nil {
      let isKnown = events.contains { event in
        guard let seconds = event.seconds, event.kind != .used else { return false }
        return abs(seconds - modified) <= DownloadedFile.tolerance
      }
      if !isKnown { events.append(LifeEvent(.changed, modified)) }
    }
    let dated = events.filter { $0.seconds != nil }.enumerated().sorted { one, two in
      (one.element.seconds ?? 0, one.offset) < (two.element.seconds ?? 0, two.offset)
    }
    return dated.map(\.element) + events.filter { $0.seconds == nil }
  }

  private func events(of mark: Mark) -> [LifeEvent] {
    guard let value = mark.value else { return [] }
    let evidence = [LifeEvent.Evidence(carrier: mark.carrier, trust: mark.trust)]
    func event(
      _ kind: LifeEvent.Kind, _ seconds: Double? = nil, by program: String? = nil,
      from origin: String? = nil
    ) -> LifeEvent {
      LifeEvent(kind, seconds, by: program, from: origin, evidence)
    }
    func text(_ subject: Claim.Subject) -> String? {
      for claim in Claim.all(of: mark) where claim.subject == subject {
        if case .text(let text) = claim.value { return text }
      }
      return nil
    }
    /// A download by what the mark claims; none where that is not its host, its program or its time.
    func download(_ seconds: Double? = nil) -> [LifeEvent] {
      if let sender = text(.sender) { return [event(.sent, from: sender)] }
      let (host, program) = (text(.url).flatMap(LinkText.host), text(.agent))
      guard host != nil || program != nil || seconds != nil else { return [] }
      return [event(.downloaded, seconds, by: program, from: host)]
    }
    switch (value, mark.kind) {
    case (.source(let source, _), _):
      guard let application = source.name ?? source.identifier else { return [] }
      let time = WatchMark.time(in: mark.bytes).map { $0 + CalendarDate.referenceDate }
      return [event(.tagged, time, from: application)]
    case (.quarantine(let quarantine), _):
      let seconds = quarantine.seconds.map { Double($0) }
      if quarantine.flags.contains(.download) { return download(seconds) }
      return text(.agent).map { [event(.written, seconds, by: $0)] } ?? []
    case (.moment(let seconds), .downloadedDate): return download(seconds)
    case (.moment(let seconds), .lastUsedDate): return [event(.used, seconds)]
    case (.download(let record, _), _): return download(record.end)
    case (.item(let item), _):
      let host = item.sourceURL.flatMap(LinkText.host)
      guard item.referrer.appName != nil || host != nil else { return [] }
      return [event(.shared, by: item.referrer.appName, from: host)]
    case (.text(let creator), .creator), (.text(let creator), .metadataCreator):
      return [event(.written, by: creator)]
    case (.use(let use), _):
      let isFirst = use.first != nil && use.first != use.seconds
      return (isFirst ? [event(.used, use.first, by: use.application)] : [])
        + [event(isWriting(use) ? .written : .used, use.seconds, by: use.application)]
    case (.embedded(let origin), _):
      let steps = origin.history.compactMap { step -> LifeEvent? in
        guard let seconds = step.seconds else { return nil }
        return event(.written, seconds, by: step.program.map { EmbeddedOrigin.Program($0).title })
      }
      let device = origin.device.map { [event(.recorded, by: $0)] } ?? []
      let program = origin.program?.title
      let isInHistory = steps.contains { $0.program == program }
      return device + steps + (isInHistory ? [] : program.map { [event(.written, by: $0)] } ?? [])
    case (.package(let record, _), _):
      return [event(.installed, record.installed, from: record.title)]
    case (.repository(let record), _):
      return record.commit.map { commit in
        [
          event(
            .committed, Double(commit.seconds), by: commit.author, from: record.repository.name)
        ]
      } ?? []
    case (.witness(_, .otherFile), _), (.grant, _): return []
    case (.witness(let record, _), _):
      return record.history.map { seen in
        event(
          .written, Double(seen.time / 1_000_000_000), by: seen.application ?? seen.executable)
      }
    default: return download()
    }
  }
}

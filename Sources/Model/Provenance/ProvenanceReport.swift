public import DocumentSource
public import ForeignFormats
public import LinuxSystem
internal import ShareItem
internal import Xattr

/// All marks that say where one file came from.
///
/// `first` gives a short answer without contradictions between marks. `contradictions` has the
/// claims that contradict each other, so that no conflict is hidden.
public struct ProvenanceReport: Sendable {
  public let file: FilePath
  /// All marks, in the order of their kinds; of one kind, those in files of other users come last.
  public let marks: [Mark]
  /// Carriers that cannot be read.
  public let flaws: [MarkCarrier.Flaw]
  /// The claims of all marks, in the order of the marks.
  public let claims: [Claim]
  /// The marks that count for the short answer, in the order in which they count: without those of
  /// other users, and those in a carrier that contradicts an earlier one.
  let counted: [Mark]
  /// The claims of the short answer, in the order in which they count.
  private let answer: [AnswerPart]
  /// The host that the file was downloaded from.
  public let host: String?
  /// When the file's content was last changed, in seconds since 1970-01-01T00:00:00Z; `nil` if
  /// that is unknown.
  public let modified: Double?
  /// The file that marks in this file belong to, if this file holds marks of another.
  public let document: Document?

  /// The file that the marks in a carrier belong to.
  public struct Document: Hashable, Sendable {
    /// Its path, relative to the directory of the carrier.
    public let path: [UInt8]
    public let isMissing: Bool

    public init(path: [UInt8], isMissing: Bool) {
      self.path = path
      self.isMissing = isMissing
    }
  }

  /// - Parameter marks: in any order of kinds; of one kind the earlier count more.
  public init(
    file: FilePath, marks: [Mark], flaws: [MarkCarrier.Flaw] = [], modified: Double? = nil,
    document: Document? = nil
  ) {
    self.file = file
    self.modified = modified
    self.document = document
    self.marks = Self.sorted(marks)
    self.flaws = flaws
    let short = ShortAnswer(self.marks)
    claims = short.given
    counted = short.marks
    let answer = Self.withOrigin(short.parts, counted)
    self.answer = answer
    let url = answer.first { $0.subject == .url }.map { short.given[$0.position].value }
    host = if case .text(let url)? = url { LinkText.host(of: url) } else { nil }
  }

  /// The claims with the referrer as the origin where yt-dlp has written it: that is the address that
  /// it was given, and it writes no other.
  private static func withOrigin(_ answer: [AnswerPart], _ marks: [Mark]) -> [AnswerPart] {
    guard answer.contains(where: { $0.subject == .referrer }) else { return answer }
    let isReported = answer.contains { $0.subject == .url || $0.subject == .sender }
    // A share item has a title as well, and says where its content came from.
    let isOfYtDlp =
      !marks.contains { $0.kind == .shareItem }
      && marks.contains { mark in
        mark.kind == .note("dublincore.format") || mark.kind == .note("dublincore.title")
      }
    guard !isReported, isOfYtDlp, marks.contains(where: { $0.kind == .referrerURL }) else {
      return answer
    }
    return answer.map { part in
      part.subject == .referrer ? AnswerPart(subject: .url, position: part.position) : part
    }
  }

  /// Sorting keeps the order of marks of one rank.
  private static func sorted(_ marks: [Mark]) -> [Mark] {
    marks.sorted { rank($0) < rank($1) }
  }

  private static func rank(_ mark: Mark) -> Int {
    let kind =
      switch mark.kind {
      case .documentSource, .witness: 0
      case .creator, .metadataCreator: 1
      case .quarantine: 2
      case .whereFroms: 3
      case .downloadedDate: 4
      case .originURL: 5
      case .referrerURL: 6
      case .zoneIdentifier, .shareItem: 7
      case .note, .originSubject, .finderComment: 8
      case .mediaType: 9
      case .userTags: 10
      case .lastUsedDate: 11
      case .applicationKey: 12
      case .downloadRecord: 13
      case .recentUse: 14
      case .activity: 15
      case .portalGrant: 16
      case .packageRecord: 17
      case .repositoryRecord: 18
      case .embeddedOrigin: 19
      case .searchIndex: 20
      }
    return 2 * kind + (mark.trust == .foreign ? 1 : 0)
  }

  /// The claim about a subject that takes precedence. Marks on the file itself come first. Claims in
  /// files of other users do not count. Where a mark contradicts one that counts before it, nothing
  /// in the same file counts.
  public func first(_ subject: Claim.Subject) -> Claim? {
    part(subject).map { part in
      let claim = claims[part.position]
      return Claim(subject: subject, value: claim.value, carrier: claim.carrier, trust: claim.trust)
    }
  }

  private func part(_ subject: Claim.Subject) -> AnswerPart? {
    answer.first { $0.subject == subject }
  }

  private func value(_ subject: Claim.Subject) -> Claim.Value? {
    part(subject).map { claims[$0.position].value }
  }

  /// The text of the first claim about something.
  public func text(_ subject: Claim.Subject) -> String? {
    if case .text(let text)? = value(subject) { text } else { nil }
  }

  /// The time of the first claim about something, in seconds since 1970-01-01T00:00:00Z.
  public func moment(_ subject: Claim.Subject) -> Double? {
    if case .moment(let seconds)? = value(subject) { seconds } else { nil }
  }

  /// The host of the page where the link stood.
  public var referrerHost: String? { text(.referrer).flatMap(LinkText.host) }

  /// The hosts of a download: where it came from, where the server was first asked, and the page with
  /// the link.
  public var downloadHosts: [String] {
    let first = counted.lazy.compactMap { mark -> String? in
      if case .download(let record, _)? = mark.value { record.firstURL } else { nil }
    }.first
    return [host, first.flatMap(LinkText.host), referrerHost].compactMap(\.self)
  }

  /// Whether what the short answer says of the download is likely only: a browser's record that was
  /// found by the file's size and time, or by its path alone.
  public var isLikely: Bool {
    guard let claim = first(.url) ?? first(.agent) else { return false }
    return counted.contains { mark in
      guard case .value(.download(_, let match)) = mark.content, match != .path else {
        return false
      }
      return mark.carrier == claim.carrier
    }
  }

  /// Whether a mark says that the file was downloaded, rather than written by the program named.
  public var isDownload: Bool {
    if part(.url) != nil { return true }
    return counted.contains { mark in
      switch mark.value {
      case .quarantine(let quarantine): quarantine.flags.contains(.download)
      case .moment: mark.kind == .downloadedDate
      case .download: true
      default: false
      }
    }
  }

  /// What the last use recorded by the desktop means for the content of the file.
  public enum LastUse: Hashable, Sendable {
    /// The application registered the file when its content was last changed.
    case wrote(RecentUse)
    /// The content was last changed before that, or nobody knows.
    case used(RecentUse)
    /// Something else has changed the content since.
    case outdated(RecentUse)
  }

  /// Seconds from the change to the record: an application registers a file when it has written it,
  /// and old applications record whole seconds.
  private static let registration = -1.0...10.0

  /// The last use that the desktop has recorded, in one place or another.
  public var lastUse: LastUse? {
    guard part(.lastUse) != nil else { return nil }
    let uses = answer.compactMap { part in
      if case .use(let use) = claims[part.position].value { use } else { nil }
    }
    // Of several at the same time, or without one, the first.
    guard let use = uses.max(by: { ($0.seconds ?? -.infinity) < ($1.seconds ?? -.infinity) }) else {
      return nil
    }
    if isWriting(use) { return .wrote(use) }
    guard let modified, let seconds = use.seconds else { return .used(use) }
    return seconds < modified ? .outdated(use) : .used(use)
  }

  /// Whether the content was last changed when the application registered the file.
  func isWriting(_ use: RecentUse) -> Bool {
    guard let modified, let seconds = use.seconds else { return false }
    return Self.registration.contains(seconds - modified)
  }

  /// Whether a mark or a carrier could not be read.
  public var isIncomplete: Bool {
    marks.contains { if case .unreadable = $0.content { true } else { false } }
      || flaws.contains { !$0.isThere }
  }

  /// The subjects about which the marks' claims exclude each other.
  public var contradictions: [Contradiction] {
    let isRepeated = claims.indices.contains { later in
      (0..<later).contains { claims[$0].subject == claims[later].subject }
    }
    guard isRepeated else { return [] }
    let subjects = claims.indices.map { claims[$0].subject }
    return Claim.Subject.allCases.compactMap { subject in
      guard let first = subjects.firstIndex(of: subject),
        subjects[(first + 1)...].contains(subject)
      else { return nil }
      var different: [Claim] = []
      for claim in claims where claim.subject == subject {
        if !different.contains(where: claim.agrees) { different.append(claim) }
      }
      return different.count > 1 ? Contradiction(subject: subject, claims: different) : nil
    }
  }

  /// The report to expect after carrying out an adoption that was a dry run.
  public func following(_ adoption: AdoptionReport) -> ProvenanceReport {
    let values = adoption.values.sorted { $0.key.precedes($1.key) }
    let adopted = values.compactMap { name, value -> Mark? in
      let carrier = MarkCarrier(form: .attribute, name: Array(name.bytes))
      return ForeignAttributeName(name)?.kind.map {
        Mark($0, in: carrier, trust: .claim, bytes: value)
      }
    }
    let gone = adopted.map(\.carrier.name) + adoption.steps.filter(\.isRemoved).map(\.carrier.name)
    let left = marks.filter { mark in
      let name = mark.carrier.name
      let isInside = [.appleDouble, .macArchive].contains(mark.carrier.form)
      return !gone.contains { gone in
        gone == name || isInside && name.starts(with: gone + [UInt8(ascii: ":")])
      }
    }
    return ProvenanceReport(
      file: file, marks: adopted + left, flaws: flaws, modified: modified, document: document)
  }

  /// The address that a browser has recorded of the file's download, where the file's marks have none;
  /// without what may identify the user: credentials, the query and the fragment. `nil` if the record is
  /// likely only, or the marks belong to another file.
  public var inferredURL: String? {
    guard document == nil, !isLikely, let claim = first(.url), claim.carrier.form == .browser,
      case .text(let url) = claim.value, LinkText.isURL(url)
    else { return nil }
    return ShareItem.handedOn(url, keeping: [])
  }

  /// The program that the content names.
  private var embeddedProgram: EmbeddedOrigin.Program? {
    for mark in counted { if case .embedded(let origin)? = mark.value { return origin.program } }
    return nil
  }

  /// The document source that other marks suggest. `nil` if the marks name no application, if they
  /// belong to another file, or if the file already has a document source, even a damaged one.
  ///
  /// The application that made the file comes first (`user.creator`), then the program that put it
  /// there (macOS's quarantine, or a browser's record unless that is likely only), then the one that the
  /// content names.
  public var inferredSource: DocumentSource? {
    let isReported = marks.contains { $0.kind == .documentSource && $0.content != .empty }
    let agent = isLikely ? nil : text(.agent)
    guard !isReported, document == nil,
      let application = text(.creator) ?? agent ?? embeddedProgram?.name
    else { return nil }
    let isIdentifier = WritingRules().doubt(about: application, for: .identifier) == nil
    return isIdentifier
      ? DocumentSource(identifier: application) : DocumentSource(name: application)
  }
}

/// A claim of the short answer, by its position among all claims: copies of claims count references.
private struct AnswerPart {
  /// What the claim is taken to be about.
  let subject: Claim.Subject
  let position: Int
}

/// What marks say together, and which of them count for that.
private struct ShortAnswer {
  /// What holds a mark, perhaps with others that tell of the same origin.
  private enum Holder: Hashable {
    /// The marked file itself.
    case file
    case form(MarkCarrier.Form)
    case other([UInt8])

    init(_ mark: Mark) {
      let carrier = mark.carrier
      switch carrier.form {
      case .attribute, .hfsplus, .sambaStream, .stream: self = .file
      case .netatalk, .sambaDepot: self = .form(carrier.form)
      case .appleDouble, .macArchive:
        // The file's name, a colon, and the mark's name.
        self = .other(carrier.name.dropLast(mark.kind.name.utf8.count + 1))
      case .sibling, .archive, .desktop, .browser, .content, .package, .repository:
        self = .other(carrier.name)
      }
    }
  }

  /// Where the claims of one mark are: an array of ranges would have its type made at run time.
  private struct Said {
    let start: Int
    let end: Int

    var positions: Range<Int> { start..<end }
  }

  /// The marks that count, in the order in which they do.
  private(set) var marks: [Mark]
  /// The claims of all marks, and the positions of what each of them says.
  private(set) var given: [Claim] = []
  private var said: [Said] = []
  /// The claims that count, in the order in which they do.
  private(set) var parts: [AnswerPart] = []

  /// - Parameter marks: in the order of their kinds.
  init(_ marks: [Mark]) {
    self.marks = marks
    given.reserveCapacity(3 * marks.count)
    said.reserveCapacity(marks.count)
    for mark in marks {
      let start = given.count
      Claim.append(of: mark, to: &given)
      said.append(Said(start: start, end: given.count))
    }
    if !marks.allSatisfy({ $0.trust == .claim }) {
      let trusted = marks.indices.filter { marks[$0].trust != .foreign }
      let claiming = trusted.filter { marks[$0].trust == .claim }
      let others = trusted.filter { marks[$0].trust != .claim }
      // What was seen counts before what anybody claims, which says more as long as both agree.
      let refuting = others.filter { refutes($0, claiming) }
      keep(refuting + claiming + others.filter { !refuting.contains($0) })
    }
    while let holder = take() {
      keep(self.marks.indices.filter { Holder(self.marks[$0]) != holder })
    }
  }

  private mutating func keep(_ positions: [Int]) {
    (marks, said) = (positions.map { marks[$0] }, positions.map { said[$0] })
  }

  /// Whether a program was seen writing the file that is another than marks claim.
  private func refutes(_ position: Int, _ claiming: [Int]) -> Bool {
    guard marks[position].trust == .witnessed else { return false }
    return given[said[position].positions].contains { seen in
      claiming.contains { claiming in
        given[said[claiming].positions].contains {
          $0.subject == seen.subject && !$0.agrees(with: seen)
        }
      }
    }
  }

  /// Takes the claims of the marks in their order.
  ///
  /// Of the application only what one mark says. Of the download, what a browser and the system have
  /// written in several marks, as long as these agree.
  ///
  /// - Returns: the holder of the first mark that contradicts a mark of another holder. Such a mark
  ///   tells of another file or another download, and so may the other marks in the same place.
  private mutating func take() -> Holder? {
    // Positions, since an element that is passed to a closure counts references.
    let given = given
    var parts: [AnswerPart] = []
    parts.reserveCapacity(given.count)
    var lonePath: Int?
    for (position, said) in said.enumerated() {
      let all = said.positions
      for first in all {
        let group = given[first].subject.group
        // Each group once, at its first claim.
        if (all.lowerBound..<first).contains(where: { given[$0].subject.group == group }) {
          continue
        }
        let new = (first..<all.upperBound).lazy.filter { given[$0].subject.group == group }
        if group.isOfOneMark, !new.contains(where: { given[$0].subject != .path }) {
          // A path without an application answers only where no application is known.
          lonePath = lonePath ?? first
          continue
        }
        if parts.contains(where: { $0.subject.group == group }) {
          let opposed = parts.filter { known in
            new.contains {
              given[$0].subject == known.subject && !given[$0].agrees(with: given[known.position])
            }
          }
          let holder = Holder(marks[position])
          if opposed.contains(where: { self.holder(of: given[$0.position]) != holder }) {
            return holder
          }
          if !opposed.isEmpty || group.isOfOneMark { continue }
        }
        for position in new {
          parts.append(AnswerPart(subject: given[position].subject, position: position))
        }
      }
    }
    if let lonePath, !parts.contains(where: { $0.subject == .identifier || $0.subject == .name }) {
      parts.append(AnswerPart(subject: .path, position: lonePath))
    }
    self.parts = parts
    return nil
  }

  /// The holder of the mark that makes a claim.
  private func holder(of claim: Claim) -> Holder? {
    marks.first { $0.carrier == claim.carrier }.map(Holder.init)
  }
}

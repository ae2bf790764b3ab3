package import Applications
internal import BinaryPropertyList
internal import CompanionProtocol
package import LinuxSystem
package import ShareItem

/// Something that can be done with what is shared, and why or why not.
package struct ShareOffer {
  package enum Work {
    case application(String)
    case target(ShareTarget)
    case activity(SystemActivity)
    case custom(CustomActivity)
    case sendTo(SendToEntry)
  }

  /// What the user calls it by.
  package let identifier: String
  package let name: String
  /// A name or path; empty if it has none.
  package let icon: String
  package let work: Work
  /// Why it fits, or why not.
  package let verdict: Verdict

  package typealias Verdict = Result<String, Refusal>

  fileprivate init(_ candidate: Candidate, _ verdict: Verdict) {
    identifier = candidate.identifier
    name = candidate.name
    icon = candidate.icon ?? ""
    work = candidate.work
    self.verdict = verdict
  }

  /// An application that the user names, though it is not offered.
  package init(application identifier: String, for request: ShareRequest) {
    self.init(
      Candidate(identifier, identifier, nil, .application(identifier), rank: 0),
      request.opening ?? .success(""))
  }

  package var fits: Bool { if case .success = verdict { true } else { false } }

  /// The activity's type, as the original has it.
  package var type: ActivityType? { work.type }

  package var category: SystemActivity.Category? {
    switch work {
    case .activity(let activity): activity.category
    case .custom(let activity): activity.category
    case .application, .sendTo, .target: nil
    }
  }

  /// The program that a description of the user's own starts, as it is written there; `nil` for what
  /// the desktop or the system does.
  package var program: String? {
    switch work {
    case .target(let target): target.command.first
    case .custom(let activity): activity.words(files: [], urls: []).first
    case .application, .sendTo, .activity: nil
    }
  }

  /// What the user can set; `nil` for what never has options.
  package var options: [ShareOption]? {
    switch work {
    case .target(let target): target.options
    case .custom(let activity): activity.options
    case .application, .sendTo, .activity: nil
    }
  }
}

extension ShareOffer.Work {
  fileprivate var type: ActivityType? {
    switch self {
    case .activity(let activity): activity.type
    case .custom(let activity): activity.type
    case .target(let target): target.activity
    case .application, .sendTo: nil
    }
  }
}

/// What may become an offer.
private struct Candidate {
  let identifier: String
  let name: String
  let icon: String?
  let work: ShareOffer.Work
  /// Less is earlier.
  let rank: Int
  /// Of an application, how it opens what is shared.
  let role: String?

  init(
    _ identifier: String, _ name: String, _ icon: String?, _ work: ShareOffer.Work, rank: Int,
    role: String? = nil
  ) {
    (self.identifier, self.name, self.icon, self.work) = (identifier, name, icon, work)
    (self.rank, self.role) = (rank, role)
  }

  var isApplication: Bool { if case .application = work { true } else { false } }

  /// Whether the types of files count for what is offered and done.
  var needsTypes: Bool {
    if case .activity(let activity) = work { activity.needsTypes } else { true }
  }
}

extension ShareOffer.Verdict {
  fileprivate init(not reason: String) { self = .failure(Refusal(reason: reason)) }
}

extension ShareRequest {
  /// Why no application gets it; `nil` if one may.
  fileprivate var opening: ShareOffer.Verdict? {
    things.allSatisfy { $0.target != nil }
      ? nil : ShareOffer.Verdict(not: "applications open files and URLs only")
  }
}

/// The offers for what is shared. The desktop is asked, and rules are evaluated, only for what may be
/// the answer.
package struct ShareOffers {
  /// What is shared, with what the desktop has been asked of it.
  package private(set) var request: ShareRequest
  private let table: ActivityTable
  private let takesOthers: Bool
  private let places: BaseDirectories
  private let services: HandoffServices
  private let locale = MessageLocale.current()
  private let excluded: Set<String>
  private var isExamined = false
  /// Targets and activities of the user's own.
  private var described: [Candidate] = []
  /// Of the menus of file managers; `nil` until they are read.
  private var ofMenus: [Candidate]?
  /// Descriptions and directories that cannot be read, as far as they were looked at.
  package private(set) var flaws: [DescriptionFlaw] = []
  /// What descriptions have that nobody reads.
  package private(set) var warnings: [DescriptionFlaw] = []

  /// - Parameters:
  ///   - words: what is not offered.
  ///   - others: whether applications for other types are offered, too.
  package init(
    for request: ShareRequest, excluding words: [String], by table: ActivityTable, others: Bool,
    in places: BaseDirectories, _ services: HandoffServices
  ) {
    self.request = request
    self.table = table
    takesOthers = others
    self.places = places
    self.services = services
    excluded = Set(words.map(Self.exclusion))
    for entry in ShareTargets(in: places).all() {
      switch entry {
      case .failure(let flaw): flaws.append(flaw)
      case .success(let target):
        warnings += target.warnings.map { DescriptionFlaw(path: target.path, reason: $0) }
        described.append(
          Candidate(
            target.identifier, target.name, nil, .target(target), rank: target.rule == nil ? 4 : 0))
      }
    }
    for entry in CustomActivity.all(in: places, locale: locale) {
      switch entry {
      case .failure(let flaw): flaws.append(flaw)
      case .success(let own):
        warnings += own.warnings.map { DescriptionFlaw(path: own.path, reason: $0) }
        described.append(
          Candidate(own.identifier, own.title, own.icon, .custom(own), rank: 3))
      }
    }
  }

  private static func exclusion(_ word: String) -> String {
    SystemActivity(word)?.type.rawValue ?? DesktopProtocol.Application.shortened(word)
  }

  private func names(_ one: Candidate) -> Set<String> {
    excluded.intersection([one.identifier, one.work.type?.rawValue].compactMap(\.self))
  }

  /// Whether a word that was to be excluded means something here, if only a file that cannot be read.
  package mutating func knows(excluded word: String) throws(DesktopFailure) -> Bool {
    if SystemActivity(word) != nil { return true }
    let name = Self.exclusion(word)
    return try candidates().contains { names($0).contains(name) }
      || flaws.contains { $0.path.lastComponent.starts(with: Array("\(word).".utf8)) }
  }

  // MARK: Candidates

  /// Asks the desktop once.
  private mutating func examine() throws(DesktopFailure) {
    guard !isExamined else { return }
    try request.examine(others: takesOthers, in: places, services.desktop)
    isExamined = true
  }

  private mutating func candidates() throws(DesktopFailure) -> [Candidate] {
    try examine()
    return applications + unlisted()
  }

  /// All but applications.
  private mutating func unlisted() -> [Candidate] { described + menus() + activities }

  private var applications: [Candidate] {
    let types = Set(request.listing.kinds.values.map(\.mediaType))
    let type = types.count == 1 ? types.first ?? "" : "all of these types"
    return request.listing.applications.map { entry in
      let (rank, role) =
        switch entry.role {
        case .standard: (1, "default application for \(type)")
        case .recommended: (2, "declares \(type)")
        case .fallback: (10, "opens a more general type than \(type)")
        case .other: (11, "opens files")
        }
      let (identifier, name) = (entry.application.identifier, entry.application.name)
      return Candidate(
        identifier, name, entry.icon, .application(identifier), rank: rank, role: role)
    }
  }

  private mutating func menus() -> [Candidate] {
    if let ofMenus { return ofMenus }
    var found: [Candidate] = []
    for entry in SendToEntry.all(in: places, locale: locale) {
      switch entry {
      case .failure(let flaw): flaws.append(flaw)
      case .success(let own):
        found.append(Candidate(own.identifier, own.name, own.icon, .sendTo(own), rank: 5))
      }
    }
    ofMenus = found
    return found
  }

  private var activities: [Candidate] {
    SystemActivity.all.map {
      Candidate(
        $0.name.rawValue, $0.title, $0.icon, .activity($0), rank: $0.category == .share ? 6 : 7)
    }
  }

  // MARK: Offers

  /// All of them, those that fit first, the most fitting first of all.
  package mutating func all() throws(DesktopFailure) -> [ShareOffer] {
    let candidates = try candidates().filter { candidate in
      if case .activity(let activity) = candidate.work { !activity.isOfClosedService } else { true }
    }
    return offers(candidates)
  }

  /// The offer that a word means; `nil` if none is.
  package mutating func offer(_ word: String) throws(DesktopFailure) -> ShareOffer? {
    if let activity = SystemActivity(word) {
      return try best((described + activities).filter { $0.work.type == activity.type })
    }
    let unlisted = unlisted()
    if let offer = try best(unlisted.filter { $0.identifier == word }) { return offer }
    let own = described.filter { one in
      if case .custom = one.work { one.work.type?.rawValue == word } else { false }
    }
    if let offer = try best(own) { return offer }
    let shortened = DesktopProtocol.Application.shortened(word)
    let all = try candidates()
    if let offer = try best(all.filter { $0.identifier == shortened }) { return offer }
    return try best(all.filter { $0.name == word })
  }

  private mutating func best(_ candidates: [Candidate]) throws(DesktopFailure) -> ShareOffer? {
    if candidates.contains(where: \.needsTypes) { try examine() }
    return offers(candidates).first
  }

  private func offers(_ candidates: [Candidate]) -> [ShareOffer] {
    let allowed = candidates.filter { names($0).isEmpty }
    let judged = allowed.map { (offer: ShareOffer($0, verdict(on: $0)), rank: $0.rank) }
    let sorted = judged.enumerated().sorted { one, other in
      (one.element.offer.fits ? 0 : 1, one.element.rank, one.offset)
        < (other.element.offer.fits ? 0 : 1, other.element.rank, other.offset)
    }
    return sorted.map(\.element.offer)
  }

  private func verdict(on candidate: Candidate) -> ShareOffer.Verdict {
    switch candidate.work {
    case .target(let target): verdict(on: target)
    case .custom(let activity): verdict(on: activity)
    case .activity(let activity): verdict(on: activity)
    case .application:
      request.opening ?? .success(candidate.role ?? "")
    case .sendTo(let entry):
      entry.refusal(of: request.things).map { ShareOffer.Verdict(not: $0) }
        ?? .success(
          entry.menu == .thunar ? "in the menu \"Send To\" of Thunar" : "an action of Nemo")
    }
  }

  private func verdict(on target: ShareTarget) -> ShareOffer.Verdict {
    guard let item = try? request.whole() else {
      return ShareOffer.Verdict(not: "the path of the file is not UTF-8")
    }
    let choice = TargetChoice(
      target, mainDocuments: request.mainDocuments, reading: services.list)
    switch choice.verdict(on: item) {
    case .taken where target.rule != nil: return .success("its rule matches")
    case .taken where target.kinds.isEmpty: return .success("takes everything")
    case .taken:
      return .success("accepts \(target.kinds.map(\.rawValue).joined(separator: ", "))")
    case .refused(let reason), .unknown(let reason): return ShareOffer.Verdict(not: reason)
    }
  }

  private func verdict(on activity: CustomActivity) -> ShareOffer.Verdict {
    let own: [SharedThing]
    do throws(Refusal) {
      own = try request.things(for: activity.type)
    } catch {
      return .failure(error)
    }
    let taken = activity.taken(of: own)
    guard !taken.isEmpty else { return ShareOffer.Verdict(not: "accepts none of it") }
    if let rule = activity.activation {
      guard let item = try? request.whole() else {
        return ShareOffer.Verdict(not: "the path is not UTF-8")
      }
      switch TargetChoice.matches(.string(rule), item) {
      case .taken: return .success("its rule matches")
      case .refused(let reason), .unknown(let reason): return ShareOffer.Verdict(not: reason)
      }
    }
    return .success(
      taken.count == own.count ? "accepts it" : "accepts \(taken.count) of \(own.count)")
  }

  private func verdict(on activity: SystemActivity) -> ShareOffer.Verdict {
    if let reason = activity.unavailability {
      return ShareOffer.Verdict(not: "unavailable: \(reason)")
    }
    let own: [SharedThing]
    do throws(Refusal) {
      own = try request.things(for: activity.type)
    } catch {
      return .failure(error)
    }
    let kinds = own.map(\.kinds)
    let accepted = activity.accepted(by: table)
    guard activity.canPerform(kinds, by: table) else {
      return ShareOffer.Verdict(not: "accepts \(accepted.words)")
    }
    if let reason = ActivityPerformer.refusal(of: activity, own) {
      return ShareOffer.Verdict(not: reason)
    }
    let found = kinds.reduce(into: ActivityKinds()) { $0.formUnion($1) }
    return .success("accepts \(found.intersection(accepted).words)")
  }
}

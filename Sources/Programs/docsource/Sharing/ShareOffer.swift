import ActivationRule
import Applications
import BinaryPropertyList
import CommandLineInterface
import CompanionProtocol
import Handoff
import LinuxSystem
import ShareItem
import TextFormats

/// Something that can be done with what is shared, and why or why not.
struct ShareOffer {
  enum Work {
    case application(String)
    case target(ShareTarget)
    case activity(SystemActivity)
    case custom(CustomActivity)
    case sendTo(SendToEntry)

    /// What programs call it.
    var kind: String {
      switch self {
      case .application: "application"
      case .target: "target"
      case .activity: "activity"
      case .custom: "custom"
      case .sendTo: "send-to"
      }
    }
  }

  /// What `--to` takes.
  let identifier: String
  let name: String
  let icon: String
  let work: Work
  let fits: Bool
  let reason: String
  /// Less is earlier.
  fileprivate let rank: Int

  fileprivate init(
    identifier: String, name: String, icon: String, work: Work, fits: Bool, reason: String,
    rank: Int
  ) {
    self.identifier = identifier
    self.name = name
    self.icon = icon
    self.work = work
    self.fits = fits
    self.reason = reason
    self.rank = rank
  }

  /// An application that the user names, though it is not offered.
  ///
  /// - Parameter fits: whether there are only files and URLs.
  init(application identifier: String, fits: Bool) {
    self.init(
      identifier: identifier, name: identifier, icon: "", work: .application(identifier),
      fits: fits,
      reason: "applications open files and URLs only", rank: 0)
  }

  /// The activity's type, as the original has it.
  var type: ActivityType? {
    switch work {
    case .activity(let activity): activity.type
    case .custom(let activity): activity.type
    case .target(let target): target.activity
    case .application, .sendTo: nil
    }
  }

  /// What the user can set; `nil` for what never has options.
  var options: [HandoverOption]? {
    switch work {
    case .target(let target): target.options
    case .custom(let activity): activity.options
    case .application, .sendTo, .activity: nil
    }
  }

  private var optionMembers: [(key: String, value: String)] {
    guard let options, !options.isEmpty else { return [] }
    let objects = options.map { option in
      let values = option.values.map { value in
        JSONText.object(
          JSONText.member("value", value.word) + JSONText.member("title", value.title)
            + JSONText.member("icon", value.icon))
      }
      let members =
        JSONText.member("name", option.name) + JSONText.member("title", option.title)
        + JSONText.member("icon", option.icon) + JSONText.member("default", option.standard)
      return JSONText.object(
        members + (values.isEmpty ? [] : [("values", JSONText.array(values))]))
    }
    return [("options", JSONText.array(objects))]
  }

  fileprivate var category: String? {
    switch work {
    case .activity(let activity): activity.category.rawValue
    case .custom(let activity): activity.category.rawValue
    default: nil
    }
  }

  /// The members of JSON objects.
  var members: [(key: String, value: String)] {
    var members = JSONText.member("target", identifier) + JSONText.member("kind", work.kind)
    members += JSONText.member("name", name) + JSONText.member("activity", type?.rawValue)
    members += JSONText.member("category", category)
    return members + (icon.isEmpty ? [] : JSONText.member("icon", icon))
  }

  func write(explains: Bool, _ console: Console) {
    if console.writesObjects {
      console.write(
        members + optionMembers + [("fits", fits ? "true" : "false")]
          + JSONText.member("reason", reason))
    } else {
      let end = explains ? "\t\(fits ? "fits" : "does not fit"): \(EscapedText(reason))" : ""
      console.output.writeLine("\(EscapedText(identifier))\t\(EscapedText(name))" + end)
    }
  }
}

/// All offers for what is shared, those that fit first, the most fitting first of all.
struct ShareOffers {
  private let things: SharedThings
  private let table: ActivityTable
  private let excluded: Set<String>
  /// Those of them that have left something out.
  private var matched: Set<String> = []
  private let places: BaseDirectories
  private let locale = MessageLocale.current()
  private(set) var offers: [ShareOffer] = []
  /// Descriptions that cannot be read.
  private(set) var flaws: [(path: FilePath, reason: String)] = []
  /// What descriptions have that nobody reads.
  private(set) var warnings: [(path: FilePath, reason: String)] = []

  init(
    for things: SharedThings, excluding words: [String], by table: ActivityTable,
    in places: BaseDirectories
  ) {
    self.things = things
    self.table = table
    self.places = places
    excluded = Set(words.map(Self.exclusion))
    addTargets()
    addApplications()
    addCustom()
    addSendTo()
    addActivities()
    let sorted = offers.enumerated().sorted {
      ($0.element.fits ? 0 : 1, $0.element.rank, $0.offset)
        < ($1.element.fits ? 0 : 1, $1.element.rank, $1.offset)
    }
    offers = sorted.map(\.element)
  }

  private mutating func add(
    _ identifier: String, _ name: String, _ icon: String?, _ work: ShareOffer.Work, rank: Int,
    _ verdict: Verdict
  ) {
    let offer = ShareOffer(
      identifier: identifier, name: name, icon: icon ?? "", work: work, fits: verdict.fits,
      reason: verdict.reason, rank: rank)
    let names = excluded.intersection([identifier, offer.type?.rawValue].compactMap(\.self))
    matched.formUnion(names)
    if names.isEmpty { offers.append(offer) }
  }

  private static func exclusion(_ word: String) -> String {
    SystemActivity(word)?.type.rawValue ?? DesktopProtocol.Application.shortened(word)
  }

  /// Whether a word that was to be excluded means something here, if only a file that cannot be read.
  func knows(excluded word: String) -> Bool {
    SystemActivity(word) != nil || matched.contains(Self.exclusion(word))
      || flaws.contains { $0.path.lastComponent.starts(with: Array("\(word).".utf8)) }
  }

  private struct Verdict {
    let fits: Bool
    let reason: String

    init(_ reason: String) { (fits, self.reason) = (true, reason) }

    init(not reason: String) { (fits, self.reason) = (false, reason) }
  }

  private mutating func addTargets() {
    let item = try? things.whole()
    for entry in ShareTargets(in: places).all() {
      switch entry {
      case .failure(let flaw): flaws.append((flaw.path, flaw.reason))
      case .success(let target):
        warnings += target.warnings.map { (target.path, $0) }
        let verdict: Verdict
        if let item {
          let choice = TargetChoice(
            target, mainDocuments: things.mainDocuments, reading: PropertyListForm.list)
          switch choice.verdict(on: item) {
          case .taken where target.rule != nil: verdict = Verdict("its rule matches")
          case .taken where target.kinds.isEmpty: verdict = Verdict("takes everything")
          case .taken:
            let kinds = target.kinds.map(\.rawValue).joined(separator: ", ")
            verdict = Verdict("accepts \(kinds)")
          case .refused(let reason), .unknown(let reason): verdict = Verdict(not: reason)
          }
        } else {
          verdict = Verdict(not: "the path of the file is not UTF-8")
        }
        add(
          target.identifier, target.name, nil, .target(target), rank: target.rule == nil ? 4 : 0,
          verdict)
      }
    }
  }

  private mutating func addApplications() {
    let others = things.all.contains { $0.target == nil }
    let types = Set(things.listing.kinds.values.map(\.mediaType))
    let type = types.count == 1 ? types.first ?? "" : "all of these types"
    for entry in things.listing.applications {
      let (rank, reason) =
        switch entry.role {
        case .standard: (1, "default application for \(type)")
        case .recommended: (2, "declares \(type)")
        case .fallback: (10, "opens a more general type than \(type)")
        case .other: (11, "opens files")
        }
      let identifier = entry.application.identifier
      add(
        identifier, entry.application.name, entry.icon, .application(identifier), rank: rank,
        others ? Verdict(not: "applications open files and URLs only") : Verdict(reason))
    }
  }

  private mutating func addCustom() {
    for entry in CustomActivities.all(in: places, locale: locale) {
      switch entry {
      case .failure(let flaw): flaws.append((flaw.path, flaw.reason))
      case .success(let activity):
        warnings += activity.warnings.map { (activity.path, $0) }
        add(
          activity.identifier, activity.title, activity.icon, .custom(activity), rank: 3,
          verdict(on: activity))
      }
    }
  }

  private func verdict(on activity: CustomActivity) -> Verdict {
    let own: [SharedThing]
    do throws(Refusal) {
      own = try things.things(for: activity.type)
    } catch {
      return Verdict(not: error.message)
    }
    let taken = activity.taken(of: own.map(\.custom))
    guard !taken.isEmpty else { return Verdict(not: "accepts none of it") }
    if let rule = activity.activation {
      guard let item = try? things.whole() else { return Verdict(not: "the path is not UTF-8") }
      switch TargetChoice.matches(.string(rule), item) {
      case .taken: return Verdict("its rule matches")
      case .refused(let reason), .unknown(let reason): return Verdict(not: reason)
      }
    }
    return Verdict(
      taken.count == own.count ? "accepts it" : "accepts \(taken.count) of \(own.count)")
  }

  private mutating func addSendTo() {
    var files: [SendToEntry.Thing] = []
    for thing in things.all {
      guard let path = thing.file.flatMap({ FilePath(bytes: $0) }) else {
        files = []
        break
      }
      files.append(
        SendToEntry.Thing(
          name: String(decoding: path.lastComponent, as: UTF8.self),
          mediaType: thing.mediaType ?? ""))
    }
    for entry in SendToEntry.all(in: places, locale: locale) {
      let verdict =
        entry.refusal(of: files).map { Verdict(not: $0) }
        ?? Verdict(
          entry.menu == .thunar ? "in the menu \"Send To\" of Thunar" : "an action of Nemo")
      add(entry.identifier, entry.name, entry.icon, .sendTo(entry), rank: 5, verdict)
    }
  }

  private mutating func addActivities() {
    for activity in SystemActivity.all {
      add(
        activity.name.rawValue, activity.title, activity.icon, .activity(activity),
        rank: activity.category == .share ? 6 : 7, verdict(on: activity))
    }
  }

  private func verdict(on activity: SystemActivity) -> Verdict {
    if let reason = activity.unavailability { return Verdict(not: "unavailable: \(reason)") }
    let own: [SharedThing]
    do throws(Refusal) {
      own = try things.things(for: activity.type)
    } catch {
      return Verdict(not: error.message)
    }
    let kinds = own.map(\.kinds)
    let accepted = activity.accepted(by: table)
    guard activity.canPerform(kinds, by: table) else {
      return Verdict(not: "accepts \(accepted.words)")
    }
    if let reason = ActivityPerformer.refusal(of: activity, own) { return Verdict(not: reason) }
    let found = kinds.reduce(into: ActivityKinds()) { $0.formUnion($1) }
    return Verdict("accepts \(found.intersection(accepted).words)")
  }

  /// The offer that a word of the command line means; `nil` where none is.
  func offer(_ word: String) -> ShareOffer? {
    if let activity = SystemActivity(word) {
      return offers.first { $0.type == activity.type }
    }
    func first(_ isMeant: (ShareOffer) -> Bool) -> ShareOffer? { offers.first(where: isMeant) }
    let shortened = DesktopProtocol.Application.shortened(word)
    return first { if case .application = $0.work { false } else { $0.identifier == word } }
      ?? first { if case .custom(let own) = $0.work { own.type.rawValue == word } else { false } }
      ?? first { $0.identifier == shortened } ?? first { $0.name == word }
  }
}

import Applications
import BinaryPropertyList
import CommandLineInterface
import CompanionProtocol
import Glibc
import Handoff
import LinuxSystem
import Provenance
import ShareItem
import TextFormats
import Xattr

/// `docsource share`: hands files and items over to applications, targets and activities.
enum ShareCommand: Command {
  private static let words = ValueKind.target(
    SystemActivity.all.filter { $0.unavailability == nil }.map(\.name.rawValue))
  private static let to = OptionDeclaration(
    "to", value: "TARGET", kind: words, help: "hand over to TARGET without asking")
  private static let list = OptionDeclaration(
    "list", short: "l", help: "list what fits, the most fitting first, instead")
  private static let explain = OptionDeclaration(
    "explain", help: "list everything, with why it fits or does not")
  private static let all = OptionDeclaration(
    "all", help: "also offer applications for other types")
  private static let exclude = OptionDeclaration(
    "exclude", value: "TARGET", kind: words, repeats: true,
    help: "do not offer TARGET; repeatable")
  private static let table = OptionDeclaration(
    "table", value: "TABLE", choices: ActivityTable.allCases.map(\.rawValue),
    help: "what activities accept")
  private static let text = OptionDeclaration(
    "text", value: "TEXT", help: "what is said with FILE, or shared alone")
  private static let subject = OptionDeclaration(
    "subject", value: "TEXT", help: "the subject or title")
  private static let recipient = OptionDeclaration(
    "recipient", value: "ADDRESS", repeats: true,
    help: "whom to send mail, a message or a call; repeatable")
  private static let cc = OptionDeclaration(
    "cc", value: "ADDRESS", repeats: true, help: "who gets a copy of the mail; repeatable")
  private static let bcc = OptionDeclaration(
    "bcc", value: "ADDRESS", repeats: true, help: "who gets a hidden copy; repeatable")
  private static let into = OptionDeclaration(
    "into", value: "DIR", help: "with --to=save: the directory for the copies")
  private static let vcard = OptionDeclaration(
    "vcard", value: "FILE", help: "with --to=contact: the contact, a vCard 4.0")
  private static let option = OptionDeclaration(
    "option", value: "NAME=VALUE", repeats: true,
    help: "set an option of a target or activity; repeatable")
  private static let readingList = OptionDeclaration(
    "reading-list", help: "list the reading list instead")
  private static let remove = OptionDeclaration(
    "remove", value: "URL", repeats: true,
    help: "with --reading-list: remove URL from it; repeatable")
  private static let portal = OptionDeclaration(
    "portal", help: "let the desktop portal do it, as in a sandbox")
  private static let osc52 = OptionDeclaration(
    "osc52", help: "with --to=copy: use the terminal's clipboard")
  private static let anyPath = OptionDeclaration(
    "any-path", help: "accept paths that lead out of the item's directory")
  private static let keepProvenance = OptionDeclaration(
    "keep-provenance", help: "also hand over what identifies you")

  static let answerOfFailure: [(key: String, value: String)]? = [
    ("outcome", JSONText.string("failed"))
  ]

  static let verb = "share"
  static let declaration = CommandDeclaration(
    name: verb, summary: "hand files over to applications, people and services",
    operands: "FILE|ITEM|URL...", kinds: [.file],
    details: """
      TARGET is an application, a share target or one of: mail, message, call, map, copy, save, \
      reading-list, print, contact. Without --to, you are asked on the terminal.
      """,
    options: [
      to, list, explain, all, exclude, table, text, subject, recipient, cc, bcc, into, vcard,
      option, readingList, remove, portal, osc52, anyPath, keepProvenance, BulkChange.dryRun,
      BulkChange.quiet,
      BulkChange.json, OutputFile.option, FileList.option,
    ],
    examples: [
      "docsource share --explain photo.jpg",
      "docsource share --to mail --recipient ann@example.org --subject Minutes minutes.pdf",
    ],
    manual: ManualText(Manual.share))

  static func run(_ arguments: Arguments, _ console: Console) throws(UsageError) -> ExitStatus {
    if arguments.has(readingList) || arguments.has(remove) {
      return try read(arguments, console)
    }
    let isList = arguments.has(list) || arguments.has(explain)
    guard !isList || !arguments.has(to) else {
      throw UsageError("--to and --\(arguments.has(list) ? "list" : "explain") exclude each other")
    }
    let given = try arguments.text(text)
    guard !arguments.operands.isEmpty || given != nil else { throw UsageError("no file given") }
    guard isList || arguments.has(to) || TerminalMenu.isPossible && !arguments.has(BulkChange.json)
    else { throw UsageError("give --to or --list") }
    let places = BaseDirectories.current()
    var things = SharedThings(
      keepsPrivate: arguments.has(keepProvenance), allowsAnyPath: arguments.has(anyPath))
    things.title = try arguments.text(subject)
    if arguments.operands.isEmpty { things.add(text: given ?? "") } else { things.text = given }
    guard things.resolve(arguments.operands, console) else { return .failed }
    do throws(DesktopFailure) {
      try things.examine(all: arguments.has(all), in: places, ShareCompanion())
    } catch {
      console.say(error.description)
      return .failed
    }
    var words: [String] = []
    for word in arguments.values(exclude) { words.append(try AttachedFiles.text(word, exclude)) }
    let offers = ShareOffers(
      for: things, excluding: words,
      by: try arguments.choice(table).flatMap { ActivityTable(rawValue: $0) } ?? .apple, in: places)
    for word in words where !offers.knows(excluded: word) {
      do throws(UsageError) {
        _ = try installedApplication(Array(word.utf8), console)
      } catch {
        throw UsageError("--exclude: no target '\(EscapedText(word))'")
      }
    }
    for flaw in offers.flaws + offers.warnings where isList {
      console.report(flaw.path.bytes, "warning: \(EscapedText(flaw.reason))")
    }
    if isList { return list(offers, explains: arguments.has(explain), console) }
    var handover = Handover(
      things: things, options: try options(arguments),
      targetOptions: try arguments.pairs(option).map { key, value throws(UsageError) in
        (name: key, value: try Arguments.text(value, of: option))
      }, places: places, console: console,
      isQuiet: arguments.has(BulkChange.quiet), output: arguments.bytes(OutputFile.option))
    if let word = try arguments.text(to) {
      if let offer = offers.offer(word) { return try handover.run(offer) }
      return try handover.run(applicationOrUnknown: word, among: offers, console)
    }
    let fitting = offers.offers.filter(\.fits)
    guard !fitting.isEmpty else {
      console.report(things.name[...], "nothing fits; --explain tells why")
      return .noSource
    }
    let chosen = TerminalMenu.choose(
      "Share with:", among: fitting.map { "\($0.name) (\($0.identifier))" })
    guard let chosen, handover.askForOptions(of: fitting[chosen]) else {
      console.say("cancelled")
      return .noSource
    }
    return try handover.run(fitting[chosen])
  }

  /// Lists the reading list, or removes pages from it.
  private static func read(
    _ arguments: Arguments, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    guard arguments.has(readingList) else { throw UsageError("--remove needs --reading-list") }
    let own = [readingList, remove, BulkChange.dryRun, BulkChange.quiet, BulkChange.json]
    let others = declaration.options.filter { option in
      arguments.has(option) && !own.contains { $0.long == option.long }
    }
    guard others.isEmpty, arguments.operands.isEmpty else {
      let other = others.first.map { "--\($0.long)" } ?? "a file"
      throw UsageError("--reading-list and \(other) exclude each other")
    }
    guard let list = ReadingList(BaseDirectories.current(), console) else { return .failed }
    guard arguments.has(remove) else { return list.show() }
    return list.remove(arguments.values(remove), isDry: arguments.has(BulkChange.dryRun))
  }

  private static func options(_ arguments: Arguments) throws(UsageError) -> ActivityOptions {
    var options = ActivityOptions()
    func texts(_ option: OptionDeclaration) throws(UsageError) -> [String] {
      try arguments.values(option).map { bytes throws(UsageError) in
        try AttachedFiles.text(bytes, option)
      }
    }
    options.recipients = try texts(recipient)
    options.cc = try texts(cc)
    options.bcc = try texts(bcc)
    options.usesPortal = arguments.has(portal) || ShareCompanion().isSandboxed
    options.usesTerminal = arguments.has(osc52)
    options.directory = arguments.bytes(into).flatMap { FilePath(bytes: $0) }
    options.card = arguments.bytes(vcard)
    options.isDry = arguments.has(BulkChange.dryRun)
    return options
  }

  private static func list(
    _ offers: ShareOffers, explains: Bool, _ console: Console
  ) -> ExitStatus {
    let shown = explains ? offers.offers : offers.offers.filter(\.fits)
    for offer in shown { offer.write(explains: explains, console) }
    return shown.contains(where: \.fits) ? .done : .noSource
  }
}

/// Hands over, and tells what became of it.
private struct Handover {
  let things: SharedThings
  let options: ActivityOptions
  /// Those of a share target.
  var targetOptions: [(name: String, value: String)]
  let places: BaseDirectories
  let console: Console
  let isQuiet: Bool
  /// Where an item goes that comes back.
  let output: [UInt8]?

  /// An application that is no offer, or a word that means nothing.
  func run(
    applicationOrUnknown word: String, among offers: ShareOffers, _ console: Console
  ) throws(UsageError) -> ExitStatus {
    let known = offers.offers.map(\.identifier)
    let identifier: String?
    do throws(UsageError) {
      identifier = try installedApplication(Array(word.utf8), console)
    } catch {
      // A description that cannot be read is no unknown word.
      let flaws = offers.flaws.filter { flaw in
        flaw.path.lastComponent.starts(with: Array("\(word).".utf8))
      }
      for flaw in flaws { console.report(flaw.path.bytes, "\(EscapedText(flaw.reason))") }
      guard flaws.isEmpty else { return .failed }
      let hint = Spelling.nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
      throw UsageError("--to: no target '\(EscapedText(word))'\(hint)")
    }
    guard let identifier else { return .failed }
    return try run(
      ShareOffer(application: identifier, fits: things.all.allSatisfy { $0.target != nil }))
  }

  func run(_ offer: ShareOffer) throws(UsageError) -> ExitStatus {
    let words = try targetWords(of: offer)
    var losses = things.losses
    if case .target = offer.work { losses += things.lossesOfMarks }
    for loss in losses { console.report(things.name[...], EscapedText(loss).description) }
    var completion: ShareCompletion
    do throws(Refusal) {
      guard offer.fits else { throw Refusal(reason: offer.reason) }
      console.output.flush()
      completion = try perform(offer, words)
    } catch {
      completion = ShareCompletion(.failed(error))
    }
    if case .failed = completion.outcome {
    } else {
      for loss in unused(by: offer) { completion.lose(loss) }
    }
    return tell(completion, offer)
  }

  /// What the command line gives and the receiver has no place for.
  private func unused(by offer: ShareOffer) -> [String] {
    var takesSubject = false
    var takesText = false
    var name: SystemActivity.Name?
    switch offer.work {
    case .target: (takesSubject, takesText) = (true, true)
    case .custom: takesText = true
    case .application, .sendTo: break
    case .activity(let activity):
      name = activity.name
      takesSubject = name == .mail || name == .readingList && things.all.count == 1
      // Facebook's page says it itself.
      takesText = [.mail, .message, .readingList, .twitter, .facebook, .weibo].contains(name)
    }
    var unused: [String] = []
    if things.isTitleGiven, !takesSubject { unused.append("the subject") }
    if things.isTextGiven, !takesText { unused.append("the text") }
    let copies = options.cc + options.bcc
    let addresses =
      name == .mail ? [] : name == .message ? copies : options.recipients + copies
    unused += addresses.map { "the address \($0)" }
    return unused.map { "\($0), which \(offer.identifier) does not take" }
  }

  /// Lets the user choose the values of options that have a list of them and are not given.
  ///
  /// - Returns: whether the user has chosen all.
  mutating func askForOptions(of offer: ShareOffer) -> Bool {
    for option in offer.options ?? []
    where !option.values.isEmpty && !targetOptions.contains(where: { $0.name == option.name }) {
      let chosen = TerminalMenu.choose(
        "\(EscapedText(option.title)):", among: option.values.map(\.title))
      guard let chosen else { return false }
      targetOptions.append((name: option.name, value: option.values[chosen].word))
    }
    return true
  }

  /// The arguments of a share target, or of the user's own activity, besides its own.
  private func targetWords(of offer: ShareOffer) throws(UsageError) -> [String] {
    guard let options = offer.options else {
      guard targetOptions.isEmpty else {
        throw UsageError("--option: '\(EscapedText(offer.identifier))' is no share target")
      }
      return []
    }
    var owner = "target"
    if case .custom = offer.work { owner = "activity" }
    do throws(HandoverOption.Failure) {
      return try HandoverOption.arguments(targetOptions, of: options, owner: owner)
    } catch {
      throw UsageError("--option: \(EscapedText("\(error)"))")
    }
  }

  private func perform(
    _ offer: ShareOffer, _ words: [String]
  ) throws(Refusal) -> ShareCompletion {
    switch offer.work {
    case .application(let identifier): return try launch(identifier)
    case .sendTo(let entry): return try launch(entry.path.description)
    case .target(let target): return try send(target, words)
    case .custom(let activity): return try perform(activity, words)
    case .activity(let activity):
      return try ActivityPerformer(
        activity: activity, things: try things.things(for: activity.type),
        title: things.title(for: activity.type),
        text: things.text(for: activity.type), item: things.said, options: options,
        keepsPrivate: things.keepsPrivate, places: places, services: .ofProgram
      ).perform()
    }
  }

  private func launch(_ application: String) throws(Refusal) -> ShareCompletion {
    do throws(DesktopFailure) {
      return ShareCompletion(
        launched: try ShareCompanion().launch(
          application, things.all.compactMap(\.target), options.isDry ? .dryRun : []))
    } catch {
      throw Refusal(reason: error.description)
    }
  }

  private func send(
    _ target: ShareTarget, _ words: [String]
  ) throws(Refusal) -> ShareCompletion {
    var item: ShareItem
    switch try things.whole().handover(to: target.activity) {
    case .item(let own)?: item = own
    case .document(let document)?:
      item = ShareItem()
      item.attachments = [document]
    case .nothing?: throw Refusal(reason: TargetChoice.nothing)
    case nil: throw Refusal(reason: "nothing to share")
    }
    let run = things.run(to: target, options: words)
    if options.isDry {
      item = try run.resolved(item)
      let input: [UInt8]
      do throws(ItemFailure) {
        input = try item.encoded()
      } catch {
        throw Refusal(reason: "\(error)")
      }
      return ShareCompletion(
        .wouldRun((target.command + words).map { Array($0.utf8) }, input: input))
    }
    var completion = ShareCompletion()
    switch run.run(item) {
    case .done(let returned):
      completion.item = returned
      for attachment in returned?.attachments ?? [] {
        recordSource(of: attachment, from: target)
      }
    case .cancelled: completion.outcome = .cancelled
    case .refused(let reason): completion.outcome = .refused(reason)
    case .failed(let refusal): throw refusal
    }
    return completion
  }

  /// A file that a target hands back comes from there, unless it says where it comes from.
  private func recordSource(of attachment: ShareItem.Attachment, from target: ShareTarget) {
    guard case .path(let path) = attachment.content, path.hasPrefix("/"),
      let status = try? FileStatus(FilePath(path), links: .noFollow), status.kind == .file,
      status.owner == geteuid(), let writer = try? ItemWriter(ShareItem())
    else { return }
    let step = writer.recordSource(
      identifier: target.identifier, name: target.name, of: .path(FilePath(path)),
      converting: XMLValue.binary)
    if case .failed(let reason)? = step?.outcome {
      console.report(Array(path.utf8)[...], "cannot record its source: \(EscapedText(reason))")
    }
  }

  private func perform(
    _ activity: CustomActivity, _ ownOptions: [String]
  ) throws(Refusal) -> ShareCompletion {
    let own = try things.things(for: activity.type)
    let places = activity.taken(of: own.map(\.custom))
    let taken = places.map { own[$0] }
    var files: [String] = []
    var urls: [String] = []
    for thing in taken {
      if let path = thing.file {
        guard let text = String(validating: path, as: UTF8.self) else {
          throw Refusal(reason: "the path of the file is not UTF-8")
        }
        files.append(text)
        urls.append("file://" + String(decoding: ActivityPerformer.encoded(path), as: UTF8.self))
      } else if let url = thing.url {
        urls.append(url)
      }
    }
    let words = (activity.words(files: files, urls: urls) + ownOptions).map { Array($0.utf8) }
    let texts =
      taken.filter { $0.target == nil }.compactMap(\.words)
      + [things.text(for: activity.type)].compactMap(\.self)
    let input = Array(texts.map { $0 + "\n" }.joined().utf8)
    // What it does not take, and what its command line has no place for: %u and %f are the first.
    let left = own.indices.filter { place in
      guard let target = own[place].target else { return !places.contains(place) }
      let forms = [target, Array("file://".utf8) + ActivityPerformer.encoded(target)]
      return !words.contains { word in forms.contains { word.suffix($0.count).elementsEqual($0) } }
    }.map { place in
      own[place].target.map { String(decoding: $0, as: UTF8.self) } ?? own[place].words ?? "data"
    }
    if options.isDry {
      var completion = ShareCompletion(.wouldRun(words, input: input))
      for name in left { completion.lose(name) }
      return completion
    }
    let end = try FilterProcess.run(words, input)
    var completion = ShareCompletion()
    for name in left { completion.lose(name) }
    switch end.ending {
    case .status(0): completion.item = try returned(end.output, activity)
    case .status(1): completion.outcome = .cancelled
    case let ending: throw Refusal(reason: "the activity failed (\(ending.words))")
    }
    return completion
  }

  private func returned(
    _ output: [UInt8], _ activity: CustomActivity
  ) throws(Refusal) -> ShareItem? {
    guard activity.returns != .nothing, !output.isEmpty else { return nil }
    if activity.returns == .item {
      do throws(ItemFailure) {
        return try ShareItem(output)
      } catch {
        throw Refusal(reason: "the activity is done, but has written no share item: \(error)")
      }
    }
    guard let text = String(validating: output, as: UTF8.self) else {
      throw Refusal(reason: "the activity is done, but its answer is not UTF-8")
    }
    var item = ShareItem()
    let lines = text.split(separator: "\n").map(String.init)
    item.attachments =
      switch activity.returns {
      case .url: lines.filter { AbsoluteURL.hasScheme($0) }.map { .url($0) }
      case .file: lines.map { .file($0, type: nil) }
      default: [.text(text)]
      }
    return item
  }

  private func tell(_ completion: ShareCompletion, _ offer: ShareOffer) -> ExitStatus {
    var status = ExitStatus.done
    let word: String
    var reason: String?
    switch completion.outcome {
    case .done: word = "done"
    case .cancelled: (word, status) = ("cancelled", .noSource)
    case .refused(let words): (word, status, reason) = ("refused", .failed, words)
    case .failed(let refusal): (word, status, reason) = ("failed", .failed, refusal.message)
    }
    for loss in completion.losses {
      console.report(things.name[...], "left out: \(EscapedText(loss))")
    }
    if let item = completion.item, output != nil {
      do throws(ItemFailure) {
        status = status.combined(
          with: OutputFile.write(try item.encoded(), to: output, console))
      } catch {
        reason = "the returned item cannot be written: \(error)"
        status = .failed
      }
    }
    let text = CompletionText(completion, isDry: options.isDry)
    if console.writesObjects {
      var members = JSONText.path(things.name[...]) + offer.members
      members += JSONText.member("outcome", word)
      members.append(("completed", status == .done ? "true" : "false"))
      if options.isDry { members.append(("dryRun", "true")) }
      members += text.members
      if status != .failed {
        let item = completion.item.map { JSONText.object(ItemFormat.fields($0)) }
        members.append(("item", item ?? "null"))
      }
      console.write(members + JSONText.member("error", reason))
    } else if options.isDry {
      for line in text.lines { console.output.writeLine(line) }
    } else if status == .done, !isQuiet {
      let end = text.lines.isEmpty ? "" : ": " + text.lines.joined(separator: "; ")
      console.output.writeLine(
        "\(EscapedText(things.name)): handed over to \(EscapedText(offer.name))\(end)")
      if let item = completion.item, output == nil { ItemFormat.write(item, console) }
    }
    if status == .noSource { console.report(things.name[...], "cancelled") }
    if let reason {
      console.report(
        things.name[...],
        "cannot hand over to \(EscapedText(offer.name)): \(EscapedText(reason))")
    }
    return status
  }
}

extension Refusal {
  /// The reason, with the option that would help.
  var message: String {
    switch remedy {
    case nil: reason
    case .anyPath: reason + "; use --any-path to allow it"
    case .portal: reason + "; --portal lets the desktop attach files"
    case .terminalClipboard: reason + "; --osc52 uses the terminal's clipboard"
    case .directory: reason + "; give --into DIR"
    case .card: "give the contact's file with --vcard"
    }
  }
}

import Applications
import CommandLineInterface
import Handoff
import LinuxSystem
import Provenance
import ShareItem
import TextFormats

/// `docsource share`: hands files and items over to applications, targets and activities.
enum ShareCommand: Command {
  private static let words = ValueKind.target(
    SystemActivity.all.filter { $0.unavailability == nil }.map(\.name.rawValue))
  private static let to = OptionDeclaration(
    "to", value: "TARGET", kind: words, help: "hand over to TARGET without asking")
  private static let list = OptionDeclaration(
    "list", short: "l", help: "only list what fits, best first")
  private static let explain = OptionDeclaration(
    "explain", help: "list what fits and what does not, and why")
  private static let all = OptionDeclaration(
    "all", help: "also offer applications for other types")
  private static let exclude = OptionDeclaration(
    "exclude", value: "TARGET", kind: words, repeats: true,
    help: "do not offer TARGET; repeatable")
  private static let table = OptionDeclaration(
    "table", value: "TABLE", choices: ActivityTable.allCases.map(\.rawValue),
    help: "what activities accept")
  private static let text = OptionDeclaration(
    "text", value: "TEXT", help: "the text to send with FILE, or by itself")
  private static let subject = OptionDeclaration(
    "subject", value: "TEXT", help: "the subject or title")
  private static let recipient = OptionDeclaration(
    "recipient", value: "ADDRESS", repeats: true,
    help: "the recipient of mail or of a message; repeatable")
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
    "reading-list", help: "list the reading list")
  private static let remove = OptionDeclaration(
    "remove", value: "URL", repeats: true,
    help: "with --reading-list: remove URL from it; repeatable")
  private static let portal = OptionDeclaration(
    "portal", help: "use the desktop portal, as in a sandbox")
  private static let osc52 = OptionDeclaration(
    "osc52", help: "with --to=copy: use the terminal's clipboard")
  private static let anyPath = OptionDeclaration(
    "any-path",
    help: "accept paths that lead outside the item's directory or to something private")
  private static let keepPrivate = OptionDeclaration(
    "keep-private", formerly: "keep-provenance", help: "also hand over what identifies you")

  static let answerOfFailure = ChangeObject.ofFailure

  static let verb = "share"
  static let declaration = CommandDeclaration(
    name: verb, summary: "hand files over to applications, people and services",
    operands: "FILE|ITEM|URL...", kinds: [.file],
    details: """
      Hands files, share items (NAME.xei) and URLs over to TARGET: an application, a share target, an \
      activity of your own, or an activity of the system, such as mail, message, copy, save or print. \
      Without --to, you choose on the terminal.
      """,
    options: [
      to, list, explain, all, exclude, table, text, subject, recipient, cc, bcc, into, vcard,
      option, readingList, remove, portal, osc52, anyPath, ItemLimit.option,
      keepPrivate,
    ] + PrivatePartsOptions.all + [
      Confirmation.option, BulkChange.dryRun, BulkChange.quiet, BulkChange.json, OutputFile.option,
      FileList.option,
    ],
    examples: [
      "docsource share --explain photo.jpg",
      "docsource share --to mail --recipient ann@example.org minutes.pdf",
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
    let services = HandoffServices.ofProgram(asking: Confirmation.asking(arguments, console))
    let title = try arguments.text(subject)
    let limit = try ItemLimit.given(in: arguments)
    var isUnread = false
    let request: ShareRequest
    do throws(ShareRequest.Failure) {
      request = try ShareRequest(
        arguments.operands, title: title, text: given,
        keeping: arguments.has(keepPrivate) ? .all : PrivatePartsOptions.given(in: arguments),
        allowsAnyPath: arguments.has(anyPath)
      ) { operand in
        let input = ItemInput.read(operand, by: .name, limit: limit, console)
        if input == nil, ItemInput.isNamedSo(operand) { isUnread = true }
        if case .item(let item)? = input,
          !ItemLimit.allows(item, limit, to: "share", operand[...], console)
        {
          isUnread = true
          return nil
        }
        return input
      }
    } catch {
      console.fail(error.operand[...], error.refusal.message)
      return .failed
    }
    guard !isUnread else { return .failed }
    var words: [String] = []
    for word in arguments.values(exclude) { words.append(try AttachedFiles.text(word, exclude)) }
    var offers = ShareOffers(
      for: request, excluding: words,
      by: try arguments.choice(table).flatMap { ActivityTable(rawValue: $0) } ?? .apple,
      others: arguments.has(all), in: places, services)
    let word = try arguments.text(to)
    var unknown: [String] = []
    var chosen: ShareOffer?
    var listed: [ShareOffer] = []
    do throws(DesktopFailure) {
      for word in words where try !offers.knows(excluded: word) { unknown.append(word) }
      if let word { chosen = try offers.offer(word) }
      if chosen == nil { listed = try offers.all() }
    } catch {
      console.say(error.description)
      return .failed
    }
    for word in unknown {
      do throws(UsageError) {
        _ = try installedApplication(Array(word.utf8), console)
      } catch {
        throw UsageError("--exclude: no target '\(EscapedText(word))'")
      }
    }
    if isList {
      for flaw in offers.flaws + offers.warnings {
        console.report(flaw.path.bytes, "warning: \(EscapedText(flaw.reason))")
      }
      let explains = arguments.has(explain)
      let shown = explains ? listed : listed.filter(\.fits)
      for offer in shown { offer.write(explains: explains, console) }
      return shown.contains(where: \.fits) ? .done : .negative
    }
    var sharing = Sharing(
      handover: Handover(offers.request, try options(arguments), in: places, services),
      targetOptions: try arguments.pairs(option).map { key, value throws(UsageError) in
        (name: key, value: try Arguments.text(value, of: option))
      }, console: console, isQuiet: arguments.has(BulkChange.quiet),
      output: arguments.bytes(OutputFile.option))
    if let word {
      if let chosen { return try sharing.run(chosen) }
      return try sharing.run(applicationOrUnknown: word, listed, flaws: offers.flaws)
    }
    let fitting = listed.filter(\.fits)
    guard !fitting.isEmpty else {
      console.report(request.name[...], "nothing fits; --explain tells why")
      return .negative
    }
    for line in CompletionText.listing(offers.request.filesOfItems, after: "would hand over: ") {
      console.report(request.name[...], line)
    }
    let place = TerminalMenu.choose(
      "Share with:", among: fitting.map { "\($0.name) (\($0.identifier))" })
    guard let place, sharing.askForOptions(of: fitting[place]) else {
      console.say("cancelled")
      return .negative
    }
    return try sharing.run(fitting[place])
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
    guard let list = ReadingList(in: .current(), ShareCompanion()) else {
      console.say("cannot locate the reading list: \(BaseDirectories.Home.data.absence)")
      return .failed
    }
    do throws(UserFile.Failure) {
      guard arguments.has(remove) else {
        for page in try list.pages() { write(page, console) }
        return .done
      }
      let (urls, isDry) = (arguments.values(remove), arguments.has(BulkChange.dryRun))
      let removed = try list.remove(urls, isDry: isDry)
      for url in urls { write(url, isRemoved: removed.contains(url), isDry, console) }
      return removed.isSuperset(of: urls) ? .done : .negative
    } catch {
      console.fail((error.path ?? list.path).bytes, error.reason)
      return .failed
    }
  }

  private static func write(_ page: Bookmark, _ console: Console) {
    if console.writesObjects {
      func text(_ text: String) -> JSONFields.Field? { text.isEmpty ? nil : .text(text) }
      console.write([
        "url": .text(page.url), "title": text(page.title), "description": text(page.description),
      ])
    } else {
      let title = page.title.isEmpty ? "" : "\t\(EscapedText(page.title))"
      console.output.writeLine("\(EscapedText(page.url))\(title)")
    }
  }

  private static func write(
    _ url: [UInt8], isRemoved: Bool, _ isDry: Bool, _ console: Console
  ) {
    if console.writesObjects {
      console.write([
        "url": .path(url), "outcome": isRemoved ? "removed" : "unchanged",
        "dryRun": isDry ? true : nil,
      ])
    } else if isRemoved {
      console.output.writeLine("\(EscapedText(url)): \(isDry ? "would be removed" : "removed")")
    } else {
      console.report(url[...], "not in the reading list")
    }
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
}

/// Hands over, and says what became of it.
private struct Sharing {
  let handover: Handover
  /// Those of a share target.
  var targetOptions: [(name: String, value: String)]
  let console: Console
  let isQuiet: Bool
  /// Where an item goes that comes back.
  let output: [UInt8]?

  private var name: ArraySlice<UInt8> { handover.request.name[...] }

  /// What the user calls all that is shared.
  private var whole: ArraySlice<UInt8> {
    let others = handover.request.others
    return others == 0 ? name : name + Array(" and \(others) more".utf8)
  }

  /// What was left out before a receiver got the rest; of several operands with the operand.
  private func leftOut(for offer: ShareOffer) -> [String] {
    let areSeveral = handover.request.others > 0
    return handover.request.losses(for: offer).map { loss in
      areSeveral
        ? "\(String(decoding: loss.operand, as: UTF8.self)): \(loss.sentence)" : loss.sentence
    }
  }

  /// An application that is no offer, or a word that means nothing.
  func run(
    applicationOrUnknown word: String, _ offers: [ShareOffer],
    flaws: [DescriptionFlaw]
  ) throws(UsageError) -> ExitStatus {
    let identifier: String?
    do throws(UsageError) {
      identifier = try installedApplication(Array(word.utf8), console)
    } catch {
      // A description that cannot be read is no unknown word.
      let own = flaws.filter { $0.path.lastComponent.starts(with: Array("\(word).".utf8)) }
      for flaw in own { console.report(flaw.path.bytes, "\(EscapedText(flaw.reason))") }
      guard own.isEmpty else { return .failed }
      let hint =
        Spelling.nearest(to: word, among: offers.map(\.identifier))
        .map { "; did you mean '\($0)'?" } ?? ""
      throw UsageError("--to: no target '\(EscapedText(word))'\(hint)")
    }
    guard let identifier else { return .failed }
    return try run(ShareOffer(application: identifier, for: handover.request))
  }

  func run(_ offer: ShareOffer) throws(UsageError) -> ExitStatus {
    let words = try targetWords(of: offer)
    for loss in handover.request.losses(for: offer) {
      console.report(loss.operand[...], EscapedText(loss.sentence).description)
    }
    console.output.flush()
    return tell(handover.perform(offer, words), offer)
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
    do throws(ShareOption.Failure) {
      return try ShareOption.arguments(targetOptions, of: options, owner: owner)
    } catch {
      throw UsageError("--option: \(EscapedText("\(error)"))")
    }
  }

  private func tell(_ completion: ShareCompletion, _ offer: ShareOffer) -> ExitStatus {
    var status = ExitStatus.done
    for case .notRecorded(let path, let reason) in completion.effects {
      console.report(
        Array(path.utf8)[...], "cannot record its source: \(EscapedText(reason))")
    }
    let word: String
    var reason: String?
    switch completion.outcome {
    case .done: word = "done"
    case .cancelled: (word, status) = ("cancelled", .negative)
    case .refused(let words): (word, status, reason) = ("refused", .failed, words)
    case .failed(let refusal): (word, status, reason) = ("failed", .failed, refusal.message)
    }
    for loss in completion.losses {
      console.report(whole, "left out: \(EscapedText(loss))")
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
    let isDry = handover.options.isDry
    let text = CompletionText(completion, isDry: isDry, leftOut: leftOut(for: offer))
    if console.writesObjects {
      let outcome: JSONFields = [
        "outcome": .text(word), "completed": .flag(status == .done), "dryRun": isDry ? true : nil,
      ]
      let item = completion.item.map { JSONFields.Field.object(ItemFormat.fields($0)) }
      console.write(
        ["file": .path(name)] + offer.fields + outcome + text.fields + [
          "item": status == .failed ? nil : item ?? .null, "error": .text(reason),
        ])
    } else if isDry {
      for line in text.lines + text.files { console.output.writeLine(line) }
    } else if status == .done, isQuiet {
      for path in completion.files { console.report(name, "handed over: \(EscapedText(path))") }
    } else if status == .done {
      let end = text.lines.isEmpty ? "" : ": " + text.lines.joined(separator: "; ")
      console.output.writeLine(
        "\(EscapedText(name)): handed over to \(EscapedText(offer.name))\(end)")
      for line in text.files { console.output.writeLine(line) }
      if let item = completion.item, output == nil { ItemFormat.write(item, console) }
    }
    if status == .negative { console.report(name, "cancelled") }
    if let reason {
      console.report(
        whole, "cannot hand over to \(EscapedText(offer.name)): \(EscapedText(reason))")
    }
    return status
  }
}

// How offers are written.
extension ShareOffer {
  private var kind: String {
    switch work {
    case .application: "application"
    case .target: "target"
    case .activity: "activity"
    case .custom: "custom"
    case .sendTo: "send-to"
    }
  }

  private var optionFields: JSONFields {
    guard let options, !options.isEmpty else { return [:] }
    let objects: [JSONFields] = options.map { option in
      let values: [JSONFields] = option.values.map {
        ["value": .text($0.word), "title": .text($0.title), "icon": .text($0.icon)]
      }
      return [
        "name": .text(option.name), "title": .text(option.title), "icon": .text(option.icon),
        "default": .text(option.standard), "values": values.isEmpty ? nil : .objects(values),
      ]
    }
    return ["options": .objects(objects)]
  }

  fileprivate var fields: JSONFields {
    [
      "target": .text(identifier), "kind": .text(kind), "name": .text(name),
      "activity": .text(type?.rawValue), "category": .text(category?.rawValue),
      "icon": icon.isEmpty ? nil : .text(icon),
    ]
  }

  fileprivate func write(explains: Bool, _ console: Console) {
    let reason =
      switch verdict {
      case .success(let reason): reason
      case .failure(let refusal): refusal.message
      }
    if console.writesObjects {
      let verdict: JSONFields = ["fits": .flag(fits), "reason": .text(reason)]
      console.write(fields + ["program": .text(program)] + optionFields + verdict)
    } else {
      let end = explains ? "\t\(fits ? "fits" : "does not fit"): \(EscapedText(reason))" : ""
      console.output.writeLine("\(EscapedText(identifier))\t\(EscapedText(name))" + end)
    }
  }
}

extension Refusal {
  /// The reason, with the option that would help.
  var message: String {
    switch remedy {
    case nil: reason
    case .anyPath: reason + "; use --any-path to allow it"
    case .replacement: reason + "; use --force to replace it"
    case .portal: reason + "; --portal lets the desktop attach files"
    case .terminalClipboard: reason + "; --osc52 uses the terminal's clipboard"
    case .directory: reason + "; give --into DIR"
    case .card: "give the contact's file with --vcard"
    case .confirmation: reason + "; --yes allows it"
    }
  }
}

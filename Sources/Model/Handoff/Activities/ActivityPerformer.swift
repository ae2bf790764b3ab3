internal import Applications
internal import CompanionProtocol
internal import Glibc
package import LinuxSystem
package import Provenance
package import ShareItem
internal import TextFormats

/// How an activity is performed.
package struct ActivityOptions {
  package var recipients: [String] = []
  package var cc: [String] = []
  package var bcc: [String] = []
  package var usesPortal = false
  package var usesTerminal = false
  /// Where copies go; `nil` for the user's directory for their kind.
  package var directory: FilePath?
  /// The file of a contact.
  package var card: [UInt8]?
  package var isDry = false

  package init() {}
}

/// What the engine gets of its surroundings.
package struct HandoffServices: Sendable {
  package let desktop: any DesktopClient
  /// Reads a property list of any form.
  package let list: TargetChoice.ListReader
  /// Writes a file as a whole; why it cannot be written, `nil` if it was.
  package let write: @Sendable (_ bytes: [UInt8], _ path: FilePath) -> String?
  /// Asks the user.
  package let ask: @Sendable (HandoffQuestion) -> HandoffAnswer

  package init(
    desktop: any DesktopClient, list: @escaping TargetChoice.ListReader,
    write: @escaping @Sendable (_ bytes: [UInt8], _ path: FilePath) -> String?,
    ask: @escaping @Sendable (HandoffQuestion) -> HandoffAnswer
  ) {
    self.desktop = desktop
    self.list = list
    self.write = write
    self.ask = ask
  }
}

/// Performs the system's activities.
package struct ActivityPerformer {
  package let activity: SystemActivity
  package let things: [SharedThing]
  package let title: String?
  package let text: String?
  /// What the item says, for copies.
  package let item: ShareItem?
  package let options: ActivityOptions
  package let kept: ItemInput.Kept
  package let places: BaseDirectories
  package let services: HandoffServices

  private var desktop: any DesktopClient { services.desktop }

  package init(
    activity: SystemActivity, things: [SharedThing], title: String?, text: String?,
    item: ShareItem?, options: ActivityOptions, kept: ItemInput.Kept, places: BaseDirectories,
    services: HandoffServices
  ) {
    self.activity = activity
    self.things = things
    self.title = title
    self.text = text
    self.item = item
    self.options = options
    self.kept = kept
    self.places = places
    self.services = services
  }

  private static let printable = [
    "public.image", "public.text", "com.adobe.pdf", "com.adobe.postscript",
  ]

  /// Why an activity that accepts things of such kinds cannot be performed with these here; `nil`
  /// if it can.
  package static func refusal(of activity: SystemActivity, _ things: [SharedThing]) -> String? {
    let hasFiles = things.contains { $0.file != nil }
    let hasData = things.contains { if case .data = $0.content { true } else { false } }
    switch activity.name {
    case .mail where hasData: return "data must be in a file to be attached"
    case .message where hasFiles || hasData: return "messages carry text and URLs only"
    case .twitter, .facebook, .weibo:
      if hasFiles || hasData { return "the page of the service takes text and URLs only" }
      if things.count(where: { $0.url != nil }) > 1 { return "it takes one URL" }
      if activity.name == .facebook, !things.contains(where: { $0.url != nil }) {
        return "Facebook's page takes the URL of a web page"
      }
    case .call, .map:
      if things.count != 1 { return "it takes one \(activity.name == .call ? "number" : "place")" }
      do throws(ActivityURL.Failure) {
        let words = things[0].words ?? ""
        _ = try activity.name == .call ? ActivityURL.tel(words) : ActivityURL.geo(words)
      } catch {
        return error.description
      }
    case .copy:
      if hasData { return "data cannot be copied to the clipboard" }
      if hasFiles, things.contains(where: { $0.file == nil }) {
        return "the clipboard takes either files or text"
      }
    case .print:
      if hasData || things.contains(where: { $0.url != nil }) { return "only files are printed" }
      let isPrintable = things.allSatisfy { $0.conforms(to: printable) }
      if !isPrintable { return "texts, pictures, PDF and PostScript are printed" }
      if Program.installed("lp") == nil { return "lp is not installed" }
    case .save:
      let isSpecial = things.contains {
        $0.mediaType?.hasPrefix("inode/") ?? false && $0.mediaType != "inode/x-empty"
      }
      if isSpecial { return "only regular files are copied" }
    case .contact:
      if things.count != 1 { return "it takes one picture" }
    case .airDrop:
      if !things.allSatisfy({ $0.file != nil }) { return "Bluetooth sends files only" }
      if Program.installed("bluetooth-sendto") == nil { return "bluetooth-sendto is not installed" }
    case .mail, .message, .readingList, .tencentWeibo, .flickr, .vimeo, .openInIBooks, .markupAsPDF,
      .sharePlay, .inviteWithLink, .copyLink, .addToHomeScreen:
      break
    }
    return nil
  }

  package func perform() throws(Refusal) -> ShareCompletion {
    do {
      switch activity.name {
      case .mail: return try mail()
      case .message: return try message()
      case .call: return try call()
      case .map: return try map()
      case .copy: return try copy()
      case .save: return try save()
      case .readingList: return try readingList()
      case .print: return try run("lp", ["--"], things.compactMap(\.file))
      case .contact: return try contact()
      case .airDrop:
        return try run("bluetooth-sendto", [], things.compactMap(\.file), hasWindow: true)
      case .twitter: return try post(to: .twitter)
      case .facebook: return try post(to: .facebook)
      case .weibo: return try post(to: .weibo)
      case .tencentWeibo, .flickr, .vimeo, .openInIBooks, .markupAsPDF, .sharePlay,
        .inviteWithLink, .copyLink, .addToHomeScreen:
        throw Refusal(reason: activity.unavailability ?? "unavailable")
      }
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw Refusal(reason: "\(error)")
    }
  }

  /// All that is said, a line for each.
  private var said: String? {
    let parts = [text].compactMap(\.self) + things.compactMap(\.words)
    return parts.isEmpty ? nil : parts.joined(separator: "\n")
  }

  // MARK: Programs and URLs

  private func open(_ url: String) throws -> ShareCompletion {
    var launch: DesktopProtocol.Options = options.isDry ? .dryRun : []
    if options.usesPortal { launch.insert(.portal) }
    return ShareCompletion(launched: try desktop.launch(nil, [Array(url.utf8)], launch))
  }

  /// How long to wait for a program that may stay as long as its window; in milliseconds. Failures are
  /// reported at once.
  private static let patience = 3000

  /// Runs a program whose standard streams are not ours: some go on running in the background.
  ///
  /// - Parameter hasWindow: whether the program may not end before the user closes its window.
  private func run(
    _ name: String, _ words: [String], _ files: [[UInt8]] = [], input: [UInt8] = [],
    hasWindow: Bool = false
  ) throws -> ShareCompletion {
    guard let path = Program.installed(name) else {
      throw Refusal(reason: "\(name) is not installed")
    }
    let arguments = words.map { Array($0.utf8) } + files
    if options.isDry {
      return ShareCompletion(.wouldRun([Array(name.utf8)] + arguments, input: input))
    }
    let end = try FilterProcess.end(
      of: path, [Array(name.utf8)] + arguments, input,
      within: hasWindow ? Self.patience : nil)
    guard let end else { return ShareCompletion() }
    let said = end.output.isEmpty ? end.errors : end.output
    let lines = said.split(separator: UInt8(ascii: "\n")).prefix(10)
    guard end.ending == .status(0) else {
      let reason = lines.first.map { ": \(EscapedText($0))" } ?? ""
      switch end.ending {
      case .status: throw Refusal(reason: "\(name) failed\(reason)")
      case .signal(let number):
        throw Refusal(reason: "\(name) was terminated by signal \(number)")
      }
    }
    return ShareCompletion(.answered(Array(lines)))
  }

  private func mail() throws -> ShareCompletion {
    var mail = ActivityURL.Mail()
    (mail.to, mail.cc, mail.bcc) = (options.recipients, options.cc, options.bcc)
    (mail.subject, mail.body) = (title, said)
    try mail.check()
    let files = things.filter { $0.file != nil }
    guard !files.isEmpty || options.usesPortal else { return try open(mail.url()) }
    guard options.usesPortal || Program.installed("xdg-email") != nil else {
      throw Refusal(
        reason: "xdg-email is not installed, and mailto: has no attachments", remedy: .portal)
    }
    let paths = try files.map { thing throws(Refusal) in
      try MailAttachment(
        thing: thing, places: places, isForPortal: options.usesPortal, isDry: options.isDry
      ).path()
    }
    if options.usesPortal { return try portalMail(mail, paths) }
    // What anybody has said stands in the URL alone, where it is no option and no command.
    let url = Array(try mail.url().utf8)
    // Without this option xdg-email converts paths from the locale's encoding, and in the C locale
    // cuts them at the first byte that is not ASCII: the rest may be the name of another file.
    let encoding = paths.joined().contains { $0 >= 0x80 } ? ["--utf8"] : []
    return try run(
      "xdg-email", encoding, paths.flatMap { [Array("--attach".utf8), $0] } + [url],
      hasWindow: true)
  }

  private func portalMail(
    _ mail: ActivityURL.Mail, _ files: [[UInt8]]
  ) throws -> ShareCompletion {
    // GTK's portal writes addresses into a URL as they are.
    for address in mail.to + mail.cc + mail.bcc
    where address.contains(where: { "&?#%".contains($0) }) {
      throw Refusal(reason: "the portal would misread the address '\(EscapedText(address))'")
    }
    var words: [(name: String, value: [UInt8])] = []
    for (name, values) in [
      ("to", mail.to), ("cc", mail.cc), ("bcc", mail.bcc),
      ("subject", [mail.subject].compactMap(\.self)), ("body", [mail.body].compactMap(\.self)),
    ] {
      words += values.map { (name, Array($0.utf8)) }
    }
    words += files.map { ("attach", $0) }
    if options.isDry { return ShareCompletion(.wouldCompose(words)) }
    return ShareCompletion(launched: try desktop.compose(mail: words))
  }

  /// An item's numbers do not join those that the user gives, and alone they are asked for.
  private func message() throws -> ShareCompletion {
    var numbers = options.recipients
    var ofItem: [String] = []
    var parts = [text].compactMap(\.self)
    for thing in things {
      if let url = thing.url, thing.kinds.contains(.smsURL) {
        let message = try ActivityURL.message(in: url)
        if thing.isOfItem { ofItem += message.numbers } else { numbers += message.numbers }
        parts += [message.body].compactMap(\.self)
      } else {
        parts += [thing.words].compactMap(\.self)
      }
    }
    let isAsking = options.recipients.isEmpty && !ofItem.isEmpty
    if isAsking { numbers += ofItem }
    let body = parts.isEmpty ? nil : parts.joined(separator: "\n")
    let url = try ActivityURL.sms(numbers, body: body)
    var completion = ShareCompletion()
    if isAsking {
      completion = try services.asked(.recipients(ofItem), isDry: options.isDry)
      if case .cancelled = completion.outcome { return completion }
    }
    completion.add(try open(url))
    if !isAsking {
      for number in ofItem { completion.lose("the number \(number), which the item names") }
    }
    return completion
  }

  /// An item's number is asked for, whether it is a URL or a text.
  private func call() throws -> ShareCompletion {
    let url = try ActivityURL.tel(things[0].words ?? "")
    var completion = ShareCompletion()
    if things[0].isOfItem {
      completion = try services.askedForNumbers(in: [url], isDry: options.isDry)
      if case .cancelled = completion.outcome { return completion }
    }
    completion.add(try open(url))
    return completion
  }

  private func map() throws -> ShareCompletion {
    let words = try DesktopTarget.translated(things[0].words ?? "", desktop)
    guard !DesktopTarget.isMaps(words) else { return try open(words) }
    var completion = try open(ActivityURL.geo(words))
    for loss in DesktopTarget.losses(ofPlace: things[0].words ?? "") { completion.lose(loss) }
    return completion
  }

  private func post(to service: ActivityURL.Service) throws -> ShareCompletion {
    let texts = [text].compactMap(\.self) + things.filter { $0.url == nil }.compactMap(\.words)
    var completion = try open(
      ActivityURL.post(
        to: service, text: texts.isEmpty ? nil : texts.joined(separator: "\n"),
        url: things.lazy.compactMap(\.url).first))
    if service == .facebook, !texts.isEmpty {
      completion.lose("the text, which Facebook's page does not take")
    }
    return completion
  }

  // MARK: Clipboard

  private func copy() throws -> ShareCompletion {
    let files = things.compactMap(\.file)
    let content =
      files.isEmpty
      ? Array(things.compactMap(\.words).joined(separator: "\n").utf8)
      : files.flatMap { Array("file://".utf8) + Self.encoded($0) + [0x0d, 0x0a] }
    if options.usesTerminal { return try copyByTerminal(content) }
    func isSet(_ name: String) -> Bool {
      unsafe getenv(name).map { unsafe $0.pointee != 0 } ?? false
    }
    if isSet("WAYLAND_DISPLAY") {
      let type = files.isEmpty ? "text/plain;charset=utf-8" : "text/uri-list"
      return try run("wl-copy", ["--type", type], input: content)
    }
    if isSet("DISPLAY") {
      let type = files.isEmpty ? "UTF8_STRING" : "text/uri-list"
      return try run("xclip", ["-selection", "clipboard", "-t", type], input: content)
    }
    throw Refusal(
      reason: "neither WAYLAND_DISPLAY nor DISPLAY is set", remedy: .terminalClipboard)
  }

  /// A path as a URL has it (RFC 3986).
  package static func encoded(_ path: [UInt8]) -> [UInt8] {
    PercentEncoding.encoded(path, keeping: "/!$&'()*+,;=:@")
  }

  /// By the control sequence OSC 52 of xterm.
  private func copyByTerminal(_ content: [UInt8]) throws -> ShareCompletion {
    // More than terminals take.
    guard content.count <= 74_994 else { throw Refusal(reason: "too much for the terminal") }
    let sequence = Array("\u{1b}]52;c;\(Base64.text(of: content[...]))\u{07}".utf8)
    if options.isDry { return ShareCompletion(.wouldWriteToTerminal(sequence)) }
    let terminal = unsafe Glibc.open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { throw Refusal(reason: "there is no terminal") }
    defer { close(terminal) }
    try Descriptor.write(sequence, to: terminal)
    return ShareCompletion()
  }

  // MARK: Files

  private func save() throws -> ShareCompletion {
    var completion = ShareCompletion()
    let directories = UserDirectories(places)
    for thing in things {
      let name = thing.isImage ? "PICTURES" : thing.isMovie ? "VIDEOS" : "DOWNLOAD"
      guard let directory = options.directory ?? directories.path(name, in: places) else {
        throw Refusal(
          reason: "user-dirs.dirs names no directory XDG_\(name)_DIR", remedy: .directory)
      }
      let copy = SavedCopy(
        thing: thing, item: item, directory: directory, kept: kept,
        isDry: options.isDry)
      let (path, losses) = try copy.save()
      completion.add(.saved(path, losses: losses))
    }
    return completion
  }

  private func readingList() throws -> ShareCompletion {
    guard let list = ReadingList(in: places, desktop) else {
      throw Refusal(reason: BaseDirectories.Home.data.absence)
    }
    let pages = things.compactMap(\.url).map {
      Bookmark(
        url: $0, title: (things.count == 1 ? title : nil) ?? "", description: text ?? "")
    }
    var completion = ShareCompletion()
    do throws(UserFile.Failure) {
      let content = try list.add(pages, isDry: options.isDry)
      if options.isDry {
        completion.add(.wouldWrite(path: Array(list.path.bytes), content: content))
      }
    } catch {
      throw Refusal(reason: "\(error.path?.description ?? ""): \(error.reason)")
    }
    completion.add(.listed(list.path))
    return completion
  }

  /// More bytes than a contact or a picture of one has.
  private static let limit = 16 << 20
  private static let unreadable = "not a readable file of at most \(limit >> 20) MiB"

  private func contact() throws -> ShareCompletion {
    guard let name = options.card, let card = FilePath(bytes: name) else {
      throw Refusal(reason: "no contact's file is given", remedy: .card)
    }
    let picture: [UInt8]
    switch things[0].content {
    case .data(let bytes): picture = bytes
    case .file:
      guard let content = try things[0].held()?.content(limit: Self.limit) else {
        throw Refusal(reason: Self.unreadable)
      }
      picture = content
    case .text, .url: throw Refusal(reason: "it takes a picture")
    }
    let type =
      things[0].mediaType
      ?? things[0].type.flatMap { SharedThing.mediaType(of: $0) } ?? "image/jpeg"
    guard let former = InstalledFile(path: card).content(limit: Self.limit) else {
      throw Refusal(reason: "\(EscapedText(name)): \(Self.unreadable)")
    }
    let changed: [UInt8]
    do throws(ContactCard.Failure) {
      changed = try ContactCard.card(former, photo: picture, mediaType: type)
    } catch {
      throw Refusal(reason: "\(EscapedText(name)): \(error)")
    }
    var completion = ShareCompletion()
    if options.isDry {
      completion.add(.wouldWrite(path: name, content: changed))
    } else if let reason = services.write(changed, card) {
      throw Refusal(reason: "\(EscapedText(name)): cannot write: \(reason)")
    }
    completion.add(.assigned(card: name))
    return completion
  }
}

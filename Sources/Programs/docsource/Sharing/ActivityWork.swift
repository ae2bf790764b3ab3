import Applications
import CommandLineInterface
import ForeignFormats
import Glibc
import Handoff
import LinuxSystem
import ShareItem
import TextFormats

/// What the command line says of how an activity is performed.
struct ActivityOptions {
  var recipients: [String] = []
  var cc: [String] = []
  var bcc: [String] = []
  var usesPortal = false
  var usesTerminal = false
  /// Where copies go; `nil` for the user's directory for their kind.
  var directory: FilePath?
  /// The file of a contact.
  var card: [UInt8]?
  var isDry = false
}

/// What became of a hand-over: the completion of the original.
struct ShareCompletion {
  enum Outcome {
    case done, cancelled
    /// By a share target's check.
    case refused(String)
    case failed(Refusal)
  }

  var outcome = Outcome.done
  /// What came back.
  var item: ShareItem?
  /// For programs: what was made, or would be started or sent.
  var members: [(key: String, value: String)] = []
  /// The same for people.
  var lines: [String] = []
  /// What the receiver has no place for.
  private(set) var losses: [String] = []
  /// What copies lack, which `lines` says.
  private var lossesOfCopies: [String] = []

  init(_ outcome: Outcome = .done) { self.outcome = outcome }

  /// What would be run, to the byte.
  init(wouldRun words: [[UInt8]], input: [UInt8] = []) {
    addStart(words)
    addInput(input)
  }

  mutating func lose(_ what: String) {
    losses.append(what)
    addLeftOut()
  }

  fileprivate mutating func lose(inCopies losses: [String]) {
    lossesOfCopies += losses
    if !losses.isEmpty { addLeftOut() }
  }

  private mutating func addLeftOut() {
    members = members.filter { $0.key != "leftOut" }
    members.append(("leftOut", JSONText.array((lossesOfCopies + losses).map(JSONText.string))))
  }

  fileprivate static func shown(_ words: [[UInt8]]) -> String {
    words.map { "\(EscapedText(word: $0))" }.joined(separator: " ")
  }

  fileprivate mutating func addStart(_ words: [[UInt8]]) {
    lines.append("would run: \(Self.shown(words))")
    members += Self.members(words, "arguments")
  }

  /// An array, and its bytes where they are not UTF-8.
  fileprivate static func members(
    _ words: [[UInt8]], _ key: String
  ) -> [(key: String, value: String)] {
    let texts = words.map { JSONText.string(String(decoding: $0, as: UTF8.self)) }
    let array = (key: key, value: JSONText.array(texts))
    guard words.contains(where: { String(validating: $0, as: UTF8.self) == nil }) else {
      return [array]
    }
    let exact = words.map { JSONText.string(Base64.text(of: $0[...])) }
    return [array, (key: key + "Base64", value: JSONText.array(exact))]
  }

  fileprivate mutating func addInput(_ input: [UInt8]) {
    if input.isEmpty { return }
    lines.append("with standard input: \(EscapedText(quoting: input[...]))")
    members += JSONText.path(input[...], key: "input")
  }

  /// Of what the desktop did, or would do.
  init(_ outcomes: [DesktopProtocol.Outcome], isDry: Bool) {
    let starts = outcomes.compactMap { outcome in
      if isDry, case .started(_, _, _, let words) = outcome { words } else { nil }
    }
    if starts.count == 1 {
      members += Self.members(starts[0], "arguments")
    } else if !starts.isEmpty {
      let objects = starts.map { JSONText.object(Self.members($0, "arguments")) }
      members.append(("programs", JSONText.array(objects)))
    }
    for outcome in outcomes {
      switch outcome {
      case .started(_, _, let isInTerminal, let words) where isDry:
        let place = isInTerminal ? " in a terminal" : ""
        lines.append("would run\(place): \(Self.shown(words))")
      case .called(let application, _, let uris) where isDry:
        lines.append(
          "would call \(EscapedText(DesktopProtocol.Application.entry(application.identifier)))"
            + " with: \(Self.shown(uris))")
        members += Self.members(uris, "call")
      case .started(let application, _, _, _), .called(let application, _, _):
        // Once for each program that was started.
        if !members.contains(where: { $0.key == "identifier" }) {
          members += JSONText.member("identifier", application.identifier)
          lines.append("\(EscapedText(application.name))")
        }
      case .portal(let method, let target, _) where isDry:
        lines.append("would call the portal's \(method) with: \(Self.shown([target]))")
        members += Self.members([target], "call")
      case .portal(_, _, .cancelled): self.outcome = .cancelled
      case .portal(_, _, .failed):
        self.outcome = .failed(Refusal(reason: "the portal has ended the request"))
      case .portal: continue
      case .failed(_, let reason): self.outcome = .failed(Refusal(reason: reason))
      }
    }
  }
}

/// Performs the system's activities.
struct ActivityWork {
  let activity: SystemActivity
  let things: [SharedThing]
  let title: String?
  let text: String?
  /// What the item says, for copies.
  let item: ShareItem?
  let options: ActivityOptions
  let keepsPrivate: Bool
  let places: BaseDirectories
  var desktop: any DesktopClient = ShareCompanion()

  private static let printable = [
    "public.image", "public.text", "com.adobe.pdf", "com.adobe.postscript",
  ]

  /// Why an activity that accepts things of such kinds cannot be performed with these here; `nil`
  /// where it can.
  static func refusal(of activity: SystemActivity, _ things: [SharedThing]) -> String? {
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
      let isPrintable = things.allSatisfy { thing in
        thing.isImage
          || thing.type.map { type in
            printable.contains { SharedThing.conforms(type, $0) }
          } ?? false
      }
      if !isPrintable { return "texts, pictures, PDF and PostScript are printed" }
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

  func perform() throws(Refusal) -> ShareCompletion {
    do {
      switch activity.name {
      case .mail: return try mail()
      case .message: return try message()
      case .call: return try open(ActivityURL.tel(things[0].words ?? ""))
      case .map: return try map()
      case .copy: return try copy()
      case .save: return try save()
      case .readingList: return try readingList()
      case .print: return try run("lp", ["--"], things.compactMap(\.file))
      case .contact: return try contact()
      case .airDrop:
        return try run("bluetooth-sendto", [], things.compactMap(\.file), hasWindow: true)
      case .twitter, .facebook, .weibo: return try post()
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
    return ShareCompletion(
      try desktop.launch(nil, [Array(url.utf8)], launch), isDry: options.isDry)
  }

  /// How long to wait for a program that may stay as long as its window; in milliseconds. Failures are
  /// told at once.
  private static let patience = 3000

  /// Runs a program whose standard streams are not ours: some stay behind in the background.
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
      return ShareCompletion(wouldRun: [Array(name.utf8)] + arguments, input: input)
    }
    let program = try ChildProcess(path, name: name, arguments, input: input, errors: .kept)
    var ended: ChildProcess.Ending?
    let end = Clock.milliseconds + Self.patience
    while hasWindow, ended == nil {
      guard Clock.milliseconds < end else { return ShareCompletion() }
      ended = try program.endingSoFar()
      if ended == nil { usleep(10_000) }
    }
    let ending = try ended ?? program.wait()
    var completion = ShareCompletion()
    let said = ending.output.isEmpty ? ending.errors : ending.output
    let lines = said.split(separator: UInt8(ascii: "\n")).prefix(10).map { "\(EscapedText($0))" }
    if ending.status != .done {
      throw Refusal(
        reason: "\(name) failed" + (lines.first.map { ": \($0)" } ?? ""))
    }
    completion.lines = lines
    return completion
  }

  private func mail() throws -> ShareCompletion {
    var mail = ActivityURL.Mail()
    (mail.to, mail.cc, mail.bcc) = (options.recipients, options.cc, options.bcc)
    (mail.subject, mail.body) = (title, said)
    try mail.check()
    let files = things.compactMap(\.file)
    if options.usesPortal { return try portalMail(mail, files) }
    guard !files.isEmpty else { return try open(mail.url()) }
    guard Program.installed("xdg-email") != nil else {
      throw Refusal(
        reason: "xdg-email is not installed, and mailto: has no attachments", remedy: .portal)
    }
    // What anybody has said stands in the URL alone, where it is no option and no command.
    let url = Array(try mail.url().utf8)
    return try run(
      "xdg-email", [], files.flatMap { [Array("--attach".utf8), $0] } + [url], hasWindow: true)
  }

  private func portalMail(
    _ mail: ActivityURL.Mail, _ files: [[UInt8]]
  ) throws -> ShareCompletion {
    var words: [(name: String, value: [UInt8])] = []
    for (name, values) in [
      ("to", mail.to), ("cc", mail.cc), ("bcc", mail.bcc),
      ("subject", [mail.subject].compactMap(\.self)), ("body", [mail.body].compactMap(\.self)),
    ] {
      words += values.map { (name, Array($0.utf8)) }
    }
    words += files.map { ("attach", $0) }
    if options.isDry {
      var completion = ShareCompletion()
      completion.lines = ["would call the portal's ComposeEmail with:"]
      completion.lines += words.map { "  \($0.name): \(EscapedText(quoting: $0.value[...]))" }
      completion.members.append(
        (
          "mail",
          JSONText.array(words.map { JSONText.object(JSONText.path($0.value[...], key: $0.name)) })
        ))
      return completion
    }
    return ShareCompletion(try desktop.compose(mail: words), isDry: false)
  }

  private func message() throws -> ShareCompletion {
    var numbers = options.recipients
    var parts = [text].compactMap(\.self)
    for thing in things {
      if let url = thing.url, thing.kinds.contains(.smsURL) {
        let message = try ActivityURL.message(in: url)
        numbers += message.numbers
        parts += [message.body].compactMap(\.self)
      } else {
        parts += [thing.words].compactMap(\.self)
      }
    }
    let body = parts.isEmpty ? nil : parts.joined(separator: "\n")
    return try open(ActivityURL.sms(numbers, body: body))
  }

  private func map() throws -> ShareCompletion {
    let words = try DesktopTarget.translated(things[0].words ?? "", desktop)
    guard !DesktopTarget.isMaps(words) else { return try open(words) }
    var completion = try open(ActivityURL.geo(words))
    for part in ActivityURL.leftOut(ofPlace: things[0].words ?? "") {
      completion.lose("\(part), which geo: URLs do not have")
    }
    return completion
  }

  private func post() throws -> ShareCompletion {
    let texts = [text].compactMap(\.self) + things.filter { $0.url == nil }.compactMap(\.words)
    var completion = try open(
      ActivityURL.post(
        to: activity.name, text: texts.isEmpty ? nil : texts.joined(separator: "\n"),
        url: things.lazy.compactMap(\.url).first))
    if activity.name == .facebook, !texts.isEmpty {
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
  static func encoded(_ path: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return path.flatMap { byte -> [UInt8] in
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: [byte]
      case _ where "-._~/!$&'()*+,;=:@".utf8.contains(byte): [byte]
      default: [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }

  /// By the control sequence OSC 52 of xterm.
  private func copyByTerminal(_ content: [UInt8]) throws -> ShareCompletion {
    // More than terminals take.
    guard content.count <= 74_994 else { throw Refusal(reason: "too much for the terminal") }
    let sequence = Array("\u{1b}]52;c;\(Base64.text(of: content[...]))\u{07}".utf8)
    if options.isDry {
      var completion = ShareCompletion()
      completion.lines = ["would write to the terminal: \(EscapedText(quoting: sequence[...]))"]
      completion.members = JSONText.path(sequence[...], key: "terminal")
      return completion
    }
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
    var paths: [[UInt8]] = []
    var allLosses: [String] = []
    for thing in things {
      let name = thing.isImage ? "PICTURES" : thing.isMovie ? "VIDEOS" : "DOWNLOAD"
      guard let directory = options.directory ?? directories.path(name, in: places) else {
        throw Refusal(
          reason: "user-dirs.dirs names no directory XDG_\(name)_DIR", remedy: .directory)
      }
      let copy = SavedCopy(
        thing: thing, item: item, directory: directory, keepsPrivate: keepsPrivate,
        isDry: options.isDry)
      let (path, losses) = try copy.save()
      completion.lines.append(
        "\(options.isDry ? "would save" : "saved"): \(EscapedText(path.bytes))")
      completion.lines += losses.map { "left out: \(EscapedText($0))" }
      paths.append(Array(path.bytes))
      allLosses += losses
    }
    completion.members += ShareCompletion.members(paths, "saved")
    completion.lose(inCopies: allLosses)
    return completion
  }

  private func readingList() throws -> ShareCompletion {
    guard let path = ReadingList.path(in: places) else {
      throw Refusal(reason: ReadingList.noPlace)
    }
    let file = ReadingList.file(path)
    var completion = ShareCompletion()
    func added(_ list: [UInt8]?) throws(UserFile.Failure) -> [UInt8] {
      var list = list ?? []
      do throws(DesktopFailure) {
        for url in things.compactMap(\.url) {
          let page = Bookmark(
            url: url, title: (things.count == 1 ? title : nil) ?? "", description: text ?? "")
          list = try desktop.adding(page, to: list)
        }
      } catch {
        throw UserFile.Failure(path: path, reason: error.description)
      }
      return list
    }
    do throws(UserFile.Failure) {
      if options.isDry {
        let list = try added(try file.content())
        completion.lines = [
          "would write \(EscapedText(path.bytes)):", "\(EscapedText(quoting: list[...]))",
        ]
        completion.members = JSONText.path(list[...], key: "content")
      } else {
        try file.edit { content throws(UserFile.Failure) in try added(content) }
      }
    } catch {
      throw Refusal(reason: "\(error.path?.description ?? ""): \(error.reason)")
    }
    completion.members += JSONText.path(path.bytes, key: "list")
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
    case .file(let path):
      let file = FilePath(bytes: path).map { InstalledFile(path: $0) }
      guard let content = file?.content(limit: Self.limit) else {
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
      completion.lines = [
        "would write \(EscapedText(name)):", "\(EscapedText(quoting: changed[...]))",
      ]
      completion.members = JSONText.path(changed[...], key: "content")
    } else if let reason = OutputFile.failure(ofWriting: changed, to: card) {
      throw Refusal(reason: "\(EscapedText(name)): cannot write: \(reason)")
    }
    completion.members += JSONText.path(name[...], key: "card")
    return completion
  }
}

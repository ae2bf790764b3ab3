import Applications
import CommandLineInterface
import CompanionProtocol
import Glibc
import Handoff
import LinuxSystem
import Provenance
import ShareItem
import TextFormats
import UniformType

/// All that one command line shares.
struct SharedThings {
  /// Of attributes and items of strangers, URLs of other schemes are not handed over.
  private static let schemes = ["http", "https", "ftp", "mailto", "tel", "sms", "geo", "maps"]

  /// What the user calls it, for messages.
  private(set) var name: [UInt8] = []
  private var things: [SharedThing] = []
  /// The one item that is shared.
  private(set) var item: ShareItem?
  /// Where the files of that item are.
  private var files: ItemFiles?
  /// What the marks of the one file say.
  private var marks: ShareItem?
  /// What was left out of the things, as it identifies the user, in sentences.
  private(set) var losses: [String] = []
  /// What was left out of the marks of the one file, which only share targets receive.
  private(set) var lossesOfMarks: [String] = []
  /// The applications that open all of it, and the types of its files.
  private(set) var listing = DesktopListing()

  var title: String?
  var text: String?
  /// Whether title and text come from the command line, which overrides what an item has.
  private(set) var isTitleGiven = false
  private(set) var isTextGiven = false

  let keepsPrivate: Bool
  let allowsAnyPath: Bool

  init(keepsPrivate: Bool, allowsAnyPath: Bool) {
    self.keepsPrivate = keepsPrivate
    self.allowsAnyPath = allowsAnyPath
  }

  /// Finds what operands name; `false` after reporting what is not there or cannot be shared.
  mutating func resolve(_ operands: [[UInt8]], _ console: Console) -> Bool {
    name = operands.first ?? Array("text".utf8)
    (isTitleGiven, isTextGiven) = (title != nil, text != nil)
    for operand in operands {
      guard add(operand, isOnly: operands.count == 1, console) else { return false }
    }
    return true
  }

  private mutating func add(_ operand: [UInt8], isOnly: Bool, _ console: Console) -> Bool {
    guard let target = DesktopTarget.target(operand, console) else { return false }
    guard target.first == UInt8(ascii: "/") else {
      do throws(Refusal) {
        things.append(SharedThing(.url(try checked(String(decoding: target, as: UTF8.self)))))
        return true
      } catch {
        console.fail(operand[...], "cannot share: \(error.message)")
        return false
      }
    }
    guard isRegular(target), let input = ItemInput.read(operand, console) else {
      things.append(SharedThing(.file(target)))
      return true
    }
    if case .marks(let found, let report) = input {
      things.append(SharedThing(.file(target)))
      if isOnly { (marks, lossesOfMarks) = privately(ItemOrigin.item(found, report)) }
      return true
    }
    do throws(Refusal) {
      let files = ItemFiles(
        payload: ReplacedFile(path: FilePath(bytes: operand) ?? FilePath("")).directory,
        allowsAnyPath: allowsAnyPath)
      let (item, losses) = privately(input.handedOn)
      self.losses += losses
      if isOnly { (self.item, self.files) = (item, files) }
      if title == nil { title = item.title }
      if text == nil { text = item.contentText }
      let attachments = try files.resolved(item.attachments)
      things += try attachments.map { attachment throws(Refusal) in try thing(attachment) }
      return true
    } catch {
      console.fail(operand[...], "cannot share: \(error.message)")
      return false
    }
  }

  private func isRegular(_ path: [UInt8]) -> Bool {
    guard let path = FilePath(bytes: path) else { return false }
    return (try? FileStatus(path, links: .follow))?.kind == .file
  }

  private func privately(_ item: ShareItem) -> (ShareItem, losses: [String]) {
    let (stripped, losses) =
      keepsPrivate ? item.withoutUnreadFields() : item.withoutPrivateParts()
    return (stripped, losses.map { "\($0)" })
  }

  /// A URL of a known scheme, without a user's name and password.
  private mutating func checked(_ text: String) throws(Refusal) -> String {
    let url = ActivityURL.withoutSlashes(text)
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard Self.schemes.contains(scheme) else {
      throw Refusal(
        reason: "URLs of \(EscapedText(quoting: scheme)) are not handed over; those of"
          + " \(Self.schemes.joined(separator: ", ")) are")
    }
    if ["http", "https", "ftp"].contains(scheme) {
      do throws(AbsoluteURL.Flaw) {
        _ = try AbsoluteURL(url)
      } catch {
        throw Refusal(reason: error.reason)
      }
    }
    guard !keepsPrivate, AbsoluteURL.hasCredentials(url) else { return url }
    losses.append("the user name and password in the URL are left out")
    return AbsoluteURL.withoutCredentials(url)
  }

  private mutating func thing(_ attachment: ShareItem.Attachment) throws(Refusal) -> SharedThing {
    let type = attachment.typeIdentifiers.first { $0 != "public.file-url" }
    var thing: SharedThing
    switch attachment.content {
    case .text(let text) where attachment.isURL: thing = SharedThing(.url(try checked(text)))
    case .text(let text): thing = SharedThing(.text(text), type: type)
    case .data(let bytes): thing = SharedThing(.data(bytes), type: type)
    case .path(let path): thing = SharedThing(.file(Array(path.utf8)), type: type)
    }
    thing.suggestedName = attachment.suggestedName
    thing.mediaType = attachment.mediaType
    return thing
  }

  mutating func add(text: String) { things.append(SharedThing(.text(text))) }

  var isEmpty: Bool { things.isEmpty }

  /// Asks the desktop for the types of files and for applications.
  mutating func examine(
    all: Bool, in places: BaseDirectories, _ desktop: any DesktopClient
  ) throws(DesktopFailure) {
    let targets = things.compactMap(\.target)
    guard !targets.isEmpty else { return }
    listing = try desktop.applications(for: targets, others: all)
    let directories = UserDirectories(places)
    let collection = ["PICTURES", "VIDEOS"].compactMap {
      directories.path($0, in: places).map { Array($0.bytes) + [UInt8(ascii: "/")] }
    }
    things = things.map { thing in
      guard let path = thing.file, let kind = listing.kinds[path] else { return thing }
      let classes = MIMEClasses(rawValue: kind.classes.rawValue)
      let detected = TypeTree.builtIn.type(
        ofMIME: kind.mediaType,
        fileName: FilePath(bytes: path).map { String(decoding: $0.lastComponent, as: UTF8.self) }
          ?? "", classes: classes)
      var typed = thing
      typed.mediaType = kind.mediaType
      typed.type = detected.identifier
      typed.isAsset =
        collection.contains { path.starts(with: $0) } && (typed.isImage || typed.isMovie)
      return typed
    }
  }

  var all: [SharedThing] { things }

  /// What an activity receives: of an item the main document alone, if it does not understand items,
  /// else all documents with the activity's own. A text of the activity's own stands in the place of
  /// a main document that is a text for all activities.
  ///
  /// - Throws: `Refusal` if the item has nothing for the activity, or something that is not handed
  ///   over.
  func things(for activity: ActivityType) throws(Refusal) -> [SharedThing] {
    guard let item, let files else { return things }
    let parts = item.parts(for: activity)
    if parts.receivesNothing { throw Refusal(reason: TargetChoice.nothing) }
    var copy = self
    func own(_ attachments: [ShareItem.Attachment]) throws(Refusal) -> [SharedThing] {
      try files.resolved(attachments).map { attachment throws(Refusal) in
        try copy.thing(attachment)
      }
    }
    var main = Array(things.prefix(1))
    if let document = parts.main {
      main = try own([document])
    } else if let text = replacingText(for: activity) {
      main = [SharedThing(.text(text), type: main.first?.type)]
    }
    if let type = parts.type, !main.isEmpty {
      main[0].type = type
      main[0].mediaType = SharedThing.mediaType(of: type) ?? main[0].mediaType
    }
    guard activity.acceptsItem else { return main }
    return main + (try parts.additions.map(own) ?? Array(things.dropFirst()))
  }

  /// The text of an activity's own, if the main document is a text for all: both would say it twice.
  private func replacingText(for activity: ActivityType) -> String? {
    guard !isTextGiven, let parts = item?.parts(for: activity), parts.main == nil,
      case .text? = things.first?.content
    else { return nil }
    return parts.contentText
  }

  /// What is said with them to an activity.
  func text(for activity: ActivityType) -> String? {
    if isTextGiven { return text }
    if replacingText(for: activity) != nil { return nil }
    return item?.parts(for: activity).contentText ?? text
  }

  /// What a message that an activity writes is about.
  func title(for activity: ActivityType) -> String? {
    if isTitleGiven { return title }
    return item?.parts(for: activity).subject ?? title
  }

  /// Which documents share targets are offered for: the main one of an item; of what the user names
  /// each.
  var mainDocuments: TargetChoice.MainDocuments { item == nil ? .all : .first }

  /// One hand-over to a share target. The paths of an item begin in its directory.
  func run(to target: ShareTarget, options: [String]) -> TargetInvocation {
    TargetInvocation(
      target: target, options: options, payload: files?.payload ?? FilePath("/"),
      allowsAnyPath: files?.allowsAnyPath ?? true)
  }

  /// The item that a share target receives a part of.
  func whole() throws(Refusal) -> ShareItem {
    if var item {
      if isTitleGiven { item.title = title }
      if isTextGiven { item.contentText = text }
      return item
    }
    var item = marks ?? ShareItem()
    var attachments: [ShareItem.Attachment] = []
    for thing in things { attachments.append(try thing.attachment()) }
    item.attachments = attachments
    if let title { item.title = title }
    if let text { item.contentText = text }
    return item
  }

  /// What the marks or the item say of the content, to be kept with a copy.
  var said: ShareItem? { item }
}

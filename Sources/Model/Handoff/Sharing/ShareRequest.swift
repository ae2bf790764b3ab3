internal import Applications
internal import LinuxSystem
package import Provenance
package import ShareItem
internal import TextFormats
internal import UniformType

/// All that is shared at once.
package struct ShareRequest {
  /// Why an operand cannot be shared, in words that follow it.
  package struct Failure: Error {
    package let operand: [UInt8]
    package let refusal: Refusal
  }

  /// What is left out of an operand.
  package struct Loss {
    package let operand: [UInt8]
    package let sentence: String
  }

  /// URLs of other schemes, also in items and attributes that others wrote, are not handed over.
  private static let schemes = ["http", "https", "ftp", "mailto", "tel", "sms", "geo", "maps"]

  /// What the user calls it, for messages: the first operand.
  package let name: [UInt8]
  /// How many operands there are besides.
  package let others: Int
  /// All documents.
  package private(set) var things: [SharedThing] = []
  /// The one item that is shared.
  private(set) var item: ShareItem?
  /// Where the files of that item are.
  private var files: ItemFiles?
  /// What the marks of the one file say.
  private var marks: ShareItem?
  /// What was left out of the things, as it identifies the user.
  private var losses: [Loss] = []
  /// The operand whose things are found, which losses belong to.
  private var operand: [UInt8] = []
  /// What was left out of the marks of the one file, which only share targets receive.
  private var lossesOfMarks: [String] = []
  /// The applications that open all of it, and the types of its files.
  private(set) var listing = DesktopListing()

  private var title: String?
  private var text: String?
  /// Whether the user has given title and text, which override what an item has.
  let isTitleGiven: Bool
  let isTextGiven: Bool

  /// What is handed over of what identifies the user.
  let kept: ItemInput.Kept
  private let allowsAnyPath: Bool

  private var keepsPrivate: Bool { if case .all = kept { true } else { false } }

  /// Finds what operands name; without any, the text is shared alone.
  ///
  /// - Parameters:
  ///   - title: in place of that of an item.
  ///   - text: in place of that of an item, or what is said with the operands.
  ///   - read: reads a share item, or the marks of a file; `nil` for a file that is shared without.
  /// - Throws: `Failure` for what is not there or is not handed over.
  package init(
    _ operands: [[UInt8]], title: String?, text: String?, keeping kept: ItemInput.Kept,
    allowsAnyPath: Bool,
    reading read: ([UInt8]) -> ItemInput?
  ) throws(Failure) {
    name = operands.first ?? Array("text".utf8)
    others = max(0, operands.count - 1)
    self.title = title
    self.kept = kept
    self.allowsAnyPath = allowsAnyPath
    isTitleGiven = title != nil
    isTextGiven = !operands.isEmpty && text != nil
    guard !operands.isEmpty else {
      things = [SharedThing(.text(text ?? ""))]
      return
    }
    self.text = text
    for operand in operands {
      self.operand = operand
      do throws(Refusal) {
        try add(operand, isOnly: operands.count == 1, read)
      } catch {
        throw Failure(operand: operand, refusal: error)
      }
    }
  }

  private mutating func add(
    _ operand: [UInt8], isOnly: Bool, _ read: ([UInt8]) -> ItemInput?
  ) throws(Refusal) {
    let found = try DesktopTarget(operand)
    lose(found.losses.map(Self.loss))
    let target = found.place
    do throws(Refusal) {
      guard target.first == UInt8(ascii: "/") else {
        things.append(SharedThing(.url(try checked(String(decoding: target, as: UTF8.self)))))
        return
      }
      guard isRegular(target), let input = read(operand) else {
        things.append(SharedThing(.file(target)))
        return
      }
      if case .marks = input {
        things.append(SharedThing(.file(target)))
        if isOnly { (marks, lossesOfMarks) = privately(input) }
        return
      }
      let files = ItemFiles(
        payload: ReplacedFile(path: FilePath(bytes: operand) ?? FilePath("")).directory,
        allowsAnyPath: allowsAnyPath)
      let (item, losses) = privately(input)
      lose(losses)
      if isOnly { (self.item, self.files) = (item, files) }
      if title == nil { title = item.title }
      if text == nil { text = item.contentText }
      things += try files.resolved(item.attachments).map { resolved throws(Refusal) in
        try thing(resolved)
      }
    } catch {
      throw Refusal(reason: "cannot share: \(error.reason)", remedy: error.remedy)
    }
  }

  private func isRegular(_ path: [UInt8]) -> Bool {
    guard let path = FilePath(bytes: path) else { return false }
    return (try? FileStatus(path, links: .follow))?.kind == .file
  }

  private func privately(_ input: ItemInput) -> (ShareItem, losses: [String]) {
    let (item, losses) = input.handedOn(keeping: kept, isCompleted: true)
    return (item, losses.map { "\($0)" })
  }

  /// A URL of a known scheme, without a user's name and password.
  private mutating func checked(_ text: String) throws(Refusal) -> String {
    let url: String
    do throws(ActivityURL.Failure) {
      let rebuilt = try ActivityURL.opened(text)
      url = rebuilt.url
      lose(rebuilt.leftOut.map(Self.loss))
    } catch {
      throw Refusal(reason: "\(error)")
    }
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
    lose(["the user name and password in the URL are left out"])
    return AbsoluteURL.withoutCredentials(url)
  }

  private mutating func lose(_ sentences: [String]) {
    for sentence in sentences { losses.append(Loss(operand: operand, sentence: sentence)) }
  }

  private static func loss(_ field: String) -> String {
    "\(EscapedText(quoting: field)) in the URL is left out"
  }

  private mutating func thing(_ resolved: ItemFiles.Resolved) throws(Refusal) -> SharedThing {
    let attachment = resolved.attachment
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
    thing.isOfItem = true
    thing.fileOfItem = resolved.file
    return thing
  }

  /// Asks the desktop for the types of files and for applications.
  ///
  /// - Parameter others: whether applications for other types count, too.
  mutating func examine(
    others: Bool, in places: BaseDirectories, _ desktop: any DesktopClient
  ) throws(DesktopFailure) {
    let targets = things.compactMap(\.target)
    guard !targets.isEmpty else { return }
    listing = try desktop.applications(for: targets, others: others)
    let directories = UserDirectories(places)
    let collection = ["PICTURES", "VIDEOS"].compactMap {
      directories.path($0, in: places).map { Array($0.bytes) + [UInt8(ascii: "/")] }
    }
    things = things.map { thing in
      guard let path = thing.file, let kind = listing.kinds[path] else { return thing }
      let detected = TypeTree.builtIn.type(
        ofMIME: kind.mediaType,
        fileName: FilePath(bytes: path).map { String(decoding: $0.lastComponent, as: UTF8.self) }
          ?? "", classes: kind.classes)
      var typed = thing
      typed.mediaType = kind.mediaType
      typed.type = detected.identifier
      typed.isAsset =
        collection.contains { path.starts(with: $0) } && (typed.isImage || typed.isMovie)
      return typed
    }
  }

  /// What an activity receives: of an item the main document alone, if it does not understand items,
  /// else all documents with the activity's own. A text of the activity's own stands in the place of
  /// a main document that is a text for all activities.
  ///
  /// - Throws: `Refusal` if the item has nothing for the activity, or something that is not handed
  ///   over.
  func things(for activity: ActivityType) throws(Refusal) -> [SharedThing] {
    try parts(for: activity).things
  }

  private func parts(
    for activity: ActivityType
  ) throws(Refusal) -> (things: [SharedThing], losses: [Loss]) {
    guard let item, let files else { return (things, losses) }
    let parts = item.parts(for: activity)
    if parts.receivesNothing { throw Refusal(reason: TargetChoice.nothing) }
    var copy = self
    func own(_ attachments: [ShareItem.Attachment]) throws(Refusal) -> [SharedThing] {
      try files.resolved(attachments).map { resolved throws(Refusal) in try copy.thing(resolved) }
    }
    var main = Array(things.prefix(1))
    if let document = parts.main {
      main = try own([document])
    } else if let text = replacingText(for: activity) {
      main = [SharedThing(.text(text), type: main.first?.type)]
      main[0].isOfItem = true
    }
    if let type = parts.type, !main.isEmpty {
      main[0].type = type
      main[0].mediaType = SharedThing.mediaType(of: type) ?? main[0].mediaType
    }
    if activity.acceptsItem { main += try parts.additions.map(own) ?? Array(things.dropFirst()) }
    return (main, copy.losses)
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

  /// The true paths of the documents that items name, rather than the user.
  package var filesOfItems: [[UInt8]] { Self.files(things) }

  private static func files(_ things: [SharedThing]) -> [[UInt8]] {
    things.filter(\.isOfItem).compactMap(\.file)
  }

  /// The true paths of the files that a receiver gets and that items name, rather than the user: the
  /// documents in their order, and for a share target the thumbnails.
  ///
  /// - Throws: `Refusal` if the item has nothing for the receiver, or a file that is not handed over.
  package func filesOfItems(for offer: ShareOffer) throws(Refusal) -> [[UInt8]] {
    switch offer.work {
    case .application, .sendTo: return filesOfItems
    case .activity(let activity): return Self.files(try things(for: activity.type))
    case .custom(let activity):
      let own = try things(for: activity.type)
      return Self.files(activity.taken(of: own).map { own[$0] })
    case .target(let target):
      guard item != nil else { return filesOfItems }
      return try run(to: target, options: []).paths(of: received(by: target))
    }
  }

  /// What a share target receives.
  ///
  /// - Throws: `Refusal` if there is nothing.
  func received(by target: ShareTarget) throws(Refusal) -> ShareItem {
    switch try whole().handover(to: target.activity) {
    case .item(let item)?: return item
    case .document(let document)?:
      var item = ShareItem()
      item.attachments = [document]
      return item
    case .nothing?: throw Refusal(reason: TargetChoice.nothing)
    case nil: throw Refusal(reason: "nothing to share")
    }
  }

  /// The URLs in what a share target receives that an item names, rather than the user.
  func urlsOfItem(in received: ShareItem) -> [String] {
    item == nil
      ? things.compactMap(\.urlOfItem) : received.attachments.compactMap(TargetInvocation.urlText)
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

  /// What is left out for a receiver as it identifies the user.
  package func losses(for offer: ShareOffer) -> [Loss] {
    let losses = offer.type.flatMap { try? parts(for: $0).losses } ?? losses
    guard case .target = offer.work else { return losses }
    return losses + lossesOfMarks.map { Loss(operand: name, sentence: $0) }
  }
}

/// One thing that is shared.
package struct SharedThing {
  package enum Content: Equatable {
    /// An absolute path.
    case file([UInt8])
    case url(String)
    case text(String)
    case data([UInt8])
  }

  package var content: Content
  /// The MIME type, where it is known.
  package var mediaType: String?
  /// The uniform type.
  package var type: String? { didSet { kindsOfType = Self.kinds(ofType: type) } }
  /// Found out once: each of the activities asks for them, and the tree of types is slow.
  private var kindsOfType: ActivityKinds
  /// What a file with the content ought to be called.
  package var suggestedName: String?
  /// Whether a file is a picture or film of the user's collection.
  package var isAsset = false
  /// Whether an item names it, rather than the user.
  fileprivate(set) var isOfItem = false
  /// The file, if an item names it.
  fileprivate var fileOfItem: ItemFile?

  package init(_ content: Content, type: String? = nil) {
    self.content = content
    self.type = type
    kindsOfType = Self.kinds(ofType: type)
  }

  /// Whether the type is one of these, or a kind of one.
  func conforms(to types: [String]) -> Bool {
    guard let type else { return false }
    return types.contains { TypeTree.builtIn.conforms(type, to: $0) }
  }

  private static func kinds(ofType type: String?) -> ActivityKinds {
    guard let type else { return [] }
    let known = Set((TypeTree.builtIn.ancestors(of: type) + [type]).map { $0.lowercased() })
    var kinds: ActivityKinds = []
    if known.contains("public.image") { kinds.insert(.image) }
    if known.contains("public.movie") { kinds.insert(.movie) }
    if !known.isDisjoint(with: ["public.html", "public.rtf", "net.daringfireball.markdown"]) {
      kinds.insert(.attributed)
    }
    return kinds
  }

  package var isImage: Bool { kindsOfType.contains(.image) }
  package var isMovie: Bool { kindsOfType.contains(.movie) }

  package var kinds: ActivityKinds {
    let kinds: ActivityKinds
    switch content {
    case .file: kinds = isAsset ? [.file, .asset] : .file
    // A URL can always be said.
    case .url(let text): kinds = ActivityKinds.url(text).union(.string)
    case .text: kinds = .string
    case .data: kinds = [.data, .typedData]
    }
    return kinds.union(kindsOfType)
  }

  /// What applications open; `nil` for texts and data.
  package var target: [UInt8]? {
    switch content {
    case .file(let path): path
    case .url(let url): Array(url.utf8)
    case .text, .data: nil
    }
  }

  package var file: [UInt8]? { if case .file(let path) = content { path } else { nil } }

  /// The file, held open; `nil` of what is none. One that an item names is the one that was judged,
  /// whatever its path leads to by now.
  func held() throws -> HeldFile? {
    if let fileOfItem { return try fileOfItem.held() }
    return try file.flatMap { FilePath(bytes: $0) }.map { try HeldFile(.path($0, links: .follow)) }
  }

  package var url: String? { if case .url(let url) = content { url } else { nil } }

  /// The URL if an item names it, rather than the user.
  var urlOfItem: String? { isOfItem ? url : nil }

  /// What can be said of it: a text or a URL.
  package var words: String? {
    switch content {
    case .text(let text), .url(let text): text
    case .file, .data: nil
    }
  }

  /// As an item has it.
  package func attachment() throws(Refusal) -> ShareItem.Attachment {
    switch content {
    case .url(let url): return .url(url)
    case .text(let text): return .text(text)
    case .data(let bytes):
      guard let attachment = try? ShareItem.Attachment(.data(bytes), types: [type ?? "public.data"])
      else { throw Refusal(reason: "data without a type") }
      return attachment
    case .file(let path):
      guard let path = String(validating: path, as: UTF8.self) else {
        throw Refusal(reason: "the path of the file is not UTF-8")
      }
      return .file(path, type: type, mediaType: mediaType)
    }
  }

  static func mediaType(of type: String) -> String? { TypeTree.builtIn.mimeTypes(of: type).first }
}

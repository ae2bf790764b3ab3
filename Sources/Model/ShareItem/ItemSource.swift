public import BinaryPropertyList

/// A document that is to be handed over, before anybody has chosen to whom.
public enum ItemContent: Hashable, Sendable {
  case text(String)
  /// An absolute URL of something that is no file.
  case url(String)
  /// A file, with its own type where that is known.
  case file(path: String, type: String?)
  /// A picture's bytes.
  case image([UInt8])
  case data([UInt8])

  /// The type that the content tells by itself; `nil` for data, and for a file of unknown type.
  public var derivedType: String? {
    switch self {
    case .text: ShareItem.Attachment.WellKnownType.text
    case .url: ShareItem.Attachment.WellKnownType.url
    case .file(_, let type): type
    case .image: ShareItem.Attachment.WellKnownType.image
    case .data: nil
    }
  }

  private enum Kind { case text, url, image, data }

  private var kind: Kind {
    switch self {
    case .text: .text
    case .url, .file: .url
    case .image: .image
    case .data: .data
    }
  }

  /// Whether the type that was declared of a placeholder need not be that of this content.
  fileprivate func needsOwnType(inPlaceOf placeholder: ItemContent) -> Bool {
    kind == .url || kind != placeholder.kind
  }

  /// The content with its type.
  fileprivate func attachment(type: String) throws(ItemFailure) -> ShareItem.Attachment {
    switch self {
    case .text(let text), .url(let text): try ShareItem.Attachment(.text(text), types: [type])
    case .file(let path, _): ShareItem.Attachment.file(path, type: type)
    case .image(let bytes), .data(let bytes): try ShareItem.Attachment(.data(bytes), types: [type])
    }
  }
}

/// Makes the item that an activity receives, once it is chosen.
///
/// Until then nothing but the placeholder and its type are looked at: functions that make a document
/// are called for the chosen activity only.
public struct ItemSource: Sendable {
  /// Makes the main document for an activity; `nil` if the activity is to receive nothing.
  public typealias Provider = @Sendable (ActivityType) -> ItemContent?

  /// A document beside the main one.
  public struct Addition: Sendable {
    fileprivate let type: String
    fileprivate let content: @Sendable () -> ItemContent

    /// - Parameter type: where the content does not tell it by itself.
    /// - Throws: `ItemFailure` where nothing tells the type.
    public init(_ content: ItemContent, type: String? = nil) throws(ItemFailure) {
      guard let type = type ?? content.derivedType, !type.isEmpty else {
        throw ItemFailure(.untyped)
      }
      self.type = type
      self.content = { content }
    }

    /// - Parameter content: makes the document when an activity receives it.
    /// - Throws: `ItemFailure` for an empty type.
    public init(
      type: String, content: @escaping @Sendable () -> ItemContent
    ) throws(ItemFailure) {
      guard !type.isEmpty else { throw ItemFailure(.untyped) }
      self.type = type
      self.content = content
    }

    fileprivate func attachment() throws(ItemFailure) -> ShareItem.Attachment {
      try content().attachment(type: type)
    }
  }

  /// What an activity receives.
  public enum Handover: Hashable, Sendable {
    /// The main document alone, since the activity does not understand items.
    case document(ShareItem.Attachment)
    case item(ShareItem)
    /// The item has nothing for the activity.
    case nothing
  }

  private let placeholder: ItemContent
  private let type: String
  private let provider: Provider?

  public var title: String?
  /// What a message that an activity writes is about; the title for those that have none.
  public var subject = PerActivity<String>()
  /// The uniform types that the main document is said to have; the declared one for activities that
  /// have none.
  public var types = PerActivity<String>()
  public var tags: [String]?
  public var sourceURL: String?
  public var referrer = Referrer()
  /// Keys of the host's own, which override custom parameters.
  public var userInfo = PropertyList.Dictionary()
  /// What is to be said with the document.
  public var contentText = PerActivity<String>()
  /// Documents beside the main one.
  public var additions = PerActivity<[Addition]>()
  /// Makes a small picture of the given width and height, in points, for an activity.
  public var thumbnail: (@Sendable (_ size: (Double, Double), ActivityType) -> [UInt8]?)?
  private var custom = PropertyList.Dictionary()

  /// - Parameters:
  ///   - placeholder: stands for the main document until an activity is chosen, and is the document
  ///     where there is no provider.
  ///   - type: where the placeholder does not tell it by itself.
  ///   - provider: makes the main document for the chosen activity.
  /// - Throws: `ItemFailure` where nothing tells the type.
  public init(
    _ placeholder: ItemContent, type: String? = nil, provider: Provider? = nil
  ) throws(ItemFailure) {
    guard let type = type ?? placeholder.derivedType, !type.isEmpty else {
      throw ItemFailure(.untyped)
    }
    self.placeholder = placeholder
    self.type = type
    self.provider = provider
  }

  /// A text that is made for the chosen activity.
  public static func text(provider: @escaping Provider) throws(ItemFailure) -> ItemSource {
    try ItemSource(.text(""), provider: provider)
  }

  /// A URL that is made for the chosen activity.
  public static func url(provider: @escaping Provider) throws(ItemFailure) -> ItemSource {
    try ItemSource(.url("http://example.com"), provider: provider)
  }

  /// A file that is made for the chosen activity.
  public static func file(type: String, provider: @escaping Provider) throws(ItemFailure)
    -> ItemSource
  {
    try ItemSource(.file(path: "/", type: type), provider: provider)
  }

  /// A picture that is made for the chosen activity.
  public static func image(provider: @escaping Provider) throws(ItemFailure) -> ItemSource {
    try ItemSource(.image([]), provider: provider)
  }

  /// Data that are made for the chosen activity.
  public static func data(type: String, provider: @escaping Provider) throws(ItemFailure)
    -> ItemSource
  {
    try ItemSource(.data([]), type: type, provider: provider)
  }

  /// Adds what one application reads; what is added later overrides.
  ///
  /// - Throws: `ItemFailure` for a key that belongs to all items.
  public mutating func add(_ parameters: some CustomParameters) throws(ItemFailure) {
    for entry in parameters.dictionary.entries {
      guard ItemKeys.isCustom(entry.key) else { throw ItemFailure(.reservedKey(entry.key)) }
      custom[entry.key] = entry.value
    }
  }

  /// The type that the main document is declared to have for an activity; `nil` for all of them.
  public func dataTypeIdentifier(for activity: ActivityType?) -> String {
    (activity.map { types.value(for: $0) } ?? types[nil]) ?? type
  }

  /// What a message that an activity writes is about: its own subject, else the title.
  public func subject(for activity: ActivityType?) -> String? {
    (activity.map { subject.value(for: $0) } ?? subject[nil]) ?? title
  }

  /// A small picture for an activity; `nil` if nothing makes one.
  public func thumbnail(for activity: ActivityType, size: (Double, Double)) -> [UInt8]? {
    thumbnail?(size, activity)
  }

  /// The main document as it is before an activity is chosen.
  public func placeholderDocument() throws(ItemFailure) -> ShareItem.Attachment {
    try placeholder.attachment(type: type)
  }

  /// What the chosen activity receives; nothing if the provider makes no document for the activity.
  ///
  /// - Throws: `ItemFailure` where the item would be too large or too deep.
  public func handover(to activity: ActivityType) throws(ItemFailure) -> Handover {
    guard let main = try document(for: activity) else { return .nothing }
    guard activity.acceptsItem else { return .document(main) }
    let additions = try Self.attachments(additions.value(for: activity))
    var item = try item(
      attachments: [main] + additions, contentText: contentText.value(for: activity))
    if let subject = subject.value(for: activity) { item.title = subject }
    try item.checkSize()
    return .item(item)
  }

  /// The main document that the provider makes for an activity, else the placeholder.
  private func document(
    for activity: ActivityType
  ) throws(ItemFailure) -> ShareItem.Attachment? {
    var content = placeholder
    if let provider {
      guard let made = provider(activity) else { return nil }
      content = made
    }
    let declared = dataTypeIdentifier(for: activity)
    let type =
      content.needsOwnType(inPlaceOf: placeholder) && types.value(for: activity) == nil
      ? content.derivedType ?? declared : declared
    return try content.attachment(type: type)
  }

  /// The item with what every activity would receive, to be kept in a file. The placeholder stands
  /// for the main document.
  ///
  /// - Parameter activities: those for which the provider makes a document that is kept, too, or
  ///   nothing.
  /// - Throws: `ItemFailure` where the item would be too large or too deep.
  public func whole(
    including activities: [ActivityType] = []
  ) throws(ItemFailure) -> ShareItem {
    let common = try Self.attachments(additions[nil])
    var item = try item(
      attachments: [placeholderDocument()] + common, contentText: contentText[nil])
    if let subject = subject[nil] { item.title = subject }
    let rows = Set(
      contentText.activities + additions.activities + subject.activities + types.activities
        + activities)
    for activity in rows.sorted(by: {
      $0.rawValue.utf8.lexicographicallyPrecedes($1.rawValue.utf8)
    }) {
      var own = ShareItem.OwnParts()
      own.contentText = contentText[activity]
      own.subject = subject[activity]
      own.type = types[activity]
      if let additions = additions[activity] { own.additions = try Self.attachments(additions) }
      if provider != nil, activities.contains(activity) {
        own.main = try document(for: activity)
        own.receivesNothing = own.main == nil
      }
      item.setParts(own, for: activity)
    }
    try item.checkSize()
    return item
  }

  private static func attachments(_ additions: [Addition]?) throws(ItemFailure) -> [ShareItem
    .Attachment]
  {
    var attachments: [ShareItem.Attachment] = []
    for addition in additions ?? [] { attachments.append(try addition.attachment()) }
    return attachments
  }

  /// Custom parameters, the host's keys, the item's own fields, documents and texts: what comes later
  /// overrides.
  private func item(
    attachments: [ShareItem.Attachment], contentText: String?
  ) throws(ItemFailure) -> ShareItem {
    var item = ShareItem()
    item.userInfo = custom
    for entry in userInfo.entries { item.userInfo[entry.key] = entry.value }
    var fields = ShareItem()
    fields.tags = tags
    fields.sourceURL = sourceURL
    fields.referrer = referrer
    if let generic = fields.userInfo[ShareItem.Key.item] {
      item.userInfo[ShareItem.Key.item] = generic
    }
    item.attachments = attachments
    if let contentText { item.contentText = contentText }
    if let title { item.title = title }
    return item
  }
}

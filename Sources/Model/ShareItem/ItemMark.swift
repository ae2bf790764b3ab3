internal import BinaryPropertyList
internal import TextFormats

/// A value of a file's attribute that other programs of the desktop read.
public struct DesktopNote: Hashable, Sendable {
  /// Without `user.`: `xdg.origin.url`.
  public let name: String
  public let value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

// What an item says of its content, kept with a file: in an attribute of its own, which has all but
// the documents, and in those of freedesktop.org.
extension ShareItem {
  /// The name of the attribute, without `user.`.
  public static let attributeName = Key.item

  /// The field that a freedesktop.org's name stands for.
  public enum Field: String, CaseIterable, Sendable {
    case sourceURL, referrerURL, tags, title, contentText, referrerName, mediaType

    /// Without `user.`; those after the first are read, and not written by default.
    public var names: [String] {
      switch self {
      case .sourceURL: ["xdg.origin.url"]
      case .referrerURL: ["xdg.referrer.url"]
      case .tags: ["xdg.tags"]
      case .title: ["dublincore.title"]
      case .contentText: ["dublincore.description", "xdg.comment"]
      case .referrerName: ["xdg.publisher"]
      case .mediaType: ["mime_type"]
      }
    }

    public init?(name: String) {
      guard let field = Self.allCases.first(where: { $0.names.contains(name) }) else { return nil }
      self = field
    }
  }

  private enum MarkKey {
    static let title = "title"
    static let contentText = "content-text"
  }

  /// The item's own fields: those below `x-extension-item`.
  private static let genericKeys =
    [Key.tags, Key.sourceURL] + Referrer.Field.allCases.map(\.key)

  /// What has a meaning of its own in the attribute, and so cannot be a key of others there.
  private static let reservedKeys = [
    MarkKey.title, MarkKey.contentText, Key.item, Key.title, Key.contentText, Key.attachments,
    Key.activities, Key.thumbnails,
  ]

  /// Whether a key that has no meaning of its own in the attribute is an application's.
  private static func isApplicationsOwn(_ key: String) -> Bool {
    key.utf8.contains(0x2e) && !genericKeys.contains(key)
  }

  /// The value of the attribute: the fields, title, text and other keys in one dictionary, with the
  /// texts, subjects and types of single activities. Documents, thumbnails and credentials in URLs are
  /// left out. The losses name them, except for the main document: that is the file.
  ///
  /// Keys of others below `x-extension-item` stand beside the other ones: a key with a period is
  /// taken for an application's own when the attribute is read.
  public func mark() throws(ItemFailure) -> (bytes: [UInt8], losses: [ItemFlaw]) {
    var dictionary = PropertyList.Dictionary()
    var losses: [ItemFlaw] = []
    var applicationsOwn: [PropertyList.Dictionary.Entry] = []
    for entry in generic?.dictionary.entries ?? [] {
      if Self.reservedKeys.contains(entry.key) {
        losses.append(ItemFlaw(.collision, at: ".\(Key.item).\(entry.key)"))
      } else if Self.isApplicationsOwn(entry.key) {
        applicationsOwn.append(entry)
      } else {
        dictionary[entry.key] = entry.value
      }
    }
    for key in [Key.sourceURL] + Referrer.Field.allCases.filter(\.isURL).map(\.key) {
      guard let url = generic?.url(key), AbsoluteURL.hasCredentials(url) else { continue }
      dictionary[key] = .string(AbsoluteURL.withoutCredentials(url))
      losses.append(ItemFlaw(.credentials, at: ".\(Key.item).\(key)"))
    }
    if let name = referrer.appName {
      let key = Referrer.Field.appName.key
      dictionary[key] = .string(Self.bare([name], key, &losses)[0])
    }
    if let tags = generic?.array(Key.tags) {
      let bare = tags.map { tag in
        TypedValues.string(tag).map { .string(AbsoluteURL.withoutCredentials(inText: $0)) } ?? tag
      }
      dictionary[Key.tags] = .array(bare)
      if bare != tags {
        losses.append(ItemFlaw(.credentials, at: ".\(Key.item).\(Key.tags)"))
      }
    }
    for (key, markKey) in [(Key.title, MarkKey.title), (Key.contentText, MarkKey.contentText)] {
      guard let text = values.text(key) else { continue }
      dictionary[markKey] = .string(text.text)
      if text.isLossy { losses.append(ItemFlaw(.plainText, at: "." + key)) }
    }
    let (table, documents) = activitiesWithoutDocuments()
    if !table.isEmpty { dictionary[Key.activities] = .dictionary(table) }
    losses += documents
    // Where they stand when the attribute is read, so that it is written again as it was.
    for entry in applicationsOwn { dictionary[entry.key] = entry.value }
    for entry in userInfo.entries where ItemKeys.isCustom(entry.key) {
      let isTaken = Self.genericKeys.contains(entry.key) || Self.reservedKeys.contains(entry.key)
      if !isTaken, dictionary[entry.key] == nil {
        dictionary[entry.key] = entry.value
      } else {
        losses.append(ItemFlaw(.collision, at: "." + entry.key))
      }
    }
    var item = ShareItem()
    item.userInfo = dictionary
    return (dictionary.isEmpty ? [] : try item.encoded(), losses)
  }

  /// The table of activities as the attribute has it, and the documents and thumbnails that are left
  /// out of the item.
  private func activitiesWithoutDocuments() -> (PropertyList.Dictionary, losses: [ItemFlaw]) {
    var losses: [ItemFlaw] = []
    func lose(
      _ reason: (Int) -> ItemFlaw.Reason, _ value: PropertyList?, butFor kept: Int = 0,
      _ keyPath: String
    ) {
      let count: Int
      switch value {
      case .array(let elements)?: count = elements.count - kept
      case nil: count = 0
      default: count = 1
      }
      if count > 0 { losses.append(ItemFlaw(reason(count), at: keyPath)) }
    }
    lose(ItemFlaw.Reason.documents, userInfo[Key.attachments], butFor: 1, "." + Key.attachments)
    lose(ItemFlaw.Reason.thumbnails, userInfo[Key.thumbnails], "." + Key.thumbnails)
    var kept = PropertyList.Dictionary()
    let table = values.dictionary(Key.activities) ?? PropertyList.Dictionary()
    for entry in table.entries {
      // A row that does not count must not do so in the attribute.
      if let activity = ActivityType(named: entry.key),
        !Self.counts(entry.key, as: activity, in: table)
      {
        continue
      }
      guard case .dictionary(var row) = entry.value else {
        kept[entry.key] = entry.value
        continue
      }
      for key in PartKey.documents {
        lose(
          key == PartKey.thumbnails ? ItemFlaw.Reason.thumbnails : ItemFlaw.Reason.documents,
          row[key], ".\(Key.activities).\(entry.key).\(key)")
        row[key] = nil
      }
      if !row.isEmpty { kept[entry.key] = .dictionary(row) }
    }
    return (kept, losses)
  }

  /// Reads the value of the attribute.
  ///
  /// - Throws: `ItemFailure`, as for items.
  public init(mark bytes: [UInt8]) throws(ItemFailure) {
    let mark = try ShareItem(bytes)
    self.init()
    var generic = PropertyList.Dictionary()
    for entry in mark.userInfo.entries {
      switch entry.key {
      case MarkKey.title: userInfo[Key.title] = entry.value
      case MarkKey.contentText: userInfo[Key.contentText] = entry.value
      // An item that was written as it is, by somebody else.
      case Key.item, Key.title, Key.contentText, Key.attachments, Key.activities, Key.thumbnails:
        userInfo[entry.key] = entry.value
      case _ where Self.isApplicationsOwn(entry.key): userInfo[entry.key] = entry.value
      default: generic[entry.key] = entry.value
      }
    }
    if !generic.isEmpty, userInfo[Key.item] == nil { userInfo[Key.item] = .dictionary(generic) }
  }

  /// Where the content text goes.
  public enum ContentTextNote: Sendable {
    /// `dublincore.description`.
    case description
    /// `xdg.comment`, which is the user's own.
    case comment
  }

  /// The values that other programs of the desktop read, and what they cannot hold.
  ///
  /// - Parameter includesMediaType: whether the main document's type is among them.
  public func notes(
    contentText place: ContentTextNote = .description, includesMediaType: Bool = false
  ) -> (notes: [DesktopNote], losses: [ItemFlaw]) {
    var notes: [DesktopNote] = []
    var losses: [ItemFlaw] = []
    func add(_ field: Field, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      let name = field.names[field == .contentText && place == .comment ? 1 : 0]
      notes.append(DesktopNote(name: name, value: value))
    }
    func add(_ field: Field, url: String?, _ key: String) {
      guard let url else { return }
      if AbsoluteURL.hasCredentials(url) {
        losses.append(ItemFlaw(.credentials, at: ".\(Key.item).\(key)"))
      }
      add(field, AbsoluteURL.withoutCredentials(url))
    }
    add(.sourceURL, url: sourceURL, Key.sourceURL)
    add(.referrerURL, url: referrer.webURL, Referrer.Field.webURL.key)
    let tags = Self.bare(tags ?? [], Key.tags, &losses)
    for tag in tags where !TagList.canHold(tag) {
      losses.append(ItemFlaw(.tag(tag), at: ".\(Key.item).\(Key.tags)"))
    }
    add(.tags, TagList.text(of: tags))
    add(.title, title)
    add(.contentText, contentText)
    if let name = referrer.appName {
      add(.referrerName, Self.bare([name], Referrer.Field.appName.key, &losses)[0])
    }
    if includesMediaType { add(.mediaType, attachments.first?.mediaType) }
    return (notes, losses)
  }

  /// Sets the field that a value of the desktop stands for; `false` where it stands for none, or is
  /// no value of that field.
  public mutating func set(_ note: DesktopNote) -> Bool {
    switch Field(name: note.name) {
    case .sourceURL?:
      guard AbsoluteURL.hasScheme(note.value) else { return false }
      sourceURL = note.value
    case .referrerURL?:
      guard AbsoluteURL.hasScheme(note.value) else { return false }
      referrer.webURL = note.value
    case .tags?: tags = TagList.tags(in: note.value)
    case .title?: title = note.value
    case .contentText?: contentText = note.value
    case .referrerName?: referrer.appName = note.value
    case .mediaType?, nil: return false
    }
    return true
  }

  /// What the item says of a field, as a value of the desktop has it.
  public func text(of field: Field) -> String? {
    notes(includesMediaType: true).notes.first { field.names.contains($0.name) }?.value
  }
}

/// Tags as KDE keeps them with a file: with commas between them.
public enum TagList {
  /// Whether a tag is read back as it was written.
  public static func canHold(_ tag: String) -> Bool {
    !tag.isEmpty && trimmed(tag[...]) == tag[...]
      && !tag.unicodeScalars.contains { $0 == "," || $0.properties.generalCategory == .control }
  }

  /// The tags that can be held, each once; `nil` for none.
  static func text(of tags: [String]) -> String? {
    let held = unique(tags.filter(canHold))
    return held.isEmpty ? nil : held.joined(separator: ",")
  }

  /// The tags in a list: without spaces at their ends, each once, none that is empty.
  public static func tags(in list: String) -> [String] {
    unique(list.split(separator: ",").map { String(trimmed($0)) }.filter { !$0.isEmpty })
  }

  private static func unique(_ tags: [String]) -> [String] {
    var known = Set<[UInt8]>()
    return tags.filter { known.insert(Array($0.utf8)).inserted }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start.prefix(0) }
    return start[...last]
  }
}

internal import BinaryPropertyList

// An item in a file is for every activity: what single ones receive in the place of what all of them
// do stands below a key of ours, which no activity gets to see.
extension ShareItem {
  /// What an activity receives in the place of what all of them do.
  public struct OwnParts: Hashable, Sendable {
    /// The main document; `nil` if that of all activities counts.
    public var main: Attachment?
    /// `nil` if the text for all counts.
    public var contentText: String?
    /// The documents after the main one; `nil` if those for all count.
    public var additions: [Attachment]?
    /// What a message that the activity writes is about; `nil` if the title counts.
    public var subject: String?
    /// The uniform type that the main document is said to have; `nil` if its own counts.
    public var type: String?
    /// `nil` if those for all count.
    public var thumbnails: [Thumbnail]?
    /// Whether the activity receives nothing at all, whatever else is given.
    public var receivesNothing = false
    /// Unknown keys, and those whose values have another type than they ought to have.
    var others = PropertyList.Dictionary()

    public init(
      main: Attachment? = nil, contentText: String? = nil, additions: [Attachment]? = nil,
      subject: String? = nil, type: String? = nil, thumbnails: [Thumbnail]? = nil,
      receivesNothing: Bool = false
    ) {
      self.main = main
      self.contentText = contentText
      self.additions = additions
      self.subject = subject
      self.type = type
      self.thumbnails = thumbnails
      self.receivesNothing = receivesNothing
    }

    /// Reads a row of the table. What has another type than it ought to have is passed over.
    init(_ row: PropertyList.Dictionary) {
      for entry in row.entries {
        switch (entry.key, entry.value) {
        case (PartKey.main, let value):
          main = try? Attachment(value)
          if main == nil { others[entry.key] = value }
        case (PartKey.contentText, .string(let text)): contentText = text
        case (PartKey.attachments, .array(let elements)):
          additions = elements.compactMap { try? Attachment($0) }
        case (PartKey.subject, .string(let text)): subject = text
        case (PartKey.type, .string(let text)) where !text.isEmpty: type = text
        case (PartKey.thumbnails, .array(let elements)):
          thumbnails = elements.compactMap { try? Thumbnail($0) }
        case (PartKey.nothing, .boolean(true)): receivesNothing = true
        // A number is a truth value on Apple's systems.
        case (PartKey.nothing, .integer(let number)) where number != 0: receivesNothing = true
        default: others[entry.key] = entry.value
        }
      }
    }

    /// The row as items have it.
    var dictionary: PropertyList.Dictionary {
      var row = PropertyList.Dictionary()
      row[PartKey.main] = main.map { .dictionary($0.dictionary) }
      row[PartKey.contentText] = contentText.map { .string($0) }
      row[PartKey.attachments] = additions.map { .array($0.map { .dictionary($0.dictionary) }) }
      row[PartKey.subject] = subject.map { .string($0) }
      row[PartKey.type] = type.map { .string($0) }
      row[PartKey.thumbnails] = thumbnails.map { .array($0.map { .dictionary($0.dictionary) }) }
      if receivesNothing { row[PartKey.nothing] = .boolean(true) }
      for entry in others.entries where row[entry.key] == nil { row[entry.key] = entry.value }
      return row
    }
  }

  enum PartKey {
    static let main = "main"
    static let contentText = "content-text"
    static let attachments = "attachments"
    static let subject = "subject"
    static let type = "type"
    static let thumbnails = "thumbnail"
    static let nothing = "nothing"
    /// What is a document, or a picture of one.
    static let documents = [main, attachments, thumbnails]
  }

  /// The activities that have parts of their own, by their identifiers, in the order of the item. A
  /// row that is called by the name of Apple's constant, or by a word of docsource, is one of the
  /// activity that the name stands for.
  public var activities: [ActivityType] {
    var known = Set<ActivityType>()
    return (values.dictionary(Key.activities)?.keys ?? PropertyList.Dictionary().keys)
      .compactMap { ActivityType(named: $0) }.filter { known.insert($0).inserted }
  }

  /// What an activity has of its own. The row of its identifier counts, else the first one that is
  /// called by another name of the activity.
  public func parts(for activity: ActivityType) -> OwnParts {
    guard let table = values.dictionary(Key.activities),
      let key = Self.key(of: activity, in: table), case .dictionary(let row)? = table[key]
    else { return OwnParts() }
    return OwnParts(row)
  }

  /// The key of the row that counts for an activity.
  static func key(
    of activity: ActivityType, in table: PropertyList.Dictionary
  ) -> String? {
    // What is no row counts as missing.
    func isRow(_ key: String) -> Bool {
      if case .dictionary? = table[key] { true } else { false }
    }
    if isRow(activity.rawValue) { return activity.rawValue }
    let canonical = activity.canonical
    if isRow(canonical.rawValue) { return canonical.rawValue }
    // Only what is known has other names.
    guard canonical.isKnown else { return nil }
    return table.keys.first { ActivityType(named: $0) == canonical && isRow($0) }
  }

  /// Whether a row counts: of several rows of one activity one does.
  static func counts(
    _ key: String, as activity: ActivityType, in table: PropertyList.Dictionary
  ) -> Bool {
    activity.rawValue == key || self.key(of: activity, in: table) == key
  }

  /// Sets what an activity has of its own, in the row of its identifier: rows that are called by
  /// other names of the activity go.
  public mutating func setParts(_ parts: OwnParts, for activity: ActivityType) {
    var table = values.dictionary(Key.activities) ?? PropertyList.Dictionary()
    let canonical = activity.canonical
    if canonical.isKnown {
      let others = table.keys.filter { key in
        key != activity.rawValue && ActivityType(named: key) == canonical
      }
      for key in others { table[key] = nil }
    }
    let row = parts.dictionary
    table[activity.rawValue] = row.isEmpty ? nil : .dictionary(row)
    userInfo[Key.activities] = table.isEmpty ? nil : .dictionary(table)
  }

  /// What an activity receives; `nil` if it understands no items, and there is no document.
  ///
  /// An activity that understands no items receives the main document, its own or that of all
  /// activities. Any other receives the item without the table of activities, with what it has of its
  /// own in the place of what all of them receive. A subject of its own becomes the title.
  public func handover(to activity: ActivityType) -> ItemSource.Handover? {
    let attachments = attachments
    let parts = parts(for: activity)
    if parts.receivesNothing { return .nothing }
    let main = (parts.main ?? attachments.first).map { $0.preferring(parts.type) }
    guard activity.acceptsItem else { return main.map { .document($0) } }
    var item = self
    item.userInfo[Key.activities] = nil
    if let contentText = parts.contentText { item.contentText = contentText }
    if let subject = parts.subject { item.title = subject }
    if let thumbnails = parts.thumbnails { item.thumbnails = thumbnails }
    if parts.main != nil || parts.additions != nil || parts.type != nil {
      item.attachments =
        [main].compactMap(\.self) + (parts.additions ?? Array(attachments.dropFirst()))
    }
    return .item(item)
  }

  /// What a message that an activity writes is about: its own subject, else the title.
  public func subject(for activity: ActivityType) -> String? {
    parts(for: activity).subject ?? title
  }

  /// The uniform type of the main document that an activity receives; `nil` if it receives none.
  public func dataTypeIdentifier(for activity: ActivityType) -> String? {
    switch handover(to: activity) {
    case .document(let document)?: document.typeIdentifiers.first
    case .item(let item)?: item.attachments.first?.typeIdentifiers.first
    case .nothing?, nil: nil
    }
  }

  /// What is wrong in the parts of single activities.
  var activityFlaws: [ItemFlaw] {
    let lead = "." + Key.activities
    guard let value = userInfo[Key.activities] else { return [] }
    guard case .dictionary(let table) = value else {
      return [ItemFlaw(.type(expected: "a dictionary"), at: lead)]
    }
    return table.entries.flatMap { entry -> [ItemFlaw] in
      let path = "\(lead).\(entry.key)"
      guard case .dictionary(let row) = entry.value,
        let activity = ActivityType(named: entry.key)
      else { return [ItemFlaw(.type(expected: "an activity's dictionary"), at: path)] }
      if !Self.counts(entry.key, as: activity, in: table) {
        return [ItemFlaw(.secondRow(activity.rawValue), at: path)]
      }
      return flaws(of: row, at: path)
    }
  }

  private func flaws(of row: PropertyList.Dictionary, at path: String) -> [ItemFlaw] {
    func wrong(_ key: String, _ expected: String) -> ItemFlaw {
      ItemFlaw(.type(expected: expected), at: "\(path).\(key)")
    }
    var flaws: [ItemFlaw] = []
    if let main = row[PartKey.main] {
      do throws(ItemFailure) {
        _ = try Attachment(main)
      } catch {
        flaws.append(ItemFlaw(.attachment(error.reason), at: "\(path).\(PartKey.main)"))
      }
    }
    for key in [PartKey.contentText, PartKey.subject, PartKey.type] {
      if let text = row[key], TypedValues.string(text) == nil { flaws.append(wrong(key, "a text")) }
    }
    if row[PartKey.type] == .string("") { flaws.append(wrong(PartKey.type, "a uniform type")) }
    if case .boolean? = row[PartKey.nothing] {
    } else if row[PartKey.nothing] != nil {
      flaws.append(wrong(PartKey.nothing, "a truth value"))
    }
    return flaws + attachmentFlaws(row[PartKey.attachments], at: "\(path).\(PartKey.attachments)")
      + thumbnailFlaws(row[PartKey.thumbnails], at: "\(path).\(PartKey.thumbnails)")
  }
}

extension ShareItem.Attachment {
  /// The document with a uniform type before its own ones.
  fileprivate func preferring(_ type: String?) -> Self {
    guard let type, type != typeIdentifiers.first else { return self }
    return with(types: [type] + typeIdentifiers.filter { $0 != type })
  }
}

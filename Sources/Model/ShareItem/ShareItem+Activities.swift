internal import BinaryPropertyList

// An item in a file is for every activity: what single ones receive in the place of what all of them
// do stands below a key of ours, which no activity gets to see.
extension ShareItem {
  /// What an activity receives in the place of what all of them do.
  public struct OwnParts: Hashable, Sendable {
    /// `nil` where the text for all counts.
    public var contentText: String?
    /// The documents behind the main one; `nil` where those for all count.
    public var additions: [Attachment]?

    public init(contentText: String? = nil, additions: [Attachment]? = nil) {
      self.contentText = contentText
      self.additions = additions
    }

    var isEmpty: Bool { contentText == nil && additions == nil }
  }

  private enum PartKey {
    static let contentText = "content-text"
    static let attachments = "attachments"
  }

  /// The activities that have parts of their own, in the order of the item.
  public var activities: [ActivityType] {
    (values.dictionary(Key.activities)?.keys ?? PropertyList.Dictionary().keys)
      .compactMap { ActivityType(rawValue: $0) }
  }

  /// What an activity has of its own.
  public func parts(for activity: ActivityType) -> OwnParts {
    guard let table = values.dictionary(Key.activities),
      case .dictionary(let row)? = table[activity.rawValue]
    else { return OwnParts() }
    let values = TypedValues(row)
    return OwnParts(
      contentText: values.string(PartKey.contentText),
      additions: values.array(PartKey.attachments)?.compactMap { try? Attachment($0) })
  }

  /// Sets what an activity has of its own.
  public mutating func setParts(_ parts: OwnParts, for activity: ActivityType) {
    var table = values.dictionary(Key.activities) ?? PropertyList.Dictionary()
    var row = PropertyList.Dictionary()
    row[PartKey.contentText] = parts.contentText.map { .string($0) }
    row[PartKey.attachments] = parts.additions.map { .array($0.map { .dictionary($0.dictionary) }) }
    table[activity.rawValue] = parts.isEmpty ? nil : .dictionary(row)
    userInfo[Key.activities] = table.isEmpty ? nil : .dictionary(table)
  }

  /// What an activity receives; `nil` where it understands no items, and there is no document.
  public func handover(to activity: ActivityType) -> ItemSource.Handover? {
    let attachments = attachments
    guard activity.acceptsItem else { return attachments.first.map { .document($0) } }
    var item = self
    item.userInfo[Key.activities] = nil
    let parts = parts(for: activity)
    if let contentText = parts.contentText { item.contentText = contentText }
    if let additions = parts.additions { item.attachments = attachments.prefix(1) + additions }
    return .item(item)
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
      guard case .dictionary(let row) = entry.value, ActivityType(rawValue: entry.key) != nil else {
        return [ItemFlaw(.type(expected: "an activity's dictionary"), at: path)]
      }
      var flaws: [ItemFlaw] = []
      if let text = row[PartKey.contentText], TypedValues.string(text) == nil {
        flaws.append(ItemFlaw(.type(expected: "a text"), at: "\(path).\(PartKey.contentText)"))
      }
      return flaws
        + attachmentFlaws(row[PartKey.attachments], at: "\(path).\(PartKey.attachments)")
    }
  }
}

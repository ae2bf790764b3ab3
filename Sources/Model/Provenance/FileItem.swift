internal import ForeignFormats
public import ShareItem
internal import TextFormats

/// What a file says of the content that was handed over with it: the share item in its attribute,
/// and the values of freedesktop.org's names.
public struct FileItem: Sendable {
  /// A value of freedesktop.org's names, and what the share item says in its place.
  public struct Note: Sendable {
    public let field: ShareItem.Field
    public let value: String
    public let carrier: MarkCarrier
    /// Whether the share item says something else.
    public let isOpposed: Bool
    /// Whether it is the comment, which the user has written for themselves.
    fileprivate let isComment: Bool
  }

  /// The mark that holds the share item, readable or not; `nil` if there is none.
  public let mark: Mark?
  /// In the order of the fields.
  public let notes: [Note]

  /// The share item; `nil` if there is none that can be read.
  public var item: ShareItem? {
    if case .item(let item)? = mark?.value { item } else { nil }
  }

  /// Takes the values that stand in the file itself.
  public init(_ report: ProvenanceReport) {
    let own = report.marks.filter { $0.trust == .claim }
    mark = own.first { $0.kind == .shareItem }
    let item: ShareItem? = if case .item(let item)? = mark?.value { item } else { nil }
    var notes: [Note] = []
    for field in ShareItem.Field.allCases {
      for name in field.names {
        for mark in own where mark.kind.name == name {
          guard case .text(let text)? = mark.value else { continue }
          let said = item?.text(of: field)
          notes.append(
            Note(
              field: field, value: text, carrier: mark.carrier,
              isOpposed: said.map { $0 != text } ?? false, isComment: name == Self.comment))
        }
      }
    }
    self.notes = notes
  }

  /// The name of the attribute with the comment, without `user.`.
  static let comment = "xdg.comment"

  private init(_ other: FileItem, notes: [Note]) {
    mark = other.mark
    self.notes = notes
  }

  /// What the file says, without the comment on it where that is not kept.
  ///
  /// - Returns: the rest, and whether something was left out that the item would have had.
  func handedOn(keeping kept: ShareItem.PrivateParts) -> (marks: FileItem, losses: [ItemFlaw]) {
    guard !kept.contains(.comment), notes.contains(where: \.isComment) else { return (self, []) }
    let rest = FileItem(self, notes: notes.filter { !$0.isComment })
    let isLost = rest.merged.contentText != merged.contentText
    return (rest, isLost ? [.comment] : [])
  }

  /// Whether the file says nothing.
  public var isEmpty: Bool { mark == nil && notes.isEmpty }

  /// The share item, with the values of freedesktop.org's names for fields that it does not have.
  public var merged: ShareItem {
    var merged = item ?? ShareItem()
    for note in notes where merged.text(of: note.field) == nil {
      _ = merged.set(DesktopNote(name: note.field.names[0], value: note.value))
    }
    return merged
  }

  /// The item, with the short answer of all marks for what it does not say.
  package func completed(by report: ProvenanceReport) -> ShareItem {
    var item = merged
    if item.sourceURL == nil, let url = report.text(.url), AbsoluteURL.hasScheme(url) {
      item.sourceURL = url
    }
    if item.referrer.webURL == nil, let url = report.text(.referrer), AbsoluteURL.hasScheme(url) {
      item.referrer.webURL = url
    }
    if item.referrer.appName == nil {
      item.referrer.appName = report.text(.name) ?? report.text(.identifier)
    }
    return item
  }
}

/// What an operand stands for: a share item in a file or on standard input, or what a file says of its
/// own content.
package enum ItemInput {
  case item(ShareItem)
  case marks(FileItem, ProvenanceReport)

  /// The share item that is worked with: the item itself, or what the marks of a file make up.
  package var whole: ShareItem {
    switch self {
    case .item(let item): item
    case .marks(let marks, _): marks.merged
    }
  }

  /// What is left in the item that is handed on.
  package enum Kept: Sendable {
    /// Only what can be read, and of what is private these parts.
    case parts(ShareItem.PrivateParts)
    /// All that can be read.
    case all
  }

  /// The share item as another program may have it.
  ///
  /// - Parameter isCompleted: whether the short answer of all marks of a file is in the item for what
  ///   the file does not say itself.
  /// - Returns: the item, and what was left out of it, as it identifies the user or is unreadable.
  package func handedOn(
    keeping kept: Kept, isCompleted: Bool = false
  ) -> (item: ShareItem, losses: [ItemFlaw]) {
    guard case .parts(let parts) = kept else {
      return whole(isCompleted).withoutUnreadFields()
    }
    var (input, losses) = (self, [ItemFlaw]())
    if case .marks(let marks, let report) = self {
      let (rest, comment) = marks.handedOn(keeping: parts)
      (input, losses) = (.marks(rest, report), comment)
    }
    let (item, others) = input.whole(isCompleted).withoutPrivateParts(keeping: parts)
    return (item, others + losses)
  }

  private func whole(_ isCompleted: Bool) -> ShareItem {
    if isCompleted, case .marks(let marks, let report) = self {
      return marks.completed(by: report)
    }
    return whole
  }
}

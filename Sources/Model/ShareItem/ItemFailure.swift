public import BinaryPropertyList

/// Why bytes or values are no item that can be handed over, and where in it.
public struct ItemFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public let reason: Reason
  /// The keys and positions that lead to the value, `.key[0]`; empty for the whole item.
  public var keyPath = ""

  init(_ reason: Reason, at keyPath: String = "") {
    self.reason = reason
    self.keyPath = keyPath
  }

  /// What is wrong.
  public struct Reason: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: Hashable {
      case fixed(String)
      case list(DecodingFailure)
      case value(String)
      case key(String)
    }

    private let kind: Kind

    private init(_ text: String) { kind = .fixed(text) }
    private init(_ kind: Kind) { self.kind = kind }

    /// The bytes are no binary property list.
    public static func list(_ failure: DecodingFailure) -> Self { Self(.list(failure)) }
    /// The property list is not a dictionary.
    public static let notDictionary = Self("a share item is a dictionary")
    /// The item without its attachments has more bytes than ``ShareItem/sizeLimit`` allows.
    public static let tooLarge = Self(
      "without its attachments the item has \(ShareItem.sizeLimit >> 20) MiB or more")
    /// Values are nested deeper than ``ShareItem/depthLimit``.
    public static let tooDeep = Self("values are nested deeper than \(ShareItem.depthLimit) levels")
    /// A value is of a kind that other programs cannot read.
    public static func unrepresentable(_ kind: String) -> Self { Self(.value(kind)) }
    /// An attachment is not a dictionary.
    public static let attachmentType = Self("an attachment is a dictionary")
    /// An attachment does not tell its types.
    public static let untyped = Self("the type of an attachment is not known")
    /// An attachment has neither a value nor a path, both, or one of another type.
    public static let attachmentContent = Self(
      "an attachment has either a value, text or data, or a path")
    /// A thumbnail is no picture of the kinds that thumbnails are, or too large.
    public static let thumbnail = Self(
      "a thumbnail is a PNG or JPEG picture of at most \(ShareItem.Thumbnail.sizeLimit >> 10) KiB")
    /// An application's own key is one of those that all items have.
    public static func reservedKey(_ key: String) -> Self { Self(.key(key)) }

    fileprivate var offset: Int {
      if case .list(let failure) = kind { failure.offset } else { 0 }
    }

    /// The reason in words.
    public var description: String {
      if case .list(let failure) = kind { "\(words) (at byte \(failure.offset))" } else { words }
    }

    /// The reason without a place.
    public var words: String {
      switch kind {
      case .fixed(let text): text
      case .list(let failure): "not a well-formed binary property list: \(failure.reason)"
      case .value(let kind): "\(kind) cannot be handed over, since other programs do not read it"
      case .key(let key): "the key '\(key)' belongs to all items"
      }
    }
  }

  /// The offset of what is wrong with the bytes; 0 where that is not one place in them.
  public var offset: Int { reason.offset }

  /// The failure in words.
  public var description: String { keyPath.isEmpty ? "\(reason)" : "\(reason) (at \(keyPath))" }
}

/// Something in an item that is passed over when it is read, or lost when it is carried elsewhere.
public struct ItemFlaw: Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    /// The value has another type than this one.
    case type(expected: String)
    /// The text is no absolute URL.
    case noURL
    /// The text is no media type as RFC 6838 has it.
    case noMediaType
    /// Fonts and styles of a text are left out.
    case plainText
    /// An attachment is malformed.
    case attachment(ItemFailure.Reason)
    /// The words of a list of tags that has commas between them cannot have one, nor control
    /// characters or spaces at their ends.
    case tag(String)
    /// A name and password are left out of a URL.
    case credentials
    /// What follows the path is left out of a URL.
    case query
    /// The user's comment on a file is left out.
    case comment
    /// A URL that opens an app is left out.
    case appURL
    /// Two values have the same place elsewhere.
    case collision
    /// Another row of the table is that of the same activity.
    case secondRow(String)
    /// Documents, of which there are so many, are left out.
    case documents(Int)
    /// Thumbnails, of which there are so many, are left out.
    case thumbnails(Int)
  }

  /// The keys and positions that lead to the value.
  public let keyPath: String
  public let reason: Reason

  init(_ reason: Reason, at keyPath: String) {
    self.reason = reason
    self.keyPath = keyPath
  }

  /// The user's comment on a file is left out, which would have been the text of the item.
  public static let comment = ItemFlaw(.comment, at: "." + ShareItem.Key.contentText)

  /// Whether something of the value is there, if not all.
  public var isLoss: Bool {
    switch reason {
    case .type, .noURL, .noMediaType, .attachment, .secondRow: false
    case .plainText, .tag, .credentials, .query, .comment, .appURL, .collision, .documents,
      .thumbnails:
      true
    }
  }

  /// The flaw in words that follow the key path.
  public var words: String {
    switch reason {
    case .type(let expected): "not \(expected); ignored"
    case .noURL: "not an absolute URL; ignored"
    case .noMediaType: "not a media type; ignored"
    case .plainText: "rich text; only its plain text is read"
    case .attachment(let reason): "\(reason); ignored"
    case .tag(let tag): "the tag \"\(tag)\" cannot stand in a list with commas"
    case .credentials: "the user name and password in the URL are left out"
    case .query: "what follows the path of the URL is left out"
    case .comment: "the comment on the file is left out"
    case .appURL: "the URL that opens an app is left out"
    case .collision: "another value has the same name; left out"
    case .secondRow(let activity): "another row is that of \(activity), too; ignored"
    case .documents(1): "the attachment is left out"
    case .documents(let count): "\(count) attachments are left out"
    case .thumbnails(1): "the thumbnail is left out"
    case .thumbnails(let count): "\(count) thumbnails are left out"
    }
  }

  public var description: String { "\(keyPath): \(words)" }
}

extension ShareItem {
  /// What is passed over when the item is read, in the order of the fields.
  public var flaws: [ItemFlaw] {
    var flaws = [Key.title, Key.contentText].compactMap { key -> ItemFlaw? in
      guard userInfo[key] != nil else { return nil }
      guard let text = values.text(key) else {
        return ItemFlaw(.type(expected: "a text"), at: "." + key)
      }
      return text.isLossy ? ItemFlaw(.plainText, at: "." + key) : nil
    }
    if let generic {
      flaws += Self.flaws(ofGeneric: generic)
    } else if userInfo[Key.item] != nil {
      flaws.append(ItemFlaw(.type(expected: "a dictionary"), at: "." + Key.item))
    }
    flaws += attachmentFlaws(userInfo[Key.attachments], at: "." + Key.attachments)
    flaws += thumbnailFlaws(userInfo[Key.thumbnails], at: "." + Key.thumbnails)
    return flaws + activityFlaws
  }

  private static func flaws(ofGeneric generic: TypedValues) -> [ItemFlaw] {
    let lead = "." + Key.item + "."
    var flaws: [ItemFlaw] = []
    if generic.dictionary[Key.tags] != nil {
      if let tags = generic.array(Key.tags) {
        for (position, tag) in tags.enumerated() where TypedValues.string(tag) == nil {
          flaws.append(ItemFlaw(.type(expected: "a text"), at: "\(lead)\(Key.tags)[\(position)]"))
        }
      } else {
        flaws.append(ItemFlaw(.type(expected: "an array"), at: lead + Key.tags))
      }
    }
    let fields = [(Key.sourceURL, true)] + Referrer.Field.allCases.map { ($0.key, $0.isURL) }
    for (key, isURL) in fields where generic.dictionary[key] != nil {
      if generic.string(key) == nil {
        flaws.append(ItemFlaw(.type(expected: "a text"), at: lead + key))
      } else if isURL, generic.url(key) == nil {
        flaws.append(ItemFlaw(.noURL, at: lead + key))
      }
    }
    return flaws
  }

  func attachmentFlaws(_ value: PropertyList?, at keyPath: String) -> [ItemFlaw] {
    guard let value else { return [] }
    guard case .array(let elements) = value else {
      return [ItemFlaw(.type(expected: "an array"), at: keyPath)]
    }
    return elements.enumerated().compactMap { position, element in
      do throws(ItemFailure) {
        guard try Attachment(element).hasUnreadMediaType else { return nil }
        return ItemFlaw(
          .noMediaType, at: "\(keyPath)[\(position)].\(Attachment.Key.mediaType)")
      } catch {
        return ItemFlaw(.attachment(error.reason), at: "\(keyPath)[\(position)]")
      }
    }
  }
}

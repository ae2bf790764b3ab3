internal import BinaryPropertyList
internal import TextFormats

// Attributed links as items and back: what was shared, and by which app.
extension ShareItem {
  /// What stands before the names of a link's other parameters, in the keys of an item.
  private static let linkKeys = "com.ideashower.ReadItLaterPro."

  /// What a link says: its URL is the source, the app the referrer; the other parameters become
  /// custom ones.
  ///
  /// - Parameter showsTweet: whether the address of the post that the link was found in becomes the
  ///   referrer's URL.
  public init(_ link: AttributedLink, showsTweet: Bool = false) {
    self.init()
    sourceURL = link.url
    referrer.appName = link.app
    if showsTweet { referrer.webURL = link.tweetURL }
    for parameter in link.parameters where parameter.name != AttributedLink.Name.url {
      userInfo[Self.linkKeys + parameter.name] = .string(parameter.value)
    }
  }

  /// The link that says what the item says.
  ///
  /// - Parameters:
  ///   - app: the identifier of the app; `nil` to take the referrer's name, where it is one.
  ///   - url: `nil` for the item's source.
  /// - Throws: `AttributedLink.Failure` where the item does not say enough.
  public func link(
    app: String? = nil, url: String? = nil, parameters: [AttributedLink.Parameter] = []
  ) throws(AttributedLink.Failure) -> AttributedLink {
    let kept = userInfo.entries.compactMap { entry -> AttributedLink.Parameter? in
      guard entry.key.hasPrefix(Self.linkKeys), let value = TypedValues.string(entry.value) else {
        return nil
      }
      let name = String(entry.key.dropFirst(Self.linkKeys.count))
      return name == AttributedLink.Name.app
        ? nil : AttributedLink.Parameter(name: name, value: value)
    }
    guard let app = app ?? referrer.appName, AbsoluteURL.isScheme(app.utf8) else { throw .noApp }
    return try AttributedLink(app: app, url: url ?? sourceURL, parameters: kept + parameters)
  }

  /// Texts of a field without names and passwords in URLs that they have, and the loss if there are any.
  static func bare(_ texts: [String], _ key: String, _ losses: inout [ItemFlaw]) -> [String] {
    let bare = texts.map { AbsoluteURL.withoutCredentials(inText: $0) }
    if bare != texts { losses.append(ItemFlaw(.credentials, at: ".\(Key.item).\(key)")) }
    return bare
  }

  /// What stays with the user unless they ask for it to be handed on.
  public struct PrivateParts: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// What follows the path of the source's URL and of the referrer's page: queries, which can hold
    /// tokens, and fragments.
    public static let wholeURLs = PrivateParts(rawValue: 1)
    /// The comment on a file.
    public static let comment = PrivateParts(rawValue: 2)
  }

  /// A URL that says where content comes from, without names and passwords and, unless it is kept,
  /// what follows the path.
  public static func handedOn(_ url: String, keeping kept: PrivateParts) -> String {
    let bare = AbsoluteURL.withoutCredentials(url)
    return kept.contains(.wholeURLs) ? bare : String(bare.prefix { $0 != "?" && $0 != "#" })
  }

  /// The item without what identifies the user: names and passwords in URLs, what follows the path of
  /// the source's URL and of the referrer's page, and URLs that open apps. The documents of single
  /// activities are treated as those of all.
  ///
  /// - Parameter kept: what is left in nevertheless; the comment on a file is not known here.
  /// - Returns: the item, and what was left out.
  public func withoutPrivateParts(
    keeping kept: PrivateParts = []
  ) -> (item: ShareItem, losses: [ItemFlaw]) {
    var item = self
    var losses: [ItemFlaw] = []
    func lose(_ reason: ItemFlaw.Reason, _ keyPath: String) {
      losses.append(ItemFlaw(reason, at: keyPath))
    }
    // First, since setting one field drops those that cannot be read.
    item.dropUnreadFields(lose)
    let lead = ".\(Key.item)."
    func page(_ url: String, _ key: String) -> String {
      let bare = AbsoluteURL.withoutCredentials(url)
      let page = Self.handedOn(url, keeping: kept)
      if bare != url { lose(.credentials, lead + key) }
      if page != bare { lose(.query, lead + key) }
      return page
    }
    if let url = sourceURL {
      let page = page(url, Key.sourceURL)
      if page != url { item.sourceURL = page }
    }
    if let url = referrer.webURL {
      item.referrer.webURL = page(url, Referrer.Field.webURL.key)
    }
    for field in [Referrer.Field.iOSAppURL, .androidAppURL] where referrer[field] != nil {
      item.referrer[field] = nil
      lose(.appURL, lead + field.key)
    }
    if let name = referrer.appName {
      item.referrer.appName = Self.bare([name], Referrer.Field.appName.key, &losses)[0]
    }
    if let tags { item.tags = Self.bare(tags, Key.tags, &losses) }
    func strip(_ attachment: Attachment, _ keyPath: String, isURL: Bool = false) -> Attachment {
      guard isURL || attachment.typeIdentifiers.contains(where: Self.isURLType),
        let text = attachment.text
      else { return attachment }
      // Browsers pass over what stands before.
      let url = String(text.drop { $0 <= " " })
      guard AbsoluteURL.hasCredentials(url) else { return attachment }
      lose(.credentials, keyPath)
      var attachment = attachment
      attachment.content = .text(AbsoluteURL.withoutCredentials(url))
      return attachment
    }
    func strip(_ attachments: [Attachment], _ keyPath: String) -> [Attachment] {
      attachments.enumerated().map { strip($1, "\(keyPath)[\($0)]") }
    }
    let table = values.dictionary(Key.activities) ?? PropertyList.Dictionary()
    let rows = table.entries.compactMap { entry -> (key: String, parts: OwnParts)? in
      if case .dictionary(let row) = entry.value { (entry.key, OwnParts(row)) } else { nil }
    }
    // What is a text for all may be said to be a URL for one.
    let isURLForOne = rows.contains { $0.parts.type.map(Self.isURLType) ?? false }
    let attachments = attachments
    var stripped = strip(attachments, "." + Key.attachments)
    if isURLForOne, let main = stripped.first {
      stripped[0] = strip(main, ".\(Key.attachments)[0]", isURL: true)
    }
    // Also without a change: malformed ones, which nobody reads, go.
    item.attachments = stripped
    var bareTable = table
    for (key, parts) in rows {
      let keyPath = ".\(Key.activities).\(key)."
      var bare = parts
      bare.main = parts.main.map { main in
        strip(main, keyPath + PartKey.main, isURL: parts.type.map(Self.isURLType) ?? false)
      }
      bare.additions = parts.additions.map { strip($0, keyPath + PartKey.attachments) }
      if bare != parts { bareTable[key] = .dictionary(bare.dictionary) }
    }
    if bareTable != table { item.userInfo[Key.activities] = .dictionary(bareTable) }
    return (item, losses)
  }

  /// Uniform types have no case.
  private static func isURLType(_ type: String) -> Bool {
    ["public.url", "public.file-url"].contains(type.lowercased())
  }

  /// The item without fields of the item's own that nobody reads, as they have another type: they can
  /// hold anything.
  ///
  /// - Returns: the item, and what was left out.
  public func withoutUnreadFields() -> (item: ShareItem, losses: [ItemFlaw]) {
    var item = self
    var losses: [ItemFlaw] = []
    item.dropUnreadFields { losses.append(ItemFlaw($0, at: $1)) }
    return (item, losses)
  }

  /// Drops the fields of another type, and those that are URLs and hold no text that is one: they
  /// count as missing, and can hold anything.
  private mutating func dropUnreadFields(_ lose: (ItemFlaw.Reason, String) -> Void) {
    guard let generic else {
      if userInfo[Key.item] != nil { lose(.type(expected: "a dictionary"), "." + Key.item) }
      userInfo[Key.item] = nil
      return
    }
    var fields = generic.dictionary
    for key in [Key.sourceURL] + Referrer.Field.allCases.filter(\.isURL).map(\.key)
    where fields[key] != nil && generic.url(key) == nil {
      fields[key] = nil
      lose(.noURL, ".\(Key.item).\(key)")
    }
    for key in Referrer.Field.allCases.filter({ !$0.isURL }).map(\.key)
    where fields[key] != nil && generic.string(key) == nil {
      fields[key] = nil
      lose(.type(expected: "a text"), ".\(Key.item).\(key)")
    }
    if let tags = fields[Key.tags] {
      let texts = generic.array(Key.tags)?.filter { TypedValues.string($0) != nil }
      if texts == nil { lose(.type(expected: "an array"), ".\(Key.item).\(Key.tags)") }
      for (position, tag) in (generic.array(Key.tags) ?? []).enumerated()
      where TypedValues.string(tag) == nil {
        lose(.type(expected: "a text"), ".\(Key.item).\(Key.tags)[\(position)]")
      }
      let read = texts.map { PropertyList.array($0) }
      if read != tags { fields[Key.tags] = read }
    }
    if fields != generic.dictionary {
      userInfo[Key.item] = fields.isEmpty ? nil : .dictionary(fields)
    }
  }
}

extension ShareItem.Attachment {
  /// The content as text, whether or not it is data; `nil` for a path and for other data.
  fileprivate var text: String? {
    switch content {
    case .text(let text): text
    case .data(let bytes): String(validating: bytes, as: UTF8.self)
    case .path: nil
    }
  }
}

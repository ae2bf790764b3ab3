public import BinaryPropertyList

/// What an app hands over: items, each with attachments, in the form that activation rules address.
public struct SharedContent: Hashable, Sendable {
  /// One item, as `NSExtensionItem` has it.
  public struct Item: Hashable, Sendable {
    /// The key `attributedTitle`, without its attributes.
    public var title: String?
    /// The key `attributedContentText`, without its attributes.
    public var text: String?
    public var userInfo: PropertyList.Dictionary
    public var attachments: [Attachment]

    public init(
      title: String? = nil, text: String? = nil,
      userInfo: PropertyList.Dictionary = PropertyList.Dictionary(), attachments: [Attachment]
    ) {
      self.title = title
      self.text = text
      self.userInfo = userInfo
      self.attachments = attachments
    }
  }

  /// One attachment, as `NSItemProvider` has it.
  public struct Attachment: Hashable, Sendable {
    /// The uniform types in which the attachment can be had, in their order.
    public var registeredTypeIdentifiers: [String]

    public init(_ registeredTypeIdentifiers: [String]) {
      self.registeredTypeIdentifiers = registeredTypeIdentifiers
    }
  }

  public var items: [Item]

  public init(items: [Item]) { self.items = items }

  /// One item with attachments of these types.
  public init(_ attachments: [[String]]) {
    items = [Item(attachments: attachments.map { Attachment($0) })]
  }

  /// The most attachments and items that content may have.
  public static let attachmentLimit = 10_000
  /// The most type identifiers of all attachments together.
  public static let typeLimit = 100_000
  /// The most levels and values in the `userInfo` of all items together.
  public static let userInfoDepthLimit = 64
  public static let userInfoValueLimit = 100_000
}

// Reading.
extension SharedContent {
  /// Why a property list or JSON document is no content.
  public struct Failure: Error, Hashable, CustomStringConvertible, Sendable {
    public let description: String
  }

  /// Reads the form that activation rules address:
  /// `{"extensionItems":[{"attachments":[{"registeredTypeIdentifiers":["public.png"]}]}]}`.
  ///
  /// An item may have `attributedTitle`, `attributedContentText` and `userInfo` as well. Any other
  /// key is refused, since a rule could not address it.
  public init(_ list: PropertyList) throws(Failure) {
    let root = try Reader("the content", list, keys: ["extensionItems"])
    guard root.dictionary["extensionItems"] != nil else {
      throw Failure(description: "the content has no extensionItems")
    }
    items = []
    for (place, value) in try root.elements("extensionItems", "item") {
      let item = try Reader(
        place, value, keys: ["attributedTitle", "attributedContentText", "userInfo", "attachments"])
      var attachments: [Attachment] = []
      for (place, value) in try item.elements("attachments", "\(place), attachment") {
        let attachment = try Reader(place, value, keys: ["registeredTypeIdentifiers"])
        attachments.append(Attachment(try attachment.strings("registeredTypeIdentifiers")))
      }
      items.append(
        Item(
          title: try item.string("attributedTitle"),
          text: try item.string("attributedContentText"), userInfo: try item.userInfo(),
          attachments: attachments))
    }
    if let excess { throw Failure(description: excess) }
  }

  /// The limit that the content exceeds, in words.
  var excess: String? {
    let attachments = items.reduce(0) { $0 + $1.attachments.count }
    let types = items.reduce(0) { sum, item in
      item.attachments.reduce(sum) { $0 + $1.registeredTypeIdentifiers.count }
    }
    if attachments > Self.attachmentLimit || items.count > Self.attachmentLimit {
      return "the content has more than \(Self.attachmentLimit) items or attachments"
    }
    if types > Self.typeLimit { return "the content has more than \(Self.typeLimit) types" }
    var values = 0
    for item in items {
      for value in item.userInfo.values
      where !Self.isWithinLimits(value, Self.userInfoDepthLimit - 1, &values) {
        return "the content has more than \(Self.userInfoDepthLimit) levels or"
          + " \(Self.userInfoValueLimit) values of userInfo"
      }
    }
    return nil
  }

  private static func isWithinLimits(
    _ value: PropertyList, _ depth: Int, _ count: inout Int
  ) -> Bool {
    count += 1
    guard depth > 0, count <= userInfoValueLimit else { return false }
    switch value {
    case .array(let elements), .set(let elements), .orderedSet(let elements):
      return elements.allSatisfy { isWithinLimits($0, depth - 1, &count) }
    case .dictionary(let dictionary):
      return dictionary.values.allSatisfy { isWithinLimits($0, depth - 1, &count) }
    default: return true
    }
  }
}

/// A dictionary of the content, and where it stands.
private struct Reader {
  let place: String
  let dictionary: PropertyList.Dictionary

  init(_ place: String, _ value: PropertyList, keys: [String]) throws(SharedContent.Failure) {
    guard case .dictionary(let dictionary) = value else {
      throw SharedContent.Failure(description: "\(place) is not an object")
    }
    if let other = dictionary.keys.first(where: { !keys.contains($0) }) {
      throw SharedContent.Failure(
        description: "\(place) has the unknown key \"\(other)\"; known are "
          + keys.joined(separator: ", "))
    }
    self.place = place
    self.dictionary = dictionary
  }

  func elements(
    _ key: String, _ word: String
  ) throws(SharedContent.Failure) -> [(place: String, value: PropertyList)] {
    switch dictionary[key] {
    case nil: return []
    case .array(let elements):
      return elements.enumerated().map { ("\(word) \($0.offset + 1)", $0.element) }
    default: throw failure("\(key) is not an array")
    }
  }

  func string(_ key: String) throws(SharedContent.Failure) -> String? {
    switch dictionary[key] {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw failure("\(key) is not a string")
    }
  }

  func strings(_ key: String) throws(SharedContent.Failure) -> [String] {
    guard let value = dictionary[key] else { return [] }
    guard case .array(let elements) = value else { throw failure("\(key) is not an array") }
    let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    guard texts.count == elements.count else {
      throw failure("\(key) has an element that is not a string")
    }
    return texts
  }

  func userInfo() throws(SharedContent.Failure) -> PropertyList.Dictionary {
    switch dictionary["userInfo"] {
    case nil, .null: return PropertyList.Dictionary()
    case .dictionary(let dictionary): return dictionary
    default: throw failure("userInfo is not an object")
    }
  }

  private func failure(_ reason: String) -> SharedContent.Failure {
    SharedContent.Failure(description: "\(place): \(reason)")
  }
}

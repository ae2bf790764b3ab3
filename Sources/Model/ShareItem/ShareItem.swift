public import BinaryPropertyList
internal import TextFormats

/// What an app hands over to another one: a document or several, and what is to be known of them.
///
/// An item is the dictionary `userInfo` of an `NSExtensionItem`, in the form that the library
/// XExtensionItem gives it. The properties read that dictionary and change it; whatever else stands
/// there stays as it is, value for value. Reading is tolerant: what has another type than it ought to
/// have is as if it were not there, and stands in ``flaws``.
public struct ShareItem: Hashable, Sendable {
  /// All that the item says, keys that are not ours included.
  public var userInfo: PropertyList.Dictionary

  /// Makes an item that says nothing.
  public init() { userInfo = PropertyList.Dictionary() }

  /// Makes an item of a dictionary.
  ///
  /// - Throws: `ItemFailure` for a dictionary that is too large or too deep to be handed over.
  public init(userInfo: PropertyList.Dictionary) throws(ItemFailure) {
    self.userInfo = userInfo
    try checkSize()
  }

  /// The keys of the dictionary.
  enum Key {
    static let item = "x-extension-item"
    static let title = "NSExtensionItemAttributedTitleKey"
    static let contentText = "NSExtensionItemAttributedContentTextKey"
    static let attachments = "NSExtensionItemAttachmentsKey"
    /// Ours: what single activities receive in the place of what all of them do.
    static let activities = "x-extension-item-activities"
    /// Ours: small pictures of what is handed over.
    static let thumbnails = "x-extension-item-thumbnail"
    /// Within ``item``.
    static let tags = "tags"
    static let sourceURL = "source-url"
  }

  /// The title, as plain text.
  public var title: String? {
    get { values.text(Key.title)?.text }
    set { userInfo[Key.title] = newValue.map { .string($0) } }
  }

  /// What is to be said with the document, as plain text.
  public var contentText: String? {
    get { values.text(Key.contentText)?.text }
    set { userInfo[Key.contentText] = newValue.map { .string($0) } }
  }

  /// Words that the document goes by, in their order; `nil` if none are given.
  public var tags: [String]? {
    get { generic?.array(Key.tags).map { $0.compactMap(TypedValues.string) } }
    set { setGeneric(Key.tags, newValue.map { .array($0.map { .string($0) }) }) }
  }

  /// Where the content came from; an absolute URL.
  public var sourceURL: String? {
    get { generic?.url(Key.sourceURL) }
    set { setGeneric(Key.sourceURL, newValue.map { .string($0) }) }
  }

  /// The app that hands the item over, perhaps without any field.
  public var referrer: Referrer {
    get {
      var referrer = Referrer()
      guard let generic else { return referrer }
      for field in Referrer.Field.allCases {
        referrer[field] = field.isURL ? generic.url(field.key) : generic.string(field.key)
      }
      return referrer
    }
    set {
      for field in Referrer.Field.allCases {
        setGeneric(field.key, newValue[field].map { .string($0) })
      }
    }
  }

  /// The documents, the main one first. Those that are malformed are left out.
  public var attachments: [Attachment] {
    get {
      (values.array(Key.attachments) ?? []).compactMap { element in
        try? Attachment(element)
      }
    }
    set {
      userInfo[Key.attachments] =
        newValue.isEmpty ? nil : .array(newValue.map { .dictionary($0.dictionary) })
    }
  }

  /// What stands below `x-extension-item`, and is no field that is known here.
  public var unknownFields: PropertyList.Dictionary {
    let known = [Key.tags, Key.sourceURL] + Referrer.Field.allCases.map(\.key)
    return PropertyList.Dictionary(
      (generic?.dictionary.entries ?? []).lazy.filter { !known.contains($0.key) }
        .map { ($0.key, $0.value) }
    ) { first, _ in first }
  }

  /// What an application has given beyond the fields of all items.
  public func parameters<Parameters: CustomParameters>(
    _ type: Parameters.Type = Parameters.self
  ) -> Parameters {
    Parameters(userInfo)
  }

  /// Adds what an application gives beyond the fields of all items.
  ///
  /// - Throws: `ItemFailure` for a key that belongs to all items.
  public mutating func add(_ parameters: some CustomParameters) throws(ItemFailure) {
    for entry in parameters.dictionary.entries {
      guard ItemKeys.isCustom(entry.key) else { throw ItemFailure(.reservedKey(entry.key)) }
      userInfo[entry.key] = entry.value
    }
  }

  /// Whether a dictionary has a key that only items have.
  public static func isItem(_ dictionary: PropertyList.Dictionary) -> Bool {
    [Key.item, Key.title, Key.contentText, Key.attachments].contains { dictionary[$0] != nil }
  }

  /// The values of the whole dictionary, by their types.
  public var values: TypedValues { TypedValues(userInfo) }

  /// What stands below `x-extension-item`; `nil` if there is none, or no dictionary.
  var generic: TypedValues? { values.dictionary(Key.item).map { TypedValues($0) } }

  /// Sets a key below `x-extension-item`, which is there only as long as it has one.
  private mutating func setGeneric(_ key: String, _ value: PropertyList?) {
    var dictionary = values.dictionary(Key.item) ?? PropertyList.Dictionary()
    guard value != nil || dictionary[key] != nil else { return }
    dictionary[key] = value
    userInfo[Key.item] = dictionary.isEmpty ? nil : .dictionary(dictionary)
  }
}

/// The keys that an item has of its own.
enum ItemKeys {
  /// Whether a key may be an application's own.
  static func isCustom(_ key: String) -> Bool {
    !key.utf8.starts(with: ShareItem.Key.item.utf8)
      && ![ShareItem.Key.title, ShareItem.Key.contentText, ShareItem.Key.attachments].contains(key)
  }
}

/// The app that hands an item over, and the content in it.
public struct Referrer: Hashable, Sendable {
  /// One of the six values.
  public enum Field: CaseIterable, Sendable {
    case appName, appStoreID, googlePlayID, webURL, iOSAppURL, androidAppURL

    /// The key below `x-extension-item`.
    public var key: String {
      switch self {
      case .appName: "referrer-name"
      case .appStoreID: "referrer-app-store-id"
      case .googlePlayID: "referrer-google-play-id"
      case .webURL: "referrer-web-url"
      case .iOSAppURL: "referrer-ios-app-url"
      case .androidAppURL: "referrer-android-app-url"
      }
    }

    /// Whether only an absolute URL counts.
    public var isURL: Bool {
      switch self {
      case .appName, .appStoreID, .googlePlayID: false
      case .webURL, .iOSAppURL, .androidAppURL: true
      }
    }
  }

  public var appName: String?
  public var appStoreID: String?
  public var googlePlayID: String?
  public var webURL: String?
  public var iOSAppURL: String?
  public var androidAppURL: String?

  public init(
    appName: String? = nil, appStoreID: String? = nil, googlePlayID: String? = nil,
    webURL: String? = nil, iOSAppURL: String? = nil, androidAppURL: String? = nil
  ) {
    self.appName = appName
    self.appStoreID = appStoreID
    self.googlePlayID = googlePlayID
    self.webURL = webURL
    self.iOSAppURL = iOSAppURL
    self.androidAppURL = androidAppURL
  }

  public subscript(field: Field) -> String? {
    get {
      switch field {
      case .appName: appName
      case .appStoreID: appStoreID
      case .googlePlayID: googlePlayID
      case .webURL: webURL
      case .iOSAppURL: iOSAppURL
      case .androidAppURL: androidAppURL
      }
    }
    set {
      switch field {
      case .appName: appName = newValue
      case .appStoreID: appStoreID = newValue
      case .googlePlayID: googlePlayID = newValue
      case .webURL: webURL = newValue
      case .iOSAppURL: iOSAppURL = newValue
      case .androidAppURL: androidAppURL = newValue
      }
    }
  }

  /// Whether no field is given.
  public var isEmpty: Bool { Field.allCases.allSatisfy { self[$0] == nil } }
}

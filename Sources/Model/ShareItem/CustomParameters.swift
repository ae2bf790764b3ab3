public import BinaryPropertyList
internal import TextFormats

/// What an application gives an item beyond the fields that all items have.
///
/// It must be the same after a round trip: for every dictionary whose values of its keys have the
/// right types, `Self(d).dictionary` has just those of its keys; and `Self(p.dictionary) == p` for
/// every `p`. Keys ought to be names in reverse order of domains, and must not begin with
/// `x-extension-item`.
public protocol CustomParameters: Equatable, Sendable {
  /// Reads the parameters among other keys, which are passed over.
  init(_ userInfo: PropertyList.Dictionary)

  /// The keys that have a value.
  var dictionary: PropertyList.Dictionary { get }
}

/// What Tumblr's app reads.
public struct TumblrParameters: CustomParameters, Hashable {
  /// The kind of post that is to be made.
  public enum PostType: Int64, CaseIterable, Sendable {
    case any, text, quote, chat, link, photo, video
  }

  /// The end of the post's address.
  public var urlPathComponent: String?
  public var postType: PostType?
  /// Who wrote the application that hands the item over.
  public var consumerKey: String?

  /// The key of the kind of post.
  public static let postTypeKey = Key.postType

  enum Key {
    static let urlPathComponent = "com.tumblr.tumblr.custom-url-path"
    static let postType = "com.tumblr.tumblr.requested-post-type"
    static let consumerKey = "com.tumblr.tumblr.consumer-key"
  }

  public init(
    urlPathComponent: String? = nil, postType: PostType? = nil, consumerKey: String? = nil
  ) {
    self.urlPathComponent = urlPathComponent
    self.postType = postType
    self.consumerKey = consumerKey
  }

  public init(_ userInfo: PropertyList.Dictionary) {
    let values = TypedValues(userInfo)
    urlPathComponent = values.string(Key.urlPathComponent)
    consumerKey = values.string(Key.consumerKey)
    if case .integer(let number)? = userInfo[Key.postType] {
      postType = PostType(rawValue: number)
    }
  }

  public var dictionary: PropertyList.Dictionary {
    var dictionary = PropertyList.Dictionary()
    dictionary[Key.urlPathComponent] = urlPathComponent.map { .string($0) }
    dictionary[Key.postType] = postType.map { .integer($0.rawValue) }
    dictionary[Key.consumerKey] = consumerKey.map { .string($0) }
    return dictionary
  }
}

/// Any keys that are not those of all items.
public struct AnyParameters: CustomParameters, Hashable {
  public let dictionary: PropertyList.Dictionary

  /// Takes parameters as they are, their keys unchecked.
  public init(unchecked dictionary: PropertyList.Dictionary) { self.dictionary = dictionary }

  /// Keeps what may be an application's own, in its order.
  public init(_ userInfo: PropertyList.Dictionary) {
    dictionary = PropertyList.Dictionary(
      userInfo.entries.lazy.filter { ItemKeys.isCustom($0.key) }.map { ($0.key, $0.value) }
    ) { first, _ in first }
  }
}

/// The values of a dictionary by the types that they ought to have: `nil` if there is none, and
/// where it has another type. Keys are looked up as they are.
public struct TypedValues: Hashable, Sendable {
  public let dictionary: PropertyList.Dictionary

  public init(_ dictionary: PropertyList.Dictionary) { self.dictionary = dictionary }

  public func string(_ key: String) -> String? { dictionary[key].flatMap(Self.string) }

  /// A number, or a truth value, which is one on Apple's systems.
  public func number(_ key: String) -> Double? {
    switch dictionary[key] {
    case .boolean(let value): value ? 1 : 0
    case .integer(let value): Double(value)
    case .wideInteger(let value): Double(value)
    case .float(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  /// A whole number that is not negative; `nil` if XExtensionItem has `NSNotFound`.
  public func unsignedInteger(_ key: String) -> UInt64? {
    switch dictionary[key] {
    case .boolean(let value): value ? 1 : 0
    case .integer(let value): UInt64(exactly: value)
    case .wideInteger(let value): UInt64(exactly: value)
    case .float(let value): UInt64(exactly: value)
    case .real(let value): UInt64(exactly: value)
    default: nil
    }
  }

  /// A text that is an absolute URL.
  public func url(_ key: String) -> String? {
    string(key).flatMap { AbsoluteURL.hasScheme($0) ? $0 : nil }
  }

  public func dictionary(_ key: String) -> PropertyList.Dictionary? {
    if case .dictionary(let value)? = dictionary[key] { value } else { nil }
  }

  public func array(_ key: String) -> [PropertyList]? {
    if case .array(let value)? = dictionary[key] { value } else { nil }
  }

  public func data(_ key: String) -> [UInt8]? {
    if case .data(let value)? = dictionary[key] { value } else { nil }
  }

  static func string(_ value: PropertyList) -> String? {
    if case .string(let text) = value { text } else { nil }
  }

  /// A text, or the plain text of one with fonts, which loses those.
  func text(_ key: String) -> (text: String, isLossy: Bool)? {
    switch dictionary[key] {
    case .string(let text): (text, false)
    case .data(let bytes): RichText.plainText(of: bytes).map { ($0, true) }
    default: nil
    }
  }
}

public import BinaryPropertyList

/// An activation rule in the form of a dictionary, such as
/// `{NSExtensionActivationSupportsImageWithMaxCount: 10}`.
///
/// Apple has not published what its systems make of such a dictionary. What is known is kept: rules
/// of version 1 are strict, those of version 2 only if they say so. The rest is a definition of our
/// own, in the notes on activation rules.
public struct DictionaryRule: Hashable, Sendable {
  /// What an attachment can be for such a rule.
  public enum AttachmentClass: UInt8, CaseIterable, Sendable {
    case image, movie, webPage, webURL, text, file

    /// The key that limits how many attachments of the class are accepted.
    public var key: String {
      switch self {
      case .image: "NSExtensionActivationSupportsImageWithMaxCount"
      case .movie: "NSExtensionActivationSupportsMovieWithMaxCount"
      case .webPage: "NSExtensionActivationSupportsWebPageWithMaxCount"
      case .webURL: "NSExtensionActivationSupportsWebURLWithMaxCount"
      case .text: "NSExtensionActivationSupportsText"
      case .file: "NSExtensionActivationSupportsFileWithMaxCount"
      }
    }

    /// In words, for one.
    public var name: String {
      switch self {
      case .image: "image"
      case .movie: "movie"
      case .webPage: "web page"
      case .webURL: "web URL"
      case .text: "text"
      case .file: "file"
      }
    }
  }

  /// Classes of one attachment.
  public struct Classes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ one: AttachmentClass) { rawValue = 1 << one.rawValue }

    func contains(_ one: AttachmentClass) -> Bool { rawValue & 1 << one.rawValue != 0 }

    public var all: [AttachmentClass] { AttachmentClass.allCases.filter { contains($0) } }

    /// Those that count as attachments for the limits of all of them.
    static let counted: Classes = [Classes(.image), Classes(.movie), Classes(.file)]
  }

  public static let versionKey = "NSExtensionActivationDictionaryVersion"
  public static let strictKey = "NSExtensionActivationUsesStrictMatching"
  public static let maximumKey = "NSExtensionActivationSupportsAttachmentsWithMaxCount"
  public static let minimumKey = "NSExtensionActivationSupportsAttachmentsWithMinCount"

  /// All keys that have a meaning.
  public static let knownKeys =
    [versionKey, strictKey, maximumKey, minimumKey] + AttachmentClass.allCases.map(\.key)

  /// The dictionary as it was read.
  public let dictionary: PropertyList.Dictionary
  public let version: Int
  /// Whether every attachment has to be accepted, rather than any.
  public let isStrict: Bool
  /// The limits of the classes, in their order; `nil` if the dictionary does not say.
  private let limits: [Int?]
  /// How many images, movies and files there may be, and have to be; `nil` or not positive for any.
  let maximum: Int?
  let minimum: Int?
  /// The accepted classes.
  let accepted: Classes
  /// The accepted classes of which any number is.
  let unlimited: Classes
  /// The classes with a limit that is not positive.
  let refused: Classes

  public init(_ dictionary: PropertyList.Dictionary) {
    func number(_ key: String) -> Int? { dictionary[key].map(Self.integer) }
    self.dictionary = dictionary
    version = number(Self.versionKey) ?? 1
    isStrict = version < 2 || number(Self.strictKey) ?? 0 != 0
    limits = AttachmentClass.allCases.map { number($0.key) }
    maximum = number(Self.maximumKey)
    minimum = number(Self.minimumKey)
    var (accepted, unlimited, refused): (Classes, Classes, Classes) = ([], [], [])
    for one in AttachmentClass.allCases {
      switch limits[Int(one.rawValue)] {
      case nil:
        guard Classes.counted.contains(one), maximum ?? 0 > 0 else { continue }
        accepted.insert(Classes(one))
        unlimited.insert(Classes(one))
      case let limit?:
        guard limit > 0 else {
          refused.insert(Classes(one))
          continue
        }
        accepted.insert(Classes(one))
        if one == .text { unlimited.insert(Classes(one)) }
      }
    }
    self.accepted = accepted
    self.unlimited = unlimited
    self.refused = refused
  }

  func limit(of one: AttachmentClass) -> Int? { limits[Int(one.rawValue)] }

  /// The integer that a value of a property list stands for, as NSNumber and NSString have it.
  static func integer(_ value: PropertyList) -> Int {
    switch value {
    case .boolean(let value): return value ? 1 : 0
    case .integer(let value): return Int(value)
    case .real(let value): return integer(value)
    case .float(let value): return integer(Double(value))
    case .string(let text):
      var digits = text.utf8.drop { $0 == 0x20 || 0x09...0x0d ~= $0 }
      let isNegative = digits.first == UInt8(ascii: "-")
      if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
      var result = 0
      for digit in digits.prefix(while: { 0x30...0x39 ~= $0 }) {
        let (product, hasOverflown) = result.multipliedReportingOverflow(by: 10)
        let (sum, hasOverflownThen) = product.addingReportingOverflow(Int(digit) - 0x30)
        if hasOverflown || hasOverflownThen { return isNegative ? .min : .max }
        result = sum
      }
      return isNegative ? -result : result
    default: return 0
    }
  }

  private static func integer(_ value: Double) -> Int {
    value.isNaN ? 0 : value >= 0x1p63 ? .max : value < -0x1p63 ? .min : Int(value)
  }
}

// Evaluation.
extension DictionaryRule {
  /// What decides about content, in the order in which it is looked at.
  enum Step: Hashable, Sendable {
    case nothingIsAccepted
    /// More attachments of a class than its limit.
    case tooMany(AttachmentClass, Int)
    /// More or fewer images, movies and files than allowed.
    case moreThanMaximum(Int)
    case fewerThanMinimum(Int)
    /// No attachment is accepted.
    case noneAccepted
    /// An attachment, by its number, that is not accepted, though the rule is strict.
    case notAccepted(Int)
    /// An attachment, by its number, that an explicit zero refuses.
    case refused(Int)
    /// The content is accepted.
    case accepted
  }

  /// What decides about attachments of these classes.
  func decide(_ attachments: [Classes]) -> Step {
    if accepted.isEmpty { return .nothingIsAccepted }
    // By the rank of the class, and the total.
    var counts: (Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0)
    var total = 0
    var isAnyAccepted = false
    for classes in attachments {
      let free = unlimited.intersection(classes)
      if !classes.isDisjoint(with: .counted) { total += 1 }
      if !classes.isDisjoint(with: accepted) { isAnyAccepted = true }
      func isCounted(_ one: AttachmentClass) -> Bool {
        classes.contains(one) && free.subtracting(Classes(one)).isEmpty
      }
      if isCounted(.image) { counts.0 += 1 }
      if isCounted(.movie) { counts.1 += 1 }
      if isCounted(.webPage) { counts.2 += 1 }
      if isCounted(.webURL) { counts.3 += 1 }
      if isCounted(.file) { counts.5 += 1 }
    }
    func excess(_ one: AttachmentClass, _ count: Int) -> Step? {
      guard let limit = limit(of: one), limit > 0, count > limit else { return nil }
      return .tooMany(one, count)
    }
    if let step = excess(.image, counts.0) ?? excess(.movie, counts.1) ?? excess(.webPage, counts.2)
      ?? excess(.webURL, counts.3) ?? excess(.file, counts.5)
    {
      return step
    }
    if let maximum, maximum > 0, total > maximum { return .moreThanMaximum(total) }
    if let minimum, minimum > 0, total < minimum { return .fewerThanMinimum(total) }
    if !isAnyAccepted { return .noneAccepted }
    for (number, classes) in attachments.enumerated() where classes.isDisjoint(with: accepted) {
      if isStrict { return .notAccepted(number) }
      if !classes.isDisjoint(with: refused) { return .refused(number) }
    }
    return .accepted
  }
}

public import BinaryPropertyList
internal import TextFormats

/// The values of a dictionary by the types that they ought to have: `nil` where there is none, and
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

  /// A whole number that is not negative; `nil` where XExtensionItem has `NSNotFound`.
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

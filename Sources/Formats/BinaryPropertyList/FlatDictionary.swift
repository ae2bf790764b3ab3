/// Writes dictionaries of texts by key without making values of them.
///
/// The bytes are those that ``PropertyList/binary(options:)`` gives for the same entries.
public enum FlatDictionary {
  /// The property list of entries.
  ///
  /// - Throws: ``EncodingFailure`` for equal keys.
  public static func bytes(of entries: Span<FlatEntry>) throws(EncodingFailure) -> [UInt8] {
    try FlatWriter.bytes(of: entries)
  }
}

/// A key with its text, to be written as part of a flat dictionary.
public struct FlatEntry: Sendable {
  /// The key.
  public var key: String { shortKey?.text ?? longKey }
  /// The key in the form in which it is written, when it was given in that form.
  let shortKey: ShortKey?
  /// The key when it was given as a string.
  private let longKey: String
  /// The text.
  public let value: String

  /// Makes an entry.
  public init(key: String, value: String) {
    longKey = key
    self.value = value
    shortKey = nil
  }

  /// Makes an entry of a ready key, which need not be read anew for each dictionary.
  public init(key: ShortKey, value: String) {
    longKey = ""
    self.value = value
    shortKey = key
  }
}

/// A key of a dictionary in the form in which it stands in most property lists, ready to be compared
/// and written.
public struct ShortKey: Sendable {
  /// The marker and the text, the first byte lowest, followed by zeros.
  let low: UInt64
  let high: UInt64
  /// Masks of the bytes that count.
  private let lowMask: UInt64
  private let highMask: UInt64

  /// Makes a key of a literal of at most 14 ASCII characters.
  ///
  /// Such a key fills one marker and up to two words; a longer literal traps.
  public init(_ text: StaticString) {
    let utf8 = text.description.utf8
    precondition(
      utf8.count <= 14 && utf8.allSatisfy { $0 < 0x80 },
      "a short key has at most 14 ASCII characters")
    var words = (low: UInt64(0x50 | utf8.count), high: UInt64(0))
    for (index, byte) in utf8.enumerated() {
      if index < 7 {
        words.low |= UInt64(byte) << UInt64(8 * (index + 1))
      } else {
        words.high |= UInt64(byte) << UInt64(8 * (index - 7))
      }
    }
    (low, high) = words
    lowMask = RawSpan.lowBytes(min(8, utf8.count + 1))
    highMask = RawSpan.lowBytes(max(0, utf8.count - 7))
  }

  /// Whether an object that begins with these words is the key.
  @inline(__always)
  func matches(_ low: UInt64, _ high: UInt64) -> Bool {
    ((low & lowMask) ^ self.low) | ((high & highMask) ^ self.high) == 0
  }

  /// How many characters the key has.
  var count: Int { Int(low & 0xf) }

  /// The key as a string.
  var text: String {
    String(decoding: (0..<count).map(character), as: UTF8.self)
  }

  /// A character of the key.
  func character(_ index: Int) -> UInt8 {
    UInt8(
      truncatingIfNeeded: index < 7
        ? low >> UInt64(8 * (index + 1)) : high >> UInt64(8 * (index - 7)))
  }
}

extension ShortKey: ExpressibleByStringLiteral {
  /// Makes a key of a literal of at most 14 ASCII characters; a longer one traps.
  public init(stringLiteral text: StaticString) {
    self.init(text)
  }
}

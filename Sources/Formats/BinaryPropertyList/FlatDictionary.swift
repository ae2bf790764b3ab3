/// Writes dictionaries of texts by key without making values of them.
///
/// The bytes are those that ``PropertyList/binary(options:)`` gives for the same entries.
public enum FlatDictionary {
  /// A number of bytes that the property list of the entries does not exceed.
  public static func sizeBound(of entries: Span<FlatEntry>) -> Int {
    var text = 0
    for index in entries.indices {
      text += entries[index].keyLength + entries[index].value.utf8.count
    }
    return FlatWriter.sizeBound(entryCount: entries.count, textLength: text)
  }

  /// Writes the property list of entries into a buffer's beginning.
  ///
  /// - Returns: How many bytes it has.
  /// - Throws: ``EncodingFailure`` for equal keys, and for a buffer that is too small; one of
  ///   ``sizeBound(of:)`` bytes is not.
  public static func write(
    _ entries: Span<FlatEntry>, into buffer: inout MutableRawSpan
  ) throws(EncodingFailure) -> Int {
    try FlatWriter.write(entries, into: &buffer)
  }

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
  public var key: String { shortKey?.text ?? unreadKey }
  /// The key as it is written, when it was given so.
  let shortKey: ShortKey?
  /// The key when it was given as a string.
  private let unreadKey: String
  /// The text.
  public let value: String

  /// Makes an entry.
  public init(key: String, value: String) {
    unreadKey = key
    self.value = value
    shortKey = nil
  }

  /// Makes an entry of a key that is ready, and need not be read for each dictionary anew.
  public init(key: ShortKey, value: String) {
    unreadKey = ""
    self.value = value
    shortKey = key
  }

  /// How many bytes of UTF-8 the key has.
  var keyLength: Int { shortKey?.count ?? unreadKey.utf8.count }
}

/// A key of a dictionary in the form in which it stands in most property lists, ready to be compared
/// and written.
public struct ShortKey: Sendable {
  /// The marker and the text, the first byte lowest, and zeros behind.
  let low: UInt64
  let high: UInt64
  /// Which of their bytes count.
  let lowMask: UInt64
  let highMask: UInt64

  /// Makes a key of a literal of at most 14 ASCII characters.
  ///
  /// Such a key fills one marker and up to two words; a longer literal traps.
  public init(_ text: StaticString) {
    let utf8 = text.description.utf8
    precondition(
      utf8.count <= Self.maximumLength && utf8.allSatisfy { $0 < 0x80 },
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

  /// Whether an object that begins with these words is the key. Of `|` and `^` neither binds tighter
  /// in Swift.
  @inline(__always)
  func matches(_ low: UInt64, _ high: UInt64) -> Bool {
    ((low & lowMask) ^ self.low) | ((high & highMask) ^ self.high) == 0
  }

  static let maximumLength = 14

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
